import { describe, expect, test } from '@jest/globals';
import type { GateEvent } from '../../lib/gate/gate-event';
import { UNKNOWN_GATE } from '../../lib/gate/gate-record';
import type { GateRecord } from '../../lib/gate/gate-record';
import type { GateSettings, GateState, Moment } from '../../lib/gate/gate-state';
import { glideCap } from '../../lib/gate/glide';
import { quotasAfter } from '../../lib/gate/quota';
import { rampCap, rampGapMs } from '../../lib/gate/ramp';
import type { LearnedRate } from '../../lib/gate/rate';
import { roomAt } from '../../lib/gate/release';
import type { GateStand, GateWord } from '../../lib/store/gate-store';
import { transition } from '../../lib/gate/transition';
import { met, told as afterWord } from '../../lib/store/told';
import type { Told } from '../../lib/store/told';

const NOW = 10_000;
const SETTINGS: GateSettings = {
  jitter: 0,
  backoffMs: () => 1000,
  maxHoldMs: 3_600_000,
  storeTimeoutMs: 100,
};

const moment = (waiting = 5): Moment => ({ nowMonoMs: NOW, waiting, headSinceMonoMs: NOW });

const told = (gate: GateStand, more: Partial<GateWord> = {}, roll = 0.5): Told => {
  return { word: { gate, members: 1, ...more }, moment: moment(), roll };
};

const RATE: LearnedRate = {
  ...{ perMs: 0.02, mostPerMs: 0.1, burst: 0, burstPerMs: 0.02, burstShare: 0.9 },
  shape: 'unknown',
  samples: [{ accepted: 16, tookMs: 500, endedMonoMs: 5000, hintMs: 1000, waitMs: 1000 }],
  ...{ freshUntilMonoMs: 300_000, rampAccepted: 16, priceFactor: 1, provisional: false, open: undefined },
};

const STATES = {
  open: UNKNOWN_GATE.state,
  meeting: { kind: 'asking', about: 'scope', untilMonoMs: NOW + 100 },
  asking: { kind: 'asking', about: 'lease', untilMonoMs: NOW + 100 },
  held: { kind: 'held', untilMonoMs: NOW + 2000, because: 'hint', roll: 0 },
  'held, over': { kind: 'held', untilMonoMs: NOW, because: 'hint', roll: 0 },
  'held, earlier': { kind: 'held', untilMonoMs: NOW - 500, because: 'hint', roll: 0 },
  elsewhere: { kind: 'held', untilMonoMs: NOW + 5000, because: 'probe-elsewhere', roll: 0 },
  probing: { kind: 'probing', sinceMonoMs: NOW, leases: 1, leaseUntilMonoMs: NOW + 5000 },
  ramping: { kind: 'ramping', sinceMonoMs: 9000, accepted: 20, nextMonoMs: NOW },
  gliding: {
    ...{ kind: 'gliding', sinceMonoMs: 9000, accepted: 16, cycles: 0, nextMonoMs: NOW, perMs: 0.019 },
    cycle: { sinceMonoMs: 9000, taken: 17 },
    ...{ bursting: false, provenPerMs: 0, steps: 0, acceptedAtStep: 0, steppedMonoMs: 9000 },
  },
} satisfies Record<string, GateState>;
type StateName = keyof typeof STATES;

const gateIn = (state: StateName, more: Partial<GateRecord> = {}): GateRecord => {
  return Object.freeze({ ...UNKNOWN_GATE, state: STATES[state], epoch: 3, smoothedMs: 80, ...more });
};
const after = (state: StateName, event: Told, more: Partial<GateRecord> = {}): GateRecord =>
  afterWord(gateIn(state, more), event, SETTINGS);

describe('a scope that is new here', () => {
  test('is asked about, unless it is known to be held', () => {
    expect(met(gateIn('open'), NOW + 100).state).toEqual({
      ...{ kind: 'asking', about: 'scope', untilMonoMs: NOW + 100 },
    });
    expect(met(gateIn('held'), NOW + 100).state).toBe(STATES.held);
  });
});

