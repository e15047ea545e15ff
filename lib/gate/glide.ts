import { newestOf } from './estimate.js';
import { CAUTION } from './figures.js';
import type { GateRecord } from './gate-record.js';
import type { Gliding, Moment } from './gate-state.js';
import { mostAtRisk, spacedAfter } from './ramp.js';
import type { LearnedRate } from './rate.js';

/** A new epoch by what was learned, with caution. */
export function gliding(rate: LearnedRate, nowMonoMs: number, nextMonoMs: number): Gliding {
  return {
    kind: 'gliding',
    sinceMonoMs: nowMonoMs,
    accepted: 0,
    cycle: { sinceMonoMs: nowMonoMs, taken: 0 },
    cycles: 0,
    nextMonoMs,
    perMs: CAUTION * rate.perMs,
    bursting: false,
    provenPerMs: 0,
    steps: 0,
    acceptedAtStep: 0,
    steppedMonoMs: nowMonoMs,
  };
}

interface AcceptedProbe {
  readonly sinceMonoMs: number;
  readonly sentMonoMs: number;
  /** Of the client. */
  readonly share: number;
}

/** The same after a hold, which may have saved something up; its first pass was the probe. */
export function glidingAfter(probe: AcceptedProbe, rate: LearnedRate, moment: Moment): Gliding {
  const { sinceMonoMs, sentMonoMs, share } = probe;
  const { nowMonoMs } = moment;
  const begun = gliding(rate, nowMonoMs, nowMonoMs);
  const glide = { ...begun, sinceMonoMs, accepted: 1, cycle: { sinceMonoMs, taken: 1 } };
  if (isBursting({ rate, share }, glide, moment)) return { ...glide, bursting: true };
  return { ...glide, nextMonoMs: Math.max(nowMonoMs, sentMonoMs + 1 / (glide.perMs * share)) };
}

/** As many in flight as the pace needs, and half as many again; never more than may be lost to a limit. */
export function glideCap(gate: GateRecord, glide: Gliding, moment: Moment): number {
  const needed = Math.ceil(1.5 * paceOf(gate, glide) * (gate.smoothedMs ?? 0)) + 1;
  return Math.min(mostAtRisk(gate, glide.accepted, moment), needed);
}

/** This client's; what a hold has saved up goes as fast as it was accepted the last time, all else at the rate. */
export function paceOf({ rate, share }: GateRecord, { bursting, perMs }: Gliding): number {
  return (bursting && rate ? Math.max(rate.burstPerMs, perMs) : perMs) * share;
}

/** One more is sent. */
export function glideTaken(gate: GateRecord, glide: Gliding, moment: Moment): Gliding {
  const cycle = { ...glide.cycle, taken: glide.cycle.taken + 1 / gate.share };
  const next = {
    ...glide,
    cycle,
    bursting: glide.bursting && isBursting(gate, { ...glide, cycle }, moment),
  };
  return {
    ...next,
    nextMonoMs: spacedAfter(glide.nextMonoMs, moment, 1 / paceOf(gate, next)),
  };
}

/** Less has been sent than a hold has saved up, with what has come since. */
function isBursting({ rate, share }: Sharer, glide: Gliding, moment: Moment): boolean {
  if (rate === undefined) return false;
  if (rate.shape === 'window') return true;
  const { sinceMonoMs, taken } = glide.cycle;
  const savedUp = rate.burst + glide.perMs * (moment.nowMonoMs - sinceMonoMs);
  return taken + othersPerPass(share) < rate.burstShare * savedUp;
}

/** When the next cycle of a window begins, once this one's share is used up. */
export function nextCycleMonoMs(gate: GateRecord, glide: Gliding, moment: Moment): number | undefined {
  const { rate, share } = gate;
  const { sinceMonoMs, taken } = glide.cycle;
  if (rate?.shape !== 'window') return undefined;
  const newest = newestOf(rate.samples);
  // The same again; more after a step.
  const again = Math.max(1, Math.round((newest.accepted * glide.perMs) / (CAUTION * rate.perMs)));
  if (taken + othersPerPass(share) < again) return undefined;
  // What is left is within the number that was accepted the last time: not worth another cycle.
  if (taken + moment.waiting / share <= newest.accepted) return undefined;
  return sinceMonoMs + (newest.tookMs + newest.waitMs);
}

type Sharer = Pick<GateRecord, 'rate' | 'share'>;

/** With each pass of this client the others send theirs: what cannot be divided evenly is left. */
function othersPerPass(share: number): number {
  return 1 / share - 1;
}

export function newCycle(glide: Gliding, nowMonoMs: number): Gliding {
  return {
    ...glide,
    cycle: { sinceMonoMs: nowMonoMs, taken: 0 },
    cycles: glide.cycles + 1,
    bursting: true,
  };
}
