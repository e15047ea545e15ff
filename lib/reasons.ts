// The closed lists of reasons. Errors, journal, telemetry and report print these very strings.

/** Why an operation goes no further: the decision table, rows 2 to 10, then gates and hooks. */
export const STOP_REASONS = [
  'cancelled',
  'deadline-passed',
  'server-said-no',
  'not-transient',
  'outcome-unknown',
  'answer-lost',
  'body-not-replayable',
  'body-changed',
  'exchanges-spent',
  'allowance-empty',
  'hint-too-long',
  'deadline-too-near',
  'queue-full',
  'detached',
  'not-ready',
  'hook-failed',
  'hook-timed-out',
] as const;
/** Why an operation goes no further: `error.heed.reason`, `because` in the journal. */
export type StopReason = (typeof STOP_REASONS)[number];

/** Why a gate lets nobody wait behind it, or no longer. */
export const REFUSAL_REASONS = [
  'cancelled',
  'deadline-passed',
  'deadline-too-near',
  'hint-too-long',
  'queue-full',
  'detached',
] as const;
/** Why a gate let an operation wait no longer, or not at all. Each is a `StopReason`, too. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Why permission to send again is denied. */
export const DENIALS = ['outcome-unknown', 'answer-lost', 'body-not-replayable'] as const;
/** Why sending again might do harm, or is not possible. Each is a `StopReason`, too. */
export type Denial = (typeof DENIALS)[number];

/** On what grounds permission to send again is granted. */
export const GROUNDS = [
  'idempotent-method',
  'declared-idempotent',
  'idempotency-key',
  'not-sent',
  'not-applied',
] as const;
/** What makes sending again harmless. */
export type Grounds = (typeof GROUNDS)[number];
