import { CAUTION } from '../gate/estimate.js';
import { amend } from '../gate/gate-record.js';
import type { GateRecord } from '../gate/gate-record.js';
import type { GateSettings, GateState, Gliding, Moment, Ramping } from '../gate/gate-state.js';
import { glidingAfter, paceOf } from '../gate/glide.js';
import { held } from '../gate/hold.js';
import { rateAfterLimit } from '../gate/lesson.js';
import { rampGapMs } from '../gate/ramp.js';
import { BURST, BURST_GAP_MS } from '../gate/release.js';
import { adopted, concluded, isTelling, retold } from '../gate/rate.js';
import type { LearnedRate } from '../gate/rate.js';
import { answered, letGo } from '../gate/transition.js';
import type { GateWord } from './gate-store.js';

/** The gate after what a store has said: in an answer, or as news of others. Holds only become longer by it. */
export function told(before: GateRecord, event: Told, { maxHoldMs }: HoldBound): GateRecord {
  const gate = informed(before, event);
  const { nowMonoMs } = event.moment;
  const stand = event.word.gate;
  switch (stand.kind) {
    case 'held':
      return heldElsewhere(gate, event, {
        forMs: Math.min(stand.forMs, maxHoldMs),
        hintMs: Math.min(stand.hintMs, maxHoldMs),
      });
    case 'let-go':
      // One that is over already is not to begin again.
      return gate.state.kind === 'held' && gate.state.untilMonoMs > nowMonoMs ? letGo(gate, nowMonoMs) : gate;
    case 'over':
      return isAskingAboutScope(gate) || isElsewhere(gate) ? over(gate, nowMonoMs) : gate;
    case 'probed':
      return gate.state.kind === 'asking'
        ? held(gate, { untilMonoMs: nowMonoMs + stand.forMs, because: 'probe-elsewhere' })
        : gate;
    case 'released':
      return released(gate, event);
    case 'yours':
    case 'unknown':
      return answered(gate, nowMonoMs + newcomerWaitMs(event));
  }
}

/** How long a store may hold a gate. */
type HoldBound = Pick<GateSettings, 'maxHoldMs'>;

/** The gate without what a store has said, its part in a lesson included; a probe goes next. Nothing is in flight. */
export function alone(gate: GateRecord, nowMonoMs: number): GateRecord {
  const state: GateState = { kind: 'probing', sinceMonoMs: nowMonoMs, leases: 0 };
  return amend(gate, { state, share: 1, rate: undefined });
}

/** What a store has said, and when. */
export interface Told {
  readonly word: GateWord;
  readonly moment: Moment;
  readonly roll: number;
}

/** A store is asked what is known of the scope, until the instant at most. Whoever has waiters by then is held already. */
export function met(gate: GateRecord, untilMonoMs: number): GateRecord {
  return gate.state.kind === 'open'
    ? amend(gate, { state: { kind: 'asking', about: 'scope', untilMonoMs } })
    : gate;
}

/** Of many strangers who come together, each waits a moment of his own: of a few, none does. */
function newcomerWaitMs({ word, roll }: Told): number {
  return roll * Math.min(Math.max(0, word.members - BURST) * BURST_GAP_MS, MOST_NEWCOMER_WAIT_MS);
}

/** With its share, and with what all together were accepted where it had only its own part to go by. */
function informed(gate: GateRecord, { word, moment }: Told): GateRecord {
  const { members, lastRelease } = word;
  if (members === 1 && gate.share === 1) return gate;
  const shareUntilMonoMs = moment.nowMonoMs + SHARE_FRESH_MS;
  const smoothedMs = gate.smoothedMs ?? word.exchangeMs;
  const shared = amend(gate, { share: 1 / members, shareUntilMonoMs, smoothedMs });
  if (lastRelease === undefined || members === 1 || shared.rate === undefined)
    return sooner(gate, shared, moment);
  const rate = retold(shared.rate, lastRelease);
  const { state } = shared;
  const isFirstPace = state.kind === 'gliding' && state.steps === 0;
  const retimed = isFirstPace ? { ...state, perMs: CAUTION * rate.perMs } : state;
  return sooner(gate, amend(shared, { rate, state: retimed }), moment);
}

/** Where the next pass has become due sooner, by a larger share or a higher rate. */
function sooner(before: GateRecord, after: GateRecord, moment: Moment): GateRecord {
  const { state } = after;
  if (state.kind !== 'gliding' && state.kind !== 'ramping') return after;
  const factor = gapMsIn(after, moment) / gapMsIn(before, moment);
  const waitMs = state.nextMonoMs - moment.nowMonoMs;
  if (!(factor < 1) || waitMs <= 0) return after;
  return amend(after, { state: { ...state, nextMonoMs: moment.nowMonoMs + factor * waitMs } });
}

