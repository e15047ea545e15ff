import type { RefusalReason } from '../reasons.js';
import type { Clock } from '../time/clock.js';
import { remainingMs } from '../time/deadline.js';
import type { Gate } from './gate.js';
import type { PartyGates } from './lines.js';
import type { EnterTerms, Refused } from './ticket.js';
import { isTooLateAt } from './waiter.js';

/** What is certain about a wait before it begins. */
export interface WaitFacts {
  /** Those that the operation has yet to pass. */
  readonly gates: PartyGates;
  readonly terms: EnterTerms;
  readonly nowMonoMs: number;
  /** The gate at which it would wait, and how many would go before it there. */
  readonly at: Gate;
  readonly ahead: number;
}

/** Refuses a wait that is certain to be in vain; whatever is only likely is waited for. */
export function refusalOf(facts: WaitFacts, clock: Clock): Refused | undefined {
  const { gates, nowMonoMs, terms } = facts;
  const tooLong = gates.find((gate) => restOf(gate, nowMonoMs) > (terms.maxHoldMs ?? Number.MAX_VALUE));
  if (tooLong !== undefined) return refusalBy(tooLong, 'hint-too-long', nowMonoMs);
  const latestMonoMs = latestOf(terms, clock);
  if (latestMonoMs === undefined) return undefined;
  const { gate, atMonoMs } = releaseOf(facts);
  const goesMonoMs = Math.max(atMonoMs, earliestTurn(facts));
  if (!isTooLateAt(goesMonoMs, latestMonoMs, terms)) return undefined;
  return { kind: 'refused', because: 'deadline-too-near', gate: gate.label, releaseAtMonoMs: atMonoMs };
}

/** A refusal by one gate. */
export function refusalBy(gate: Gate, because: RefusalReason, nowMonoMs: number): Refused {
  return { kind: 'refused', because, gate: gate.label, releaseAtMonoMs: gate.heldUntilMonoMs(nowMonoMs) };
}

/** What is left of its hold. */
function restOf(gate: Gate, nowMonoMs: number): number {
  return (gate.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs) - nowMonoMs;
}

/** The last instant at which it may be let go: its deadline, by whichever clock is further on, less the reserve. */
export function latestOf({ deadline, reserveMs }: EnterTerms, clock: Clock): number | undefined {
  return deadline === undefined ? undefined : clock.monoMs() + remainingMs(clock, deadline) - reserveMs;
}

interface Release {
  readonly gate: Gate;
  readonly atMonoMs: number;
}

/** When the last of the gates lets go, as far as that is known. */
function releaseOf({ gates, at, terms, nowMonoMs }: WaitFacts): Release {
  let last = { gate: at, atMonoMs: Math.max(nowMonoMs, terms.notBeforeMonoMs) };
  for (const gate of gates) {
    const atMonoMs = gate.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs;
    if (atMonoMs > last.atMonoMs) last = { gate, atMonoMs };
  }
  return last;
}

/** At twice the learned rate: a plain prediction from a young estimate refused what would have made it. */
function earliestTurn({ at, ahead, nowMonoMs }: WaitFacts): number {
  const { rate } = at.record;
  const beginMonoMs = at.heldUntilMonoMs(nowMonoMs) ?? nowMonoMs;
  if (rate === undefined || rate.samples.length < SAMPLES_TO_PREDICT) return beginMonoMs;
  return beginMonoMs + ahead / (2 * rate.perMs);
}

const SAMPLES_TO_PREDICT = 2;
