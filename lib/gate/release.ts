import { leaseMsOf } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings, Gliding, Moment, Open, Ramping } from './gate-state.js';
import { glideCap, nextCycleMonoMs } from './glide.js';
import { spentQuota } from './quota.js';
import { FIRST_WINDOW, rampCap, rampGrowsAt } from './ramp.js';

/** Whether a gate lets one more go now. */
export type Room =
  | { readonly kind: 'room' }
  /** Until something in flight comes back. */
  | { readonly kind: 'full' }
  | { readonly kind: 'not-before'; readonly atMonoMs: number }
  /** By the server's own count nothing is left, and nothing in flight can bring better news. */
  | { readonly kind: 'spent'; readonly untilMonoMs: number };

/** The staged release: how many may be in flight, and how far apart they are sent. */
export function roomAt(gate: GateRecord, moment: Moment, settings: GateSettings): Room {
  const { state } = gate;
  if (settings.concurrency !== undefined && gate.inFlight >= settings.concurrency) return FULL;
  switch (state.kind) {
    case 'held':
    case 'asking':
      return notBefore(state.untilMonoMs, moment);
    case 'probing':
      return state.leaseUntilMonoMs === undefined ? ROOM : notBefore(state.leaseUntilMonoMs, moment);
    case 'open':
      return withinQuota(gate, moment, openRoom(gate, state, moment));
    case 'ramping':
      return withinQuota(gate, moment, rampRoom(gate, state, moment));
    case 'gliding':
      return withinQuota(gate, moment, glideRoom(gate, state, moment));
  }
}

const ROOM: Room = { kind: 'room' };
const FULL: Room = { kind: 'full' };

function notBefore(atMonoMs: number, { nowMonoMs }: Moment): Room {
  return nowMonoMs >= atMonoMs ? ROOM : { kind: 'not-before', atMonoMs };
}

function withinQuota(gate: GateRecord, { nowMonoMs }: Moment, room: Room): Room {
  const spent = spentQuota(gate.quotas, nowMonoMs, gate.inFlight);
  if (spent === undefined) return room;
  return gate.inFlight > 0 ? FULL : { kind: 'spent', untilMonoMs: Math.max(nowMonoMs, spent.renewedMonoMs) };
}

function openRoom(gate: GateRecord, open: Open, moment: Moment): Room {
  // As many as are under way or want to be have been accepted before.
  if (gate.rate === undefined && open.accepted * gate.share >= moment.waiting + gate.inFlight) return ROOM;
  return notBefore(open.paidUntilMonoMs - openPace(gate, moment).burstMs, moment);
}

/** When the passes of an open gate are paid for after one more. A busy process must not pay for its waiters. */
export function paidAfterPass(gate: GateRecord, open: Open, moment: Moment): number {
  const { gapMs, burstMs } = openPace(gate, moment);
  const { nowMonoMs, waiting } = moment;
  const leastMonoMs = waiting > 1 ? nowMonoMs + burstMs : nowMonoMs;
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

function openPace({ rate, share, shareUntilMonoMs }: GateRecord, { nowMonoMs }: Moment): Pace {
  if (rate === undefined) {
    // A stranger's burst is shared only by those who come at the same time.
    return paced(BURST_GAP_MS, BURST, nowMonoMs < shareUntilMonoMs ? share : 1);
  }
  return paced(1 / rate.perMs, Math.max(FIRST_WINDOW, rate.perMs * 1000), share);
}

function paced(gapMs: number, burst: number, share: number): Pace {
  return { gapMs: gapMs / share, burstMs: (Math.max(1, burst * share) - 1) * (gapMs / share) };
}

// A stranger's burst: RFC 6928 begins with 10; nothing waits here longer than 5 ms times its place.
export const BURST = 10;
export const BURST_GAP_MS = 5;

/** When those in flight are waited for no longer. */
function stallsAt(gate: GateRecord): number {
  return gate.movedMonoMs + leaseMsOf(gate);
}

function rampRoom(gate: GateRecord, ramp: Ramping, moment: Moment): Room {
  if (gate.inFlightOfEpoch < rampCap(gate, ramp, moment)) return notBefore(ramp.nextMonoMs, moment);
  const growsAtMonoMs = rampGrowsAt(gate, ramp, moment) ?? stallsAt(gate);
  return { kind: 'not-before', atMonoMs: Math.min(growsAtMonoMs, stallsAt(gate)) };
}

function glideRoom(gate: GateRecord, glide: Gliding, moment: Moment): Room {
  const cycleMonoMs = nextCycleMonoMs(gate, glide, moment);
  if (cycleMonoMs !== undefined) return notBefore(cycleMonoMs, moment);
  if (gate.inFlightOfEpoch < glideCap(gate, glide, moment)) return notBefore(glide.nextMonoMs, moment);
  return { kind: 'not-before', atMonoMs: stallsAt(gate) };
}