describe('what a store says, state by state', () => {
  const held: GateStand = { kind: 'held', forMs: 8000, hintMs: 7000 };
  const heldByStore = { kind: 'held', untilMonoMs: NOW + 8000, because: 'store' };
  const over: GateStand = { kind: 'over' };
  const probed: GateStand = { kind: 'probed', forMs: 3000 };
  const released: GateStand = { kind: 'released' };
  const letGo: GateStand = { kind: 'let-go' };
  const rows: [GateStand, Partial<Record<StateName, object>>][] = [
    [
      held,
      {
        ...{ open: heldByStore, meeting: heldByStore, asking: heldByStore, probing: heldByStore },
        ...{ ramping: heldByStore, gliding: heldByStore, elsewhere: heldByStore },
        held: { kind: 'held', untilMonoMs: NOW + 8000 },
      },
    ],
    [
      { ...held, forMs: 1000 },
      { held: STATES.held, elsewhere: { untilMonoMs: NOW + 1000, because: 'store' } },
    ],
    // The hold that this client has told of itself, as it comes back.
    [{ ...held, forMs: 2004 }, { held: STATES.held }],
    [over, { meeting: { kind: 'held', untilMonoMs: NOW }, elsewhere: { kind: 'held', untilMonoMs: NOW } }],
    [over, { open: STATES.open, held: STATES.held, asking: STATES.asking, probing: STATES.probing }],
    [probed, { meeting: { untilMonoMs: NOW + 3000, because: 'probe-elsewhere' } }],
    [probed, { asking: { untilMonoMs: NOW + 3000, because: 'probe-elsewhere' }, probing: STATES.probing }],
    [
      { kind: 'yours', generation: 1 },
      { asking: { kind: 'probing', sinceMonoMs: NOW }, ramping: STATES.ramping },
    ],
    [{ kind: 'unknown' }, { meeting: { kind: 'open' }, asking: { kind: 'probing' }, held: STATES.held }],
    [released, { meeting: { kind: 'ramping' }, asking: { kind: 'ramping' }, elsewhere: { kind: 'ramping' } }],
    [released, { 'held, over': { kind: 'ramping' }, held: STATES.held, probing: STATES.probing }],
    [released, { open: STATES.open, gliding: STATES.gliding, ramping: STATES.ramping }],
    [letGo, { 'held, earlier': STATES['held, earlier'] }],
    [letGo, { held: { kind: 'held', untilMonoMs: NOW }, open: STATES.open, gliding: STATES.gliding }],
  ];
  const cases = rows.flatMap(([stand, byState]) =>
    Object.entries(byState).map(
      ([state, expected]) => [stand.kind, state as StateName, stand, expected] as const,
    ),
  );

  test.each(cases)('%s, to a gate that is %s', (_, state, stand, expected) => {
    expect(after(state, told(stand)).state).toMatchObject(expected);
  });

  test('no store holds a gate longer than any answer may', () => {
    const { state } = after('open', told({ kind: 'held', forMs: 1e12, hintMs: 1e12 }));
    expect(state).toMatchObject({ untilMonoMs: NOW + SETTINGS.maxHoldMs });
  });
});

describe('a release that another has begun', () => {
  const released: GateStand = { kind: 'released' };

  test('is joined by the own rate where there is one, by the told one else, and blindly without', () => {
    expect(after('asking', told(released), { rate: RATE }).state).toMatchObject({
      kind: 'gliding',
      perMs: 0.019,
    });
    expect(after('asking', told(released, { perSecond: 30 })).state).toMatchObject({
      kind: 'gliding',
      perMs: 0.03,
    });
    expect(after('asking', told(released)).state).toMatchObject({ kind: 'ramping', accepted: 1 });
  });

  test('is joined by each at an instant of his own within the gap between two of his passes', () => {
    const joinAt = (roll: number, members: number): object =>
      after('asking', told(released, { perSecond: 20, members }, roll)).state;
    expect(joinAt(0, 8)).toMatchObject({ nextMonoMs: NOW });
    expect(joinAt(0.5, 8)).toMatchObject({ nextMonoMs: NOW + 200 });
    expect(joinAt(0.5, 1)).toMatchObject({ nextMonoMs: NOW + 25 });
  });

  test('goes on faster for everybody when one has made a step, and not slower', () => {
    const faster = after('gliding', told(released, { perSecond: 25 })).state;
    expect(faster).toMatchObject({ perMs: 0.025, steps: 1, steppedMonoMs: NOW });
    expect(after('gliding', told(released, { perSecond: 15 })).state).toEqual(STATES.gliding);
  });

  test('teaches the rate from what all together were accepted', () => {
    const lastRelease = { accepted: 60, tookMs: 2000 };
    const joined = after('asking', told(released, { members: 4, lastRelease }), { rate: RATE, share: 0.25 });
    expect(joined.rate?.samples).toEqual([{ ...RATE.samples[0], ...lastRelease }]);
    expect(joined.rate?.perMs).toBeCloseTo(60 / 3000);
    const alone = after('asking', told(released, { members: 1, lastRelease }), { rate: RATE });
    expect(alone.rate?.perMs).toBe(RATE.perMs);
  });

  test('that a hold elsewhere ends teaches as if the limit had been met here', () => {
    const held = told({ kind: 'held', forMs: 1100, hintMs: 1000 });
    const { rate, lastHintMs } = after('ramping', held);
    expect(lastHintMs).toBe(1000);
    expect(rate?.samples).toEqual([
      { accepted: 20, tookMs: 1000, endedMonoMs: NOW, hintMs: 1000, waitMs: 1000 },
    ]);
  });
});

