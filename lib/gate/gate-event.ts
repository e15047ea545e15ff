import type { HoldCause, Moment } from './gate-state.js';
import type { QuotaNews } from './ticket.js';

/** What happens to a gate. */
export type GateEvent =
  /** Somebody wants to go: whatever time alone has changed is brought up to date. */
  | { readonly kind: 'asked'; readonly moment: Moment }
  | { readonly kind: 'taken'; readonly moment: Moment }
  | Returned
  | Limited
  | Closed;

export interface Closed {
  readonly kind: 'closed';
  readonly untilMonoMs: number;
  readonly because: HoldCause;
  readonly why?: string | undefined;
  /** Absent: it is not spread. */
  readonly roll?: number | undefined;
}

/** A pass came back with an answer that is no limit, or with none. */
export interface Returned {
  readonly kind: 'returned';
  readonly answer: 'accepted' | 'failed' | 'unjudged';
  readonly pass: PassFacts;
  readonly receivedMonoMs: number;
  readonly moment: Moment;
  readonly roll: number;
  readonly quota?: readonly QuotaNews[] | undefined;
}

export interface Limited {
  readonly kind: 'limited';
  readonly moment: Moment;
  /** Absent: heard of from an exchange that had no pass. */
  readonly pass?: PassFacts | undefined;
  /** Absent: own backoff. */
  readonly hintMs?: number | undefined;
  readonly receivedMonoMs: number;
  readonly roll: number;
  readonly quota?: readonly QuotaNews[] | undefined;
}

/** What a pass remembers of the gate that gave it. */
export interface PassFacts {
  readonly epoch: number;
  /** The number of the lease that it is the probe of. */
  readonly lease?: number | undefined;
  /** Of the gate, when it gave the pass. */
  readonly stalls: number;
  readonly sentMonoMs: number;
  /** Its operation began after the last hold had ended. */
  readonly fresh: boolean;
}
