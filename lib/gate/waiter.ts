import type { RefusalReason } from '../reasons.js';
import type { Clock } from '../time/clock.js';
import { remainingMs } from '../time/deadline.js';
import type { EnterTerms } from './ticket.js';

/** An operation while it waits. It stands in one line at a time and keeps its ticket's number. */
export interface Waiter {
  readonly party: { readonly number: number; readonly turn: string | undefined };
  readonly terms: EnterTerms;
  /** The last instant at which it may be let go; absent without a deadline. */
  readonly latestMonoMs: number | undefined;
  /** Since when it could have gone but for the gates. */
  dueSinceMonoMs: number;
  /** Among those that are due, or among those that are not yet; and its place there. */
  stands: 'due' | 'early';
  linePlace: number | undefined;
  latestPlace: number | undefined;
}

/** Whether an instant is too late to be let go: without a reserve the deadline itself is, since nothing is left then. */
export function isTooLateAt(instantMonoMs: number, latestMonoMs: number, { reserveMs }: EnterTerms): boolean {
  return instantMonoMs > latestMonoMs || (reserveMs === 0 && instantMonoMs === latestMonoMs);
}

/** Why it may not be let go any more, by whichever clock is further on. */
export function overdue({ deadline, reserveMs }: EnterTerms, clock: Clock): RefusalReason | undefined {
  if (deadline === undefined) return undefined;
  const leftMs = remainingMs(clock, deadline);
  if (leftMs <= 0) return 'deadline-passed';
  return leftMs < reserveMs ? 'deadline-too-near' : undefined;
}