function gapMsIn(gate: GateRecord, moment: Moment): number {
  const { state } = gate;
  if (state.kind === 'gliding') return 1 / paceOf(gate, state);
  return state.kind === 'ramping' ? rampGapMs(gate, state, moment) : 0;
}

function heldElsewhere(gate: GateRecord, { moment }: Told, { forMs, hintMs }: Hint): GateRecord {
  const { nowMonoMs } = moment;
  const untilMonoMs = nowMonoMs + forMs;
  const base = isElsewhere(gate) ? letGo(gate, nowMonoMs) : gate;
  // What went there and back takes its time: the same hold comes back as one that is a little longer.
  if (base.state.kind === 'held' && untilMonoMs <= base.state.untilMonoMs + MESSAGE_MS) {
    return base.state.untilMonoMs > nowMonoMs ? gate : held(base, { untilMonoMs, because: 'store' });
  }
  return amend(held(base, { untilMonoMs, because: 'store' }), {
    lastHintMs: hintMs,
    rate: rateAfterLimit(gate, moment, hintMs),
  });
}

interface Hint {
  readonly forMs: number;
  readonly hintMs: number;
}

function isElsewhere({ state }: GateRecord): boolean {
  return state.kind === 'held' && state.because === 'probe-elsewhere';
}

function isAskingAboutScope({ state }: GateRecord): boolean {
  return state.kind === 'asking' && state.about === 'scope';
}

/** To be asked about again: somebody has to probe. */
function over(gate: GateRecord, nowMonoMs: number): GateRecord {
  if (isElsewhere(gate)) return letGo(gate, nowMonoMs);
  return held(gate, { untilMonoMs: nowMonoMs, because: 'probe-elsewhere' });
}

/** Somebody's probe was accepted: whoever waits for that joins the release, each at an instant of his own. */
function released(gate: GateRecord, event: Told): GateRecord {
  const { state } = gate;
  const { nowMonoMs } = event.moment;
  if (state.kind === 'gliding') return atPace(gate, state, event);
  const waits = state.kind === 'asking' || isElsewhere(gate);
  const isDue = state.kind === 'held' && state.untilMonoMs <= nowMonoMs;
  if (!waits && !isDue) return gate;
  const rate = rateToGoBy(gate, event);
  const base = amend(gate, { rate });
  return amend(base, { state: joined(base, rate, event), failures: 0, limitedProbes: 0 });
}

function rateToGoBy({ rate, lastHintMs }: GateRecord, { word, moment }: Told): LearnedRate | undefined {
  if (rate !== undefined && isTelling(rate) && moment.nowMonoMs < rate.freshUntilMonoMs)
    return concluded(rate);
  const { perSecond } = word;
  if (perSecond === undefined) return undefined;
  // A server that says "in h" has one more served by then: nobody has learned less than that.
  const leastPerMs = 1 / Math.max(LEAST_HINT_MS, lastHintMs);
  return adopted(Math.max(perSecond / 1000, leastPerMs), moment.nowMonoMs);
}

function joined(gate: GateRecord, rate: LearnedRate | undefined, { moment, roll }: Told): GateState {
  const { nowMonoMs } = moment;
  if (rate === undefined) {
    const ramp: Ramping = { kind: 'ramping', sinceMonoMs: nowMonoMs, accepted: 1, nextMonoMs: nowMonoMs };
    return { ...ramp, nextMonoMs: nowMonoMs + roll * rampGapMs(gate, ramp, moment) };
  }
  const { share } = gate;
  const glide = glidingAfter({ sinceMonoMs: nowMonoMs, sentMonoMs: nowMonoMs, share }, rate, moment);
  return { ...glide, nextMonoMs: nowMonoMs + roll / paceOf(gate, glide) };
}

/** Another has made a step: it is everybody's. */
function atPace(gate: GateRecord, glide: Gliding, { word, moment }: Told): GateRecord {
  const perMs = (word.perSecond ?? 0) / 1000;
  if (perMs <= glide.perMs) return gate;
  const { accepted, steps } = glide;
  const stepped = { perMs, steps: steps + 1, acceptedAtStep: accepted, steppedMonoMs: moment.nowMonoMs };
  return amend(gate, { state: { ...glide, ...stepped } });
}

const LEAST_HINT_MS = 60_000;
const SHARE_FRESH_MS = 5_000;
const MESSAGE_MS = 50;
const MOST_NEWCOMER_WAIT_MS = 250;
