// Contents page: every public name, one by one.
export { heed } from './axios/heed.js';
export type { Heeding } from './axios/heed.js';
export { createGates } from './axios/create-gates.js';
export type { GatesPolicy } from './axios/create-gates.js';
export { isHeedError, journalOf } from './axios/errors.js';
export type { HeedReport } from './axios/errors.js';

export { byOrigin } from './scope/by-origin.js';
export { byRoute } from './scope/by-route.js';
export { byTenant } from './scope/by-tenant.js';
export { byToken } from './scope/by-token.js';
export { combine } from './scope/combine.js';
export type { Scope, ScopePart } from './model.js';
export type { ScopeRequest, ScopeRule } from './scope/scope.js';

export { HeedOptionsError } from './option-checks.js';
export type {
  AllowanceOption,
  BackoffOption,
  HeedConfig,
  HeedPolicy,
  KeySource,
  KeyTerms,
  Reconcile,
  Span,
} from './options.js';

export type { Duration } from './hint/budget.js';
export type { FieldValue } from './hint/field-members.js';
export type {
  ClockUsed,
  Hint,
  HintFacts,
  HintForm,
  HintReader,
  HintReading,
  NamedScope,
  QuotaReading,
  Reading,
  VerdictReading,
  WeighedReading,
} from './hint/hint.js';
export type { ExchangeEnd, Knowledge, Observation, Outcome, Verdict } from './model.js';
export type { AnswerFacts, Classification, Classify } from './policy/classify.js';
export type { AllowanceTerms } from './policy/allowance.js';
export type { RequestFacts } from './policy/judgment.js';
export type { NotAppliedRule } from './policy/knowledge.js';
export type { TransientRule } from './policy/verdict.js';
export type {
  ConcludedEvent,
  Conclusion,
  DecisionEvent,
  EntryStamp,
  GateEvent,
  HintNote,
  HookNote,
  JournalEntry,
  JournalListener,
  ObservationEvent,
  OperationEvent,
  OperationOpenedEvent,
  TermsNote,
  WeighedEvent,
} from './operation/journal-entry.js';
export type {
  BeforeExchange,
  ExchangeChanges,
  ExchangeContext,
  ReadinessAnswer,
  ReadinessCheck,
} from './operation/readiness.js';
export type { Doubt, DoubtfulOperation, Reconciliation } from './operation/reconciliation.js';
export type {
  EndedProgress,
  HeldProgress,
  OperationProgress,
  ProgressListener,
  SentProgress,
} from './operation/progress.js';
export type { Denial, Grounds, RefusalReason, StopReason } from './reasons.js';
export type { CancelTimer, Clock } from './time/clock.js';
export type { ScopeLabel, ScopeSelector } from './gate/scope-key.js';
export type { GateSnapshot, GatesSnapshot, HoldSnapshot } from './gate/snapshot.js';
export type { WaitingOperation } from './gate/waiting-operation.js';
export type { Gates } from './gate/gates.js';
export type { SharedStore } from './gate/gate-link.js';
