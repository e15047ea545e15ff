import type { Ticket } from '../gate/ticket.js';
import type { Knowledge, Observation } from '../model.js';
import type { Backoff } from '../policy/backoff.js';
import type { NotAppliedRule } from '../policy/knowledge.js';
import type { TransientRule } from '../policy/verdict.js';
import type { StopReason } from '../reasons.js';
import type { Scope } from '../scope/scope.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import type { Ending } from './ending.js';
import type { Journal } from './journal.js';

/** What an operation needs of the world around it. `R` is an ended exchange, `D` what the caller gets. */
export interface OperationPorts<R extends Received, D> {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly terms: OperationTerms;
  readonly deadline: Deadline | undefined;
  readonly allowance: AllowancePort;
  /** The caller wishes to stop. */
  readonly cancelled: boolean;
  /** The client was detached: what is in flight ends as it ends, and nothing more is sent. */
  readonly detached: boolean;
  /** Calls `run` once when the caller cancels; returns how to stop listening, where there is anything to. */
  onCancel(run: () => void): (() => void) | undefined;
  /** Narrow to wide. */
  readonly scopes: readonly Scope[];
  /** A place in the queues of all scopes; asked for once, and again when a hook moved the request. */
  ticket(): Ticket;
  /** Asked before each decision: a hook may have changed the body or set a key. */
  request(): RequestFacts;
  /** Fresh facts before an exchange that waited or is not the first; `undefined` when nobody asks. */
  ready(exchange: number, waitedMs: number): Promise<Readiness> | undefined;
  /** Sends one exchange and never throws for what becomes of it. */
  send(): Promise<R>;
  /** Hands the end to the caller; may throw what the caller is to catch. */
  deliver(ending: Ending<R>): D;
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
}

/** What permission depends on. */
export interface RequestFacts {
  /** Upper case. */
  readonly method: string;
  /** The caller's own word on repeating. */
  readonly idempotent: boolean | undefined;
  /** An idempotency key goes with the exchanges. */
  readonly keyed: boolean;
  readonly bodyReplayable: boolean;
}

/** One exchange that has ended, as the transport hands it over. */
export interface Received {
  readonly observation: Observation;
  /** Releases a response that nobody will read, so that its socket is free again. */
  discard(): void;
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
  | { readonly kind: 'stop'; readonly because: StopReason };

/** Where an operation stands; changed by the loop alone. */
export interface Progress<R extends Received> {
  ticket: Ticket;
  readonly startMonoMs: number;
  notBeforeMonoMs: number;
  /** At gates, before the exchange that comes next. */
  waitedMs: number;
  /** While it waits. */
  waitingSinceMonoMs: number | undefined;
  stopListening: (() => void) | undefined;
  exchanges: number;
  /** The worst over all exchanges. */
  knowledge: Knowledge;
  last: R | undefined;
}
