import type { Standstill } from '../gate/standstill.js';
import type { Answer, EnterTerms, Refused, Ticket } from '../gate/ticket.js';
import type { Knowledge, Observation, Outcome } from '../model.js';
import type { Backoff } from '../policy/backoff.js';
import type { RequestFacts } from '../policy/judgment.js';
import type { NotAppliedRule } from '../policy/knowledge.js';
import type { TransientRule } from '../policy/verdict.js';
import type { StopReason } from '../reasons.js';
import type { Scope } from '../model.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import type { Journal } from './journal.js';
import type { TermsNote } from './journal-entry.js';
import type { Doubt, Finding } from './reconciliation.js';

/** What an operation needs of the world around it. `R` is an ended exchange, `D` what the caller gets. */
export interface OperationPorts<R extends Received, D> {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly terms: OperationTerms;
  readonly deadline: Deadline | undefined;
  /** Absent: without bound. */
  readonly allowance: AllowancePort | undefined;
  /** Where operations are to wait for a network. */
  readonly connection: Connection | undefined;
  /** The caller wishes to stop. */
  readonly cancelled: boolean;
  /** The client was detached: what is in flight ends as it ends, and nothing more is sent. */
  readonly detached: boolean;
  /** Calls `run` once when the caller cancels, or has; returns how to stop listening, where there is anything to. */
  onCancel(run: () => void): (() => void) | undefined;
  /** Narrow to wide. */
  readonly scopes: readonly Scope[];
  /** `observe` and `bare` send exactly one exchange, past the gates. */
  readonly mode: 'act' | 'observe' | 'bare';
  /** What would hold up an operation that is only observed. */
  foresee(terms: EnterTerms): Refused | Standstill | undefined;
  /** What an exchange past the gates tells them. */
  overhear(answer: Answer): void;
  /** The place in the queues of all scopes that it was opened with. */
  readonly first: Ticket | undefined;
  /** A new one, when a hook moved the request. */
  ticket(): Ticket;
  /** Asked before each decision: a hook may have changed the body or set a key. */
  request(): RequestFacts;
  /** Fresh facts, and a body, before an exchange; `undefined` when nobody asks. */
  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined;
  /** Sends one exchange and never throws for what becomes of it. */
  send(): Promise<R>;
  /** What became of a write whose outcome is in doubt; `undefined` when nobody can say. */
  reconcile(doubt: Doubt, exchanges: number): Promise<Finding<R>> | undefined;
  /** Hands the end to the caller; may throw what the caller is to catch. */
  deliver(ending: Ending<R>): D;
  /** A hook of the caller threw: lets go of what is held, and gives the error that the caller is to catch. */
  failed(error: unknown): unknown;
}

/** The policy and the request's own options, resolved. */
export interface OperationTerms {
  readonly exchanges: number;
  readonly backoff: Backoff;
  readonly jitter: number;
  readonly transient: TransientRule;
  readonly notApplied: NotAppliedRule;
  /** Absent: the smoothed time of the narrowest gate's exchanges. */
  readonly reserveMs?: number | undefined;
  /** Absent: no bound of its own. */
  readonly maxHintMs?: number | undefined;
  /** The same, and what bounds all operations, as data. */
  readonly note: TermsNote;
}

/** One exchange that has ended, as the transport hands it over. */
export interface Received {
  readonly observation: Observation;
  /** Releases a response that nobody will read, so that its socket is free again. */
  discard(): void;
}

/** Whether there is a network at all; a platform that cannot tell has one. */
export interface Connection {
  readonly isOffline: boolean;
  /** Until there is one again, or somebody else wants the operation to leave; returns how to stop waiting. */
  wait(waiter: OfflineWaiter): () => void;
}

/** An operation that waits for a network: what comes first counts. */
export interface OfflineWaiter {
  readonly operation: string;
  readonly goOn: () => void;
  readonly leave: () => void;
}

/** Re-sends after failures that the operations of a client share. */
export interface AllowancePort {
  isEmpty(): boolean;
  earn(): void;
  spend(): void;
}

/** What fresh facts say about sending now. */
export type Readiness =
  | { readonly kind: 'ready' }
  /** What the scopes are computed from has changed: other gates are asked. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'not-before'; readonly notBeforeMonoMs: number }
  | Refusal;

/** Where an operation stands; changed by the loop alone. */
export interface Progress<R extends Received> {
  ticket: Ticket;
  readonly startMonoMs: number;
  /** Absent: at once. */
  notBeforeMonoMs: number | undefined;
  /** At gates, before the exchange that comes next. */
  waitedMs: number;
  /** While it waits. */
  waitingSinceMonoMs: number | undefined;
  stopListening: (() => void) | undefined;
  /** Until the operation ends, where the caller can cancel. */
  readonly stopHearingCancel: (() => void) | undefined;
  exchanges: number;
  /** The worst over all exchanges. */
  knowledge: Knowledge;
  /** Of an exchange before the last it is not known what became of it. */
  inDoubt: boolean;
  /** What `reconcile` threw. */
  cause: unknown;
  last: R | undefined;
}

/** The wait cannot be worth it, or is no longer wanted. */
export interface Refusal {
  readonly kind: 'stop';
  readonly because: StopReason;
  /** When the gate that refused lets go, where that is known. */
  readonly releaseAtMonoMs?: number | undefined;
}

/** How an operation ended, with what a caller or a layer above needs to go on from here. */
export interface Ending<R extends Received> {
  readonly outcome: Outcome;
  /** Why it was stopped or refused; absent when it succeeded. */
  readonly because?: StopReason;
  /** The last exchange that was sent. */
  readonly last: R | undefined;
  readonly exchanges: number;
  /** The worst over all exchanges. */
  readonly knowledge: Knowledge;
  /** The last answer, a refusal, may be the trace of an earlier exchange. */
  readonly earlierOutcome?: 'unknown';
  /** What `reconcile` threw. */
  readonly cause: unknown;
  readonly tookMs: number;
  /** When the server, or the gate, lets requests of this scope go again, and how long that was from now. */
  readonly releaseAtEpochMs?: number;
  readonly waitMs?: number;
  /** Whether calling once more, later, makes sense; false once this layer has spent its tries. */
  readonly retryable: boolean;
}
