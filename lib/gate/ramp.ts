import type { GateRecord } from './gate-record.js';
import type { Moment } from './gate-state.js';

/** An epoch as far as its ramp depends on it. */
export interface Ramp {
  readonly sinceMonoMs: number;
  readonly accepted: number;
}

/** At most so many in flight: in proportion to what was accepted, or slowly more as time goes by. */
export function rampCap(gate: GateRecord, ramp: Ramp, moment: Moment): number {
  const proved = FIRST_WINDOW + Math.floor(SHARE * ramp.accepted);
  const patient = Math.min(patientCap(gate, ramp, moment), patientLimit(moment));
  return Math.max(1, Math.min(1 + ramp.accepted, Math.max(proved, patient), MOST_IN_FLIGHT));
}

/** Evenly over the time of an exchange. */
export function rampGapMs(gate: GateRecord, ramp: Ramp, moment: Moment): number {
  return (gate.smoothedMs ?? 0) / rampCap(gate, ramp, moment);
}

/** When patience alone allows one more; undefined when something else is in the way. */
export function rampGrowsAt(gate: GateRecord, ramp: Ramp, moment: Moment): number | undefined {
  const { smoothedMs = 0 } = gate;
  const cap = rampCap(gate, ramp, moment);
  if (cap > ramp.accepted || cap >= patientLimit(moment) || cap >= MOST_IN_FLIGHT || smoothedMs === 0) {
    return undefined;
  }
  const seconds = ((cap * 1000) / smoothedMs - 2) / 2;
  return Math.max(moment.nowMonoMs, ramp.sinceMonoMs + seconds * 1000) + 1;
}

/** Two a second and two more for each second: it matters only where answers are slow. */
function patientCap({ smoothedMs = 0 }: GateRecord, ramp: Ramp, { nowMonoMs }: Moment): number {
  const seconds = (nowMonoMs - ramp.sinceMonoMs) / 1000;
  return Math.ceil(((2 + 2 * seconds) * smoothedMs) / 1000);
}

function patientLimit({ waiting }: Moment): number {
  return FIRST_WINDOW + Math.floor(SHARE * waiting);
}

/** No more than this may be in flight when a limit is met. */
export function mostAtRisk(accepted: number, { waiting }: Moment): number {
  return Math.min(FIRST_WINDOW + Math.floor(SHARE * Math.max(accepted, waiting)), MOST_IN_FLIGHT);
}

/** The instant after which the next is sent; timers come late, and what is late is not late for ever. */
export function spacedAfter(nextMonoMs: number, { nowMonoMs }: Moment, gapMs: number): number {
  return Math.max(nextMonoMs, nowMonoMs - TIMER_LATE_MS) + gapMs;
}

const TIMER_LATE_MS = 5;
export const FIRST_WINDOW = 3;
const SHARE = 0.1;
const MOST_IN_FLIGHT = 512;
