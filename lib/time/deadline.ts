import type { Clock } from './clock.js';

/**
 * The end of one operation's time, kept on both clocks. It ends at the monotonic instant or, when the wall
 * clock jumped forward past it, at the wall instant: a jump may end an operation too early, never send one
 * too late.
 */
export interface Deadline {
  readonly atMonoMs: number;
  readonly atEpochMs: number;
}

/** One instant on both clocks. */
export type Moment = Deadline;

export function momentOf(clock: Clock): Moment {
  return { atMonoMs: clock.monoMs(), atEpochMs: clock.wallEpochMs() };
}

/** A deadline `budgetMs` after a moment. */
export function deadlineAfter({ atMonoMs, atEpochMs }: Moment, budgetMs: number): Deadline {
  return { atMonoMs: atMonoMs + budgetMs, atEpochMs: atEpochMs + budgetMs };
}

/** A deadline at a wall instant, ms since 1970. */
export function deadlineAt(clock: Clock, atEpochMs: number): Deadline {
  return { atMonoMs: clock.monoMs() + (atEpochMs - clock.wallEpochMs()), atEpochMs };
}

/** The nearer of two. */
export function nearerDeadline(a: Deadline | undefined, b: Deadline | undefined): Deadline | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.atMonoMs <= b.atMonoMs ? a : b;
}

/** Ms left by whichever clock is further on; 0 or less when it has passed. */
export function remainingMs(clock: Clock, deadline: Deadline): number {
  return Math.min(deadline.atMonoMs - clock.monoMs(), deadline.atEpochMs - clock.wallEpochMs());
}
