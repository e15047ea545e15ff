import { FIRST_WINDOW, MOST_IN_FLIGHT, SHARE, TIMER_LATE_MS } from './figures.js';
import type { GateRecord } from './gate-record.js';
import type { Moment } from './gate-state.js';

/** An epoch as far as its ramp depends on it. */
export interface Ramp {
  readonly sinceMonoMs: number;
  readonly accepted: number;
}

/** This client's part of what may be in flight: one at least. */
export function rampCap(gate: GateRecord, ramp: Ramp, moment: Moment): number {
  return partOf(gate, capOfAll(gate, ramp, moment));
}

/** At most so many in flight: in proportion to what was accepted, or slowly more as time goes by. */
function capOfAll(gate: GateRecord, ramp: Ramp, moment: Moment): number {
  const proved = FIRST_WINDOW + Math.floor(SHARE * ramp.accepted);
  // Two a second and two more for each second: it matters only where answers are slow.
  const seconds = (moment.nowMonoMs - ramp.sinceMonoMs) / 1000;
  const inTime = Math.ceil(((2 + 2 * seconds) * (gate.smoothedMs ?? 0)) / 1000);
  const patient = Math.min(inTime, patientLimit(gate, moment));
  return Math.max(1, Math.min(1 + ramp.accepted, Math.max(proved, patient), MOST_IN_FLIGHT));
}

/** Evenly over the time of an exchange. */
export function rampGapMs(gate: GateRecord, ramp: Ramp, moment: Moment): number {
  return (gate.smoothedMs ?? 0) / (capOfAll(gate, ramp, moment) * gate.share);
}

/** When patience alone allows one more; undefined when something else is in the way. */
export function rampGrowsAt(gate: GateRecord, ramp: Ramp, moment: Moment): number | undefined {
  const { smoothedMs = 0 } = gate;
  const cap = capOfAll(gate, ramp, moment);
  if (cap > ramp.accepted || cap >= patientLimit(gate, moment) || cap >= MOST_IN_FLIGHT || smoothedMs === 0) {
    return undefined;
  }
  const seconds = ((cap * 1000) / smoothedMs - 2) / 2;
  return Math.max(moment.nowMonoMs, ramp.sinceMonoMs + seconds * 1000) + 1;
}

function patientLimit(gate: GateRecord, moment: Moment): number {
  return FIRST_WINDOW + Math.floor((SHARE * moment.waiting) / gate.share);
}

/** No more than this client's part of this may be in flight when a limit is met. */
export function mostAtRisk(gate: GateRecord, accepted: number, moment: Moment): number {
  const worth = Math.max(accepted, moment.waiting / gate.share);
  return partOf(gate, Math.min(FIRST_WINDOW + Math.floor(SHARE * worth), MOST_IN_FLIGHT));
}

function partOf(gate: GateRecord, all: number): number {
  return Math.max(1, Math.floor(all * gate.share));
}

/** The instant after which the next is sent; timers come late, and what is late is not late for ever. */
export function spacedAfter(nextMonoMs: number, moment: Moment, gapMs: number): number {
  return Math.max(nextMonoMs, moment.nowMonoMs - TIMER_LATE_MS) + gapMs;
}
