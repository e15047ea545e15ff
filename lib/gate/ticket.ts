import type { RefusalReason } from '../reasons.js';
import type { Deadline } from '../time/deadline.js';
import type { GateState } from './gate-state.js';
import type { Scope } from '../model.js';

/** An operation's place in the queues of all its gates: its number is kept for life. */
export interface Ticket {
  /** A pass from every gate at once, a refusal, or a place in one queue. One wait at a time. */
  enter(terms: EnterTerms): Entered | Waiting;
  /** Gives the place up: a wait settles at once with `left`, and the next in line is looked at. */
  leave(): void;
  /** Labels of its gates, narrow to wide. */
  readonly labels: readonly string[];
  /** Smoothed time of answered, not limited exchanges of the narrowest gate. */
  readonly smoothedMs: number | undefined;
}

/** What an operation is, for life. */
export interface TicketFacts {
  /** Narrow to wide. None: nobody is asked. */
  readonly scopes: readonly Scope[];
  /** Waiters of one gate are let go by turns over this key, each key's in order of their numbers. */
  readonly turn?: string | undefined;
  /** Whose operation it is; `detach` settles the waiters of one owner. */
  readonly owner: object;
  /** Its name in notes. */
  readonly operation: string;
}

/** On what terms an operation wants to be let go now. */
export interface EnterTerms {
  /** Absent: at once. */
  readonly notBeforeMonoMs?: number | undefined;
  readonly deadline?: Deadline | undefined;
  /** Time kept back so that the exchange after a wait can still finish. */
  readonly reserveMs: number;
  /** The caller's own bound on what is left of a hold. Absent: none. */
  readonly maxHoldMs?: number | undefined;
  readonly exchangesLeft: number;
  /** Safe or idempotent: fit to be a probe. */
  readonly repeatable: boolean;
}

/** How asking for a pass ended. */
export type Entered = Granted | Refused | Left;

export interface Granted {
  readonly kind: 'pass';
  readonly pass: Pass;
}

export interface Refused {
  readonly kind: 'refused';
  readonly because: RefusalReason;
  /** The label of the gate that refused. */
  readonly gate: string;
  readonly releaseAtMonoMs?: number | undefined;
}

export interface Left {
  readonly kind: 'left';
}

/** A place in the queue of the first gate that refuses. */
export interface Waiting {
  readonly kind: 'waiting';
  readonly gate: string;
  readonly state: GateState['kind'];
  readonly releaseAtMonoMs?: number | undefined;
  /** How many waiters stand at that gate already. */
  readonly ahead: number;
  /** Never rejects. */
  readonly entered: Promise<Entered>;
}

/** The right to send one exchange, taken from all gates in one step. */
export interface Pass {
  /** It asks for at least one gate whether the server has recovered. */
  readonly probing: boolean;
  /** Labels, narrow to wide. */
  readonly gates: readonly string[];
  /** None of its gates has been held since it was given: whoever lets time pass before sending looks again. */
  readonly stands: boolean;
  /** Marks the instant of sending. */
  sent(): void;
  /** Gives the pass back with what came of it; from the second call on without effect. */
  report(answer: Answer): void;
}

/** What an exchange says about its gates, by the class of its answer, never by the fate of its operation. */
export type Answer =
  | {
      readonly kind: 'accepted';
      readonly receivedMonoMs: number;
      readonly quota?: readonly QuotaNews[] | undefined;
    }
  | {
      readonly kind: 'limited';
      readonly receivedMonoMs: number;
      /** Absent: own backoff. */
      readonly hintMs?: number | undefined;
      /** The scope that the server named, when it did. */
      readonly scope?: Scope | undefined;
      readonly quota?: readonly QuotaNews[] | undefined;
    }
  /** 408, 5xx, network failure or timeout, without a hint. */
  | {
      readonly kind: 'failed';
      readonly receivedMonoMs: number;
      readonly quota?: readonly QuotaNews[] | undefined;
    }
  /** Aborted by its caller, cut by its deadline, never sent. */
  | { readonly kind: 'unjudged' };

/** One policy of a server's quota headers, at the receipt of an answer. */
export interface QuotaNews {
  readonly remaining: number;
  /** From receipt until the quota is renewed. */
  readonly resetMs?: number | undefined;
  readonly limit?: number | undefined;
  readonly windowMs?: number | undefined;
}
