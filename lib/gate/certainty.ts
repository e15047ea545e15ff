import type { RefusalReason } from '../reasons.js';
import { SAMPLES_TO_PREDICT } from './figures.js';
import type { Clock } from '../time/clock.js';
import { remainingMs } from '../time/deadline.js';
import type { Gate, Waiter } from './gate.js';
import type { EnterTerms, Refused } from './ticket.js';
import { isTooLateAt } from './waiting-line.js';

/** Refuses a wait at a gate that is certain to be in vain; whatever is only likely is waited for. */
export function refusalOf(wait: Wait, at: Gate, nowMonoMs: number): Refused | undefined {
  const { gates, maxHoldMs } = wait;
  const tooLong = gates.find((gate) => maxHoldMs !== undefined && gate.hintLeftMs(nowMonoMs) > maxHoldMs);
  if (tooLong !== undefined) return refusalBy(tooLong, 'hint-too-long', nowMonoMs);
  // When the last of the gates lets go, as far as that is known.
  let last = { gate: at.label, releaseAtMonoMs: Math.max(nowMonoMs, wait.dueMonoMs) };
  for (const gate of gates) {
    const releaseAtMonoMs = gate.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs;
    if (releaseAtMonoMs > last.releaseAtMonoMs) last = { gate: gate.label, releaseAtMonoMs };
  }
  const goesMonoMs = Math.max(last.releaseAtMonoMs, earliestTurn(at, nowMonoMs));
  return isTooLateAt(goesMonoMs, wait)
    ? { kind: 'refused', because: 'deadline-too-near', ...last }
    : undefined;
}

/** A wait, as far as it is known before it begins. */
type Wait = Pick<Waiter, 'dueMonoMs' | 'latestMonoMs'> &
  Pick<EnterTerms, 'reserveMs' | 'maxHoldMs'> & {
    /** Those that the operation has yet to pass. */
    readonly gates: readonly Gate[];
  };

/** A refusal by one gate. */
export function refusalBy(gate: Gate, because: RefusalReason, nowMonoMs: number): Refused {
  return { kind: 'refused', because, gate: gate.label, releaseAtMonoMs: gate.heldUntilMonoMs(nowMonoMs) };
}

/**
 * The last instant at which it may be let go: its deadline, by whichever clock is further on, less the reserve.
 * In whole ms, since a fraction costs each waiter 16 bytes; rounded up, since `overdue` has the last word.
 */
export function latestOf(
  { deadline, reserveMs }: Pick<EnterTerms, 'deadline' | 'reserveMs'>,
  nowMonoMs: number,
  clock: Clock,
): number | undefined {
  return deadline && Math.ceil(nowMonoMs + remainingMs(clock, deadline) - reserveMs);
}

/** Why it may not be let go any more, by whichever clock is further on. */
export function overdue({ deadline, reserveMs }: Waiter, clock: Clock): RefusalReason | undefined {
  if (deadline === undefined) return undefined;
  const leftMs = remainingMs(clock, deadline);
  if (leftMs <= 0) return 'deadline-passed';
  return leftMs < reserveMs ? 'deadline-too-near' : undefined;
}

/** At twice the learned rate: a plain prediction from a young estimate refused what would have made it. */
function earliestTurn(at: Gate, nowMonoMs: number): number {
  const { rate } = at.record;
  const beginMonoMs = at.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs;
  if (rate === undefined || rate.samples.length < SAMPLES_TO_PREDICT) return beginMonoMs;
  return beginMonoMs + at.line.due / (2 * rate.perMs);
}