describe('a share', () => {
  const shared = (state: StateName, more: Partial<GateRecord> = {}): GateRecord =>
    gateIn(state, { share: 1 / 8, shareUntilMonoMs: NOW + 1, ...more });

  test('follows the number of those who share', () => {
    expect(after('open', told({ kind: 'unknown' }, { members: 8 })).share).toBe(1 / 8);
    expect(after('open', told({ kind: 'unknown' }, { members: 2 }), { share: 1 / 8 }).share).toBe(1 / 2);
    expect(after('open', told({ kind: 'unknown' }), { share: 1 / 8 }).share).toBe(1);
  });

  test('divides what may be in flight and lengthens the gaps, so that the sum stays what it was', () => {
    const ramp = { sinceMonoMs: 9000, accepted: 500 };
    expect(rampCap(gateIn('ramping'), ramp, moment(0))).toBe(53);
    expect(rampCap(shared('ramping'), ramp, moment(0))).toBe(6);
    expect(rampGapMs(shared('ramping'), ramp, moment(0))).toBeCloseTo(
      8 * rampGapMs(gateIn('ramping'), ramp, moment(0)),
    );
    expect(glideCap(shared('gliding', { rate: RATE }), STATES.gliding, moment(0))).toBe(1);
  });

  test('lets at least one be in flight however many they are', () => {
    expect(rampCap(gateIn('ramping', { share: 1e-4 }), { sinceMonoMs: NOW, accepted: 1 }, moment(0))).toBe(1);
  });

  test('divides the burst of strangers who come together, for a few seconds', () => {
    const rush = { sinceMonoMs: NOW, accepted: 0 };
    const open: GateState = { kind: 'open', accepted: 0, paidUntilMonoMs: NOW + 41, rush };
    const roomOf = (more: Partial<GateRecord>): string =>
      roomAt({ ...shared('open', more), state: open }, moment(3), SETTINGS).kind;
    expect(roomOf({})).toBe('not-before');
    expect(roomOf({ shareUntilMonoMs: NOW })).toBe('room');
  });

  test('counts an accepted answer for all, as one of as many as share', () => {
    const pass = { epoch: 3, stalls: 0, sentMonoMs: NOW - 80, fresh: false };
    const event: GateEvent = {
      ...{ kind: 'returned', answer: 'accepted', pass, receivedMonoMs: NOW, moment: moment(), roll: 0 },
    };
    const accepted = transition(shared('ramping'), event, SETTINGS);
    expect(accepted).toMatchObject({ state: { accepted: 28 }, accepts: 1 });
    expect(transition(shared('open'), event, SETTINGS)).toMatchObject({ state: { accepted: 8 }, accepts: 0 });
  });

  test('leaves the others their part of a quota that the server has told', () => {
    const observed = {
      receivedMonoMs: NOW,
      sentMonoMs: NOW,
      inFlight: 1,
      news: [{ remaining: 20, resetMs: 1000 }],
    };
    expect(quotasAfter([], { ...observed, share: 1 / 4 })).toMatchObject([{ remaining: 20, left: 4 }]);
  });
});
