import type { GateEvent } from './gate-event.js';
import { amend, leaseMsOf } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import type { Asking, GateSettings, Moment, Open, Ramping } from './gate-state.js';
import { glideTaken, gliding, newCycle, nextCycleMonoMs } from './glide.js';
import { held, spreadMs } from './hold.js';
import { quotasAfterSending } from './quota.js';
import { rampGapMs, spacedAfter } from './ramp.js';
import { freshUntil } from './rate.js';
import { paidAfterPass, roomAt } from './release.js';
import { answered, letGo, told } from './told.js';
import { limited, returned } from './verdict.js';

/** The gate after an event. Pure: time and dice come with the event. */
export function transition(gate: GateRecord, event: GateEvent, settings: GateSettings): GateRecord {
  switch (event.kind) {
    case 'asked':
      return asked(gate, event.moment, settings);
    case 'taken':
      return taken(gate, event.moment);
    case 'returned':
      return returned(gate, event, settings);
    case 'limited':
      return limited(gate, event, settings);
    case 'closed':
      return held(gate, { untilMonoMs: event.untilMonoMs, because: event.because, why: event.why, roll: 0 });
    case 'quota-spent': {
      const waitMs = spreadMs(event.untilMonoMs - event.nowMonoMs, event.roll, settings);
      return held(gate, { untilMonoMs: event.nowMonoMs + waitMs, because: 'quota-spent', roll: event.roll });
    }
    case 'met':
      return met(gate, event.untilMonoMs);
    case 'told':
      return told(gate, event, settings);
    case 'unanswered':
      return answered(gate, event.nowMonoMs);
    case 'emptied':
      return emptied(gate, event.nowMonoMs);
    case 'released':
      return letGo(gate, event.nowMonoMs);
  }
}

/** What time alone has changed. */
function asked(gate: GateRecord, moment: Moment, settings: GateSettings): GateRecord {
  const { state } = gate;
  const { nowMonoMs } = moment;
  switch (state.kind) {
    case 'held':
      if (nowMonoMs < state.untilMonoMs) return gate;
      return amend(gate, {
        state: { kind: 'asking', about: 'lease', untilMonoMs: nowMonoMs + settings.storeTimeoutMs },
      });
    case 'asking':
      return unansweredAfter(gate, state, nowMonoMs);
    case 'probing':
      if (state.leaseUntilMonoMs === undefined || nowMonoMs < state.leaseUntilMonoMs) return gate;
      return amend(gate, { state: { ...state, leaseUntilMonoMs: undefined } });
    case 'open':
      return openAsked(gate, moment, settings);
    case 'gliding': {
      const cycleMonoMs = nextCycleMonoMs(gate, state, moment);
      if (cycleMonoMs === undefined || nowMonoMs < cycleMonoMs) return unstalled(gate, nowMonoMs);
      return amend(gate, { state: newCycle(state, nowMonoMs) });
    }
    case 'ramping':
      return unstalled(gate, nowMonoMs);
  }
}

/** What comes while a process is busy is read when it is not: timers come first then. */
function unansweredAfter(gate: GateRecord, asking: Asking, nowMonoMs: number): GateRecord {
  const lateMs = nowMonoMs - asking.untilMonoMs;
  if (lateMs < 0) return gate;
  if (lateMs <= TIMER_LATE_MS || asking.prolonged === true) return answered(gate, nowMonoMs);
  return amend(gate, { state: { ...asking, untilMonoMs: nowMonoMs + READ_MS, prolonged: true } });
}

const TIMER_LATE_MS = 10;
const READ_MS = 20;

/** Exchanges that hang must not keep a release from going on: they count no more. */
function unstalled(gate: GateRecord, nowMonoMs: number): GateRecord {
  if (gate.inFlightOfEpoch === 0 || nowMonoMs < gate.movedMonoMs + leaseMsOf(gate)) return gate;
  return amend(gate, { inFlightOfEpoch: 0, stalls: gate.stalls + 1, movedMonoMs: nowMonoMs });
}

/** A rate is forgotten after a while; a queue that forms at a known rate is let go evenly. */
function openAsked(gate: GateRecord, moment: Moment, settings: GateSettings): GateRecord {
  const { rate } = gate;
  const { nowMonoMs } = moment;
  if (rate === undefined) return gate;
  if (nowMonoMs >= rate.freshUntilMonoMs) return amend(gate, { rate: undefined });
  const room = roomAt(gate, moment, settings);
  if (room.kind !== 'not-before') return gate;
  return amend(gate, { state: gliding(rate, { nowMonoMs, nextMonoMs: room.atMonoMs }) });
}

/** Whoever has waiters by then is held, or has been told of already. */
function met(gate: GateRecord, untilMonoMs: number): GateRecord {
  return gate.state.kind === 'open'
    ? amend(gate, { state: { kind: 'asking', about: 'scope', untilMonoMs } })
    : gate;
}

function taken(gate: GateRecord, moment: Moment): GateRecord {
  return amend(gate, {
    state: stateAfterPass(gate, moment),
    inFlight: gate.inFlight + 1,
    inFlightOfEpoch: gate.inFlightOfEpoch + 1,
    movedMonoMs: moment.nowMonoMs,
    quotas: quotasAfterSending(gate.quotas),
  });
}

function stateAfterPass(gate: GateRecord, moment: Moment): GateRecord['state'] {
  const { state } = gate;
  switch (state.kind) {
    case 'open':
      return openTaken(gate, state, moment);
    case 'probing':
      return { ...state, leases: state.leases + 1, leaseUntilMonoMs: moment.nowMonoMs + leaseMsOf(gate) };
    case 'ramping':
      return rampTaken(gate, state, moment);
    case 'gliding':
      return glideTaken(gate, state, moment);
    case 'held':
    case 'asking':
      return state;
  }
}

function openTaken(gate: GateRecord, open: Open, moment: Moment): Open {
  const isFirst = gate.inFlight === 0 && moment.waiting <= 1;
  return {
    kind: 'open',
    accepted: open.accepted,
    paidUntilMonoMs: paidAfterPass(gate, open, moment),
    rush: isFirst ? { sinceMonoMs: moment.nowMonoMs, accepted: 0 } : open.rush,
  };
}

function rampTaken(gate: GateRecord, ramp: Ramping, moment: Moment): Ramping {
  return { ...ramp, nextMonoMs: spacedAfter(ramp.nextMonoMs, moment, rampGapMs(gate, ramp, moment)) };
}

/** Nobody waits: the end of an epoch. Its rate lives on for a while, and what it saved up is used. */
function emptied(gate: GateRecord, nowMonoMs: number): GateRecord {
  const { state, rate, lastHintMs } = gate;
  if (state.kind !== 'ramping' && state.kind !== 'gliding') return gate;
  const paidUntilMonoMs = rate === undefined ? nowMonoMs : state.nextMonoMs;
  const rush = { sinceMonoMs: nowMonoMs, accepted: 0 };
  return amend(gate, {
    state: { kind: 'open', accepted: state.accepted, paidUntilMonoMs, rush },
    rate: rate && { ...rate, priceFactor: 1, freshUntilMonoMs: freshUntil(nowMonoMs, lastHintMs) },
    // Nothing more is counted: what is under way is as good as accepted.
    accepts: gate.accepts + gate.inFlightOfEpoch,
  });
}
