import { ANSWER_LATE_MS, READ_MS } from './figures.js';
import type { GateEvent } from './gate-event.js';
import { amend, leaseMsOf, stallsAtMonoMs } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import { closedUntilMonoMs, isReleasing, openState } from './gate-state.js';
import type { GateSettings, Moment } from './gate-state.js';
import { glideTaken, gliding, newCycle, nextCycleMonoMs } from './glide.js';
import { held } from './hold.js';
import { quotasAfterSending } from './quota.js';
import { rampGapMs, spacedAfter } from './ramp.js';
import { freshUntil } from './rate.js';
import { paidAfterPass, roomAt } from './release.js';
import { limited, returned } from './verdict.js';

/** The gate after an event. Pure: time and dice come with the event. */
export function transition(gate: GateRecord, event: GateEvent, settings: GateSettings): GateRecord {
  switch (event.kind) {
    case 'asked':
      return asked(gate, event.moment, settings);
    case 'taken':
      return taken(gate, event.moment, settings);
    case 'returned':
      return returned(gate, event, settings);
    case 'limited':
      return limited(gate, event, settings);
    case 'closed':
      return held(gate, event);
  }
}

/** What time alone has changed. */
function asked(gate: GateRecord, moment: Moment, settings: GateSettings): GateRecord {
  const { state } = gate;
  const { nowMonoMs } = moment;
  if (state.kind === 'open') return openAsked(gate, moment, settings);
  if (state.kind === 'gliding') {
    const cycleMonoMs = nextCycleMonoMs(gate, state, moment);
    if (cycleMonoMs !== undefined && nowMonoMs >= cycleMonoMs)
      return amend(gate, { state: newCycle(state, nowMonoMs) });
  }
  if (isReleasing(state)) return unstalled(gate, nowMonoMs);
  const untilMonoMs = closedUntilMonoMs(state);
  if (untilMonoMs === undefined || nowMonoMs < untilMonoMs) return gate;
  switch (state.kind) {
    case 'held':
      return amend(gate, {
        state: { kind: 'asking', about: 'lease', untilMonoMs: nowMonoMs + settings.storeTimeoutMs },
      });
    case 'asking':
      // What comes while a process is busy is read when it is not: timers come first then.
      return nowMonoMs <= untilMonoMs + ANSWER_LATE_MS || state.prolonged === true
        ? answered(gate, nowMonoMs)
        : amend(gate, { state: { ...state, untilMonoMs: nowMonoMs + READ_MS, prolonged: true } });
    case 'probing':
      return amend(gate, { state: { ...state, leaseUntilMonoMs: undefined } });
  }
}

/** Exchanges that hang must not keep a release from going on: they count no more. */
function unstalled(gate: GateRecord, nowMonoMs: number): GateRecord {
  if (gate.inFlightOfEpoch === 0 || nowMonoMs < stallsAtMonoMs(gate)) return gate;
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
  return amend(gate, { state: gliding(rate, nowMonoMs, room.atMonoMs) });
}

/** No store has a say, there is none or it does not answer: by what this client knows itself. */
export function answered(gate: GateRecord, nowMonoMs: number): GateRecord {
  const { state } = gate;
  if (state.kind !== 'asking') return gate;
  const isNew = state.about === 'scope';
  return amend(gate, {
    state: isNew ? openState(nowMonoMs) : { kind: 'probing', sinceMonoMs: nowMonoMs, leases: 0 },
  });
}

/** The end of a hold, at once. */
export function letGo(gate: GateRecord, nowMonoMs: number): GateRecord {
  const { state } = gate;
  return state.kind === 'held' ? amend(gate, { state: { ...state, untilMonoMs: nowMonoMs } }) : gate;
}

function taken(gate: GateRecord, moment: Moment, settings: GateSettings): GateRecord {
  return amend(gate, {
    state: stateAfterPass(gate, moment, settings),
    inFlight: gate.inFlight + 1,
    inFlightOfEpoch: gate.inFlightOfEpoch + 1,
    movedMonoMs: moment.nowMonoMs,
    quotas: quotasAfterSending(gate.quotas),
  });
}

function stateAfterPass(gate: GateRecord, moment: Moment, settings: GateSettings): GateRecord['state'] {
  const { state } = gate;
  const { nowMonoMs } = moment;
  switch (state.kind) {
    case 'open': {
      const isFirst = gate.inFlight === 0 && moment.waiting <= 1;
      const rush = isFirst ? { sinceMonoMs: nowMonoMs, accepted: 0 } : state.rush;
      // Whoever waits for a place waits for no pay.
      const unpaid = settings.concurrency === undefined ? moment : { ...moment, waiting: 0 };
      return openState(paidAfterPass(gate, state, unpaid), state.accepted, rush);
    }
    case 'probing':
      return { ...state, leases: state.leases + 1, leaseUntilMonoMs: nowMonoMs + leaseMsOf(gate) };
    case 'ramping':
      return {
        ...state,
        nextMonoMs: spacedAfter(state.nextMonoMs, moment, rampGapMs(gate, state, moment)),
      };
    case 'gliding':
      return glideTaken(gate, state, moment);
    default:
      return state;
  }
}

/** Nobody waits any more: the end of an epoch. Its rate lives on for a while, and what it saved up is used. */
export function emptied(gate: GateRecord, nowMonoMs: number): GateRecord {
  const { state, rate } = gate;
  if (!isReleasing(state)) return gate;
  const paidUntilMonoMs = rate === undefined ? nowMonoMs : state.nextMonoMs;
  return amend(gate, {
    state: openState(paidUntilMonoMs, state.accepted, { sinceMonoMs: nowMonoMs, accepted: 0 }),
    rate: rate && { ...rate, priceFactor: 1, freshUntilMonoMs: freshUntil(nowMonoMs, gate.lastHintMs) },
    // Nothing more is counted: what is under way is as good as accepted.
    accepts: gate.accepts + gate.inFlightOfEpoch,
  });
}
