import { BURST, BURST_GAP_MS, FIRST_WINDOW } from './figures.js';
import { stallsAtMonoMs } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import { closedUntilMonoMs, isReleasing } from './gate-state.js';
import type { GateSettings, Gliding, Moment, Open, Ramping } from './gate-state.js';
import { glideCap, nextCycleMonoMs } from './glide.js';
import { spentQuota } from './quota.js';
import { rampCap, rampGrowsAt } from './ramp.js';

/** Whether a gate lets one more go now. */
export type Room =
  | { readonly kind: 'room' }
  /** Until something in flight comes back. */
  | { readonly kind: 'full' }
  | { readonly kind: 'not-before'; readonly atMonoMs: number }
  /** By the server's own count nothing is left, and nothing in flight can bring better news. */
  | { readonly kind: 'spent'; readonly untilMonoMs: number };

/** The staged release: how many may be in flight, and how far apart they are sent. */
export function roomAt(gate: GateRecord, moment: Moment, { concurrency }: GateSettings): Room {
  const { state, inFlight } = gate;
  if (concurrency !== undefined && inFlight >= concurrency) return FULL;
  if (state.kind !== 'open' && !isReleasing(state))
    return notBefore(closedUntilMonoMs(state) ?? moment.nowMonoMs, moment);
  const spent = spentQuota(gate.quotas, moment.nowMonoMs, inFlight);
  if (spent === undefined)
    return state.kind === 'open' ? openRoom(gate, state, moment) : releaseRoom(gate, state, moment);
  if (inFlight > 0) return FULL;
  return { kind: 'spent', untilMonoMs: Math.max(moment.nowMonoMs, spent.renewedMonoMs) };
}

const ROOM: Room = { kind: 'room' };
const FULL: Room = { kind: 'full' };

function notBefore(atMonoMs: number, moment: Moment): Room {
  return moment.nowMonoMs >= atMonoMs ? ROOM : { kind: 'not-before', atMonoMs };
}

function openRoom(gate: GateRecord, open: Open, moment: Moment): Room {
  // As many as are under way or want to be have been accepted before.
  if (gate.rate === undefined && open.accepted * gate.share >= moment.waiting + gate.inFlight) return ROOM;
  return notBefore(open.paidUntilMonoMs - openPace(gate, moment).burstMs, moment);
}

/** When the passes of an open gate are paid for after one more. A busy process must not pay for its waiters. */
export function paidAfterPass(gate: GateRecord, open: Open, moment: Moment): number {
  const { gapMs, burstMs } = openPace(gate, moment);
  const { nowMonoMs } = moment;
  const leastMonoMs = moment.waiting > 1 ? nowMonoMs + burstMs : nowMonoMs;
  return Math.min(Math.max(open.paidUntilMonoMs, leastMonoMs), nowMonoMs + burstMs) + gapMs;
}

/** An accepted answer pays for half a pass of a stranger's burst. */
export function paidAfterAccept(gate: GateRecord, open: Open, moment: Moment): number {
  if (gate.rate !== undefined) return open.paidUntilMonoMs;
  return open.paidUntilMonoMs - openPace(gate, moment).gapMs / 2;
}

interface Pace {
  readonly gapMs: number;
  /** How far a burst may run ahead of its pay. */
  readonly burstMs: number;
}

function openPace(gate: GateRecord, moment: Moment): Pace {
  const { rate } = gate;
  // A stranger's burst is shared only by those who come at the same time.
  const part = rate !== undefined || moment.nowMonoMs < gate.shareUntilMonoMs ? gate.share : 1;
  const gapMs = (rate ? 1 / rate.perMs : BURST_GAP_MS) / part;
  const burst = rate ? Math.max(FIRST_WINDOW, rate.perMs * 1000) : BURST;
  return { gapMs, burstMs: (Math.max(1, burst * part) - 1) * gapMs };
}

function releaseRoom(gate: GateRecord, state: Ramping | Gliding, moment: Moment): Room {
  const isRamp = state.kind === 'ramping';
  const cycleMonoMs = isRamp ? undefined : nextCycleMonoMs(gate, state, moment);
  if (cycleMonoMs !== undefined) return notBefore(cycleMonoMs, moment);
  const cap = isRamp ? rampCap(gate, state, moment) : glideCap(gate, state, moment);
  if (gate.inFlightOfEpoch < cap) return notBefore(state.nextMonoMs, moment);
  const stalls = stallsAtMonoMs(gate);
  const growsAtMonoMs = isRamp ? rampGrowsAt(gate, state, moment) : undefined;
  return { kind: 'not-before', atMonoMs: Math.min(growsAtMonoMs ?? stalls, stalls) };
}

export { BURST, BURST_GAP_MS } from './figures.js';
