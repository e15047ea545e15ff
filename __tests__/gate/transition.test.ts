import { describe, expect, test } from '@jest/globals';
import type { GateEvent, Limited, PassFacts, Returned } from '../../lib/gate/gate-event';
import { UNKNOWN_GATE } from '../../lib/gate/gate-record';
import type { GateRecord } from '../../lib/gate/gate-record';
import type { GateSettings, GateState } from '../../lib/gate/gate-state';
import type { LearnedRate } from '../../lib/gate/rate';
import { answered, emptied, letGo, transition } from '../../lib/gate/transition';

const SETTINGS: GateSettings = {
  jitter: 0,
  backoffMs: (k) => 1000 * 2 ** (k - 1),
  maxHoldMs: 3_600_000,
  storeTimeoutMs: 500,
};

const NOW = 10_000;
const moment = (nowMonoMs = NOW, waiting = 5) => ({ nowMonoMs, waiting, headSinceMonoMs: nowMonoMs - 100 });

const RATE: LearnedRate = {
  perMs: 0.02,
  mostPerMs: 0.04,
  burst: 10,
  burstPerMs: 0.04,
  burstShare: 0.9,
  shape: 'unknown',
  samples: [{ accepted: 40, tookMs: 1000, endedMonoMs: 5000, hintMs: 1000, waitMs: 1000 }],
  freshUntilMonoMs: 300_000,
  rampAccepted: 40,
  priceFactor: 1,
  provisional: false,
  open: undefined,
};

const STATES = {
  open: { kind: 'open', accepted: 4, paidUntilMonoMs: NOW, rush: { sinceMonoMs: 9000, accepted: 12 } },
  held: { kind: 'held', untilMonoMs: 12_000, because: 'hint', roll: 0 },
  'held, over': { kind: 'held', untilMonoMs: NOW, because: 'hint', roll: 0 },
  asking: { kind: 'asking', about: 'lease', untilMonoMs: 10_500 },
  'asking, too long': { kind: 'asking', about: 'lease', untilMonoMs: NOW },
  meeting: { kind: 'asking', about: 'scope', untilMonoMs: 10_500 },
  'meeting, too long': { kind: 'asking', about: 'scope', untilMonoMs: NOW },
  probing: { kind: 'probing', sinceMonoMs: 9000, leases: 0 },
  'probing, leased': { kind: 'probing', sinceMonoMs: 9000, leases: 2, leaseUntilMonoMs: 14_000 },
  'probing, lease over': { kind: 'probing', sinceMonoMs: 9000, leases: 2, leaseUntilMonoMs: NOW },
  ramping: { kind: 'ramping', sinceMonoMs: 9000, accepted: 20, nextMonoMs: NOW },
  gliding: {
    kind: 'gliding',
    sinceMonoMs: 9000,
    accepted: 20,
    cycle: { sinceMonoMs: 9000, taken: 21 },
    cycles: 0,
    nextMonoMs: NOW,
    perMs: 0.019,
    bursting: false,
    provenPerMs: 0,
    steps: 0,
    acceptedAtStep: 0,
    steppedMonoMs: 9000,
  },
} satisfies Record<string, GateState>;
type StateName = keyof typeof STATES;

const gateIn = (state: StateName, more: Partial<GateRecord> = {}): GateRecord => ({
  ...UNKNOWN_GATE,
  state: STATES[state],
  epoch: 3,
  inFlight: 4,
  inFlightOfEpoch: 2,
  movedMonoMs: NOW,
  smoothedMs: 100,
  ...more,
});

const pass = (more: Partial<PassFacts> = {}): PassFacts => {
  return { epoch: 3, lease: undefined, stalls: 0, sentMonoMs: NOW - 100, fresh: false, ...more };
};
const PROBE = pass({ lease: 2 });

const returned = (answer: Returned['answer'], more: Partial<Returned> = {}): Returned => {
  return { kind: 'returned', answer, pass: pass(), receivedMonoMs: NOW, moment: moment(), roll: 0, ...more };
};
const limited = (more: Partial<Limited> = {}): Limited => {
  return {
    kind: 'limited',
    pass: pass(),
    hintMs: 5000,
    receivedMonoMs: NOW,
    roll: 0,
    moment: moment(),
    ...more,
  };
};
const apply = (gate: GateRecord, event: GateEvent | Change, settings = SETTINGS): GateRecord =>
  typeof event === 'function' ? event(gate, NOW) : transition(gate, event, settings);
type Change = typeof emptied;

describe('the states and what leads from one to another', () => {
  const asked: GateEvent = { kind: 'asked', moment: moment() };
  const heldFor = (ms: number) => ({ kind: 'held', untilMonoMs: NOW + ms });
  const rows: [StateName, string, GateEvent | Change, object][] = [
    ['open', 'asked', asked, STATES.open],
    ['held', 'asked', asked, STATES.held],
    ['held, over', 'asked', asked, { kind: 'asking', untilMonoMs: NOW + 500 }],
    ['asking', 'asked', asked, STATES.asking],
    ['asking, too long', 'asked', asked, { kind: 'probing', leases: 0 }],
    ['probing, leased', 'asked', asked, STATES['probing, leased']],
    ['probing, lease over', 'asked', asked, { kind: 'probing', leases: 2, leaseUntilMonoMs: undefined }],
    ['asking', 'unanswered', answered, { kind: 'probing', sinceMonoMs: NOW }],
    ['ramping', 'unanswered', answered, STATES.ramping],
    ['meeting, too long', 'asked', asked, { kind: 'open', accepted: 0 }],
    [
      'probing',
      'a pass taken',
      { kind: 'taken', moment: moment() },
      { leases: 1, leaseUntilMonoMs: NOW + 5000 },
    ],
    [
      'ramping',
      'a pass taken',
      { kind: 'taken', moment: moment() },
      { kind: 'ramping', nextMonoMs: NOW + 100 / 5 },
    ],
    [
      'gliding',
      'a pass taken',
      { kind: 'taken', moment: moment() },
      { kind: 'gliding', nextMonoMs: NOW + 1 / 0.019 },
    ],

    [
      'probing, leased',
      'the probe accepted',
      returned('accepted', { pass: PROBE }),
      { kind: 'ramping', accepted: 1 },
    ],
    ['probing, leased', 'the probe failed', returned('failed', { pass: PROBE }), heldFor(1000)],
    [
      'probing, leased',
      'the probe unjudged',
      returned('unjudged', { pass: PROBE }),
      { leaseUntilMonoMs: undefined },
    ],
    [
      'probing, leased',
      'an earlier probe accepted',
      returned('accepted', { pass: pass({ lease: 1 }) }),
      STATES['probing, leased'],
    ],
    [
      'probing, leased',
      'an earlier probe failed',
      returned('failed', { pass: pass({ lease: 1 }) }),
      STATES['probing, leased'],
    ],
    [
      'probing, leased',
      'a pass of an earlier epoch accepted',
      returned('accepted', { pass: pass({ epoch: 2 }) }),
      STATES['probing, leased'],
    ],
    [
      'held',
      'a pass of an earlier epoch accepted',
      returned('accepted', { pass: pass({ epoch: 2 }) }),
      STATES.held,
    ],
    ['ramping', 'an accept', returned('accepted'), { kind: 'ramping', accepted: 21 }],
    [
      'ramping',
      'an accept of an earlier epoch',
      returned('accepted', { pass: pass({ epoch: 2 }) }),
      STATES.ramping,
    ],
    ['ramping', 'a failure', returned('failed'), STATES.ramping],
    ['gliding', 'an accept', returned('accepted'), { kind: 'gliding', accepted: 21 }],
    ['open', 'an accept', returned('accepted'), { kind: 'open', accepted: 5, paidUntilMonoMs: NOW - 2.5 }],
    ['open', 'a failure', returned('failed'), STATES.open],

    ['open', 'a limit', limited(), heldFor(5000)],
    [
      'open',
      'a limit without a hint',
      limited({ hintMs: undefined }),
      { ...heldFor(1000), because: 'own-backoff' },
    ],
    ['open', 'a limit of zero', limited({ hintMs: 0 }), heldFor(0)],
    ['held', 'a longer limit', limited(), { kind: 'held', untilMonoMs: 15_000 }],
    ['held', 'a shorter limit', limited({ hintMs: 100 }), STATES.held],
    ['asking', 'a limit', limited({ pass: pass({ epoch: 2 }) }), heldFor(5000)],
    ['probing, leased', 'a limit of an earlier epoch', limited({ pass: pass({ epoch: 2 }) }), heldFor(5000)],
    ['probing, leased', 'the probe limited', limited({ pass: PROBE, hintMs: 100 }), heldFor(1000)],
    ['ramping', 'a limit', limited(), heldFor(5000)],
    ['ramping', 'a limit of an earlier epoch', limited({ pass: pass({ epoch: 1 }) }), heldFor(5000)],
    ['gliding', 'a limit heard of', limited({ pass: undefined }), heldFor(5000)],

    [
      'open',
      'closed from outside',
      { kind: 'closed', untilMonoMs: 11_000, because: 'by-hand', why: 'x' },
      { ...heldFor(1000), why: 'x' },
    ],
    ['held', 'closed for less', { kind: 'closed', untilMonoMs: 11_000, because: 'store' }, STATES.held],
    [
      'gliding',
      'a quota spent',
      { kind: 'closed', untilMonoMs: 13_000, because: 'quota-spent', roll: 0.5 },
      { ...heldFor(3000), because: 'quota-spent', roll: 0.5 },
    ],
    ['held', 'released by hand', letGo, heldFor(0)],
    ['ramping', 'released by hand', letGo, STATES.ramping],
    ['ramping', 'nobody waiting', emptied, { kind: 'open', accepted: 20 }],
    ['gliding', 'nobody waiting', emptied, { kind: 'open', accepted: 20 }],
    ['held', 'nobody waiting', emptied, STATES.held],
    ['probing, leased', 'nobody waiting', emptied, STATES['probing, leased']],
  ];

  test.each(rows)('%s, %s', (state, _, event, expected) => {
    const before = Object.freeze(gateIn(state));
    expect(apply(before, event).state).toMatchObject(expected);
  });

  test('a limit without a hint lasts until a quota is renewed that its answer calls spent; a hint takes precedence', () => {
    const quota = [{ remaining: 0, resetMs: 7000 }];
    const held = apply(gateIn('open'), limited({ hintMs: undefined, quota }));
    expect(held.state).toMatchObject({ untilMonoMs: NOW + 7000, because: 'quota-spent' });
    expect(apply(gateIn('open'), limited({ hintMs: 2000, quota })).state).toMatchObject({
      untilMonoMs: NOW + 2000,
    });
  });

  test('a pass that is taken uses up what a server said is left', () => {
    const quotas = [{ remaining: 5, left: 2, untilMonoMs: 20_000, renewedMonoMs: 20_000, saidToMonoMs: 0 }];
    expect(apply(gateIn('open', { quotas }), { kind: 'taken', moment: moment() }).quotas[0]?.left).toBe(1);
  });

  test('a hold begins an epoch, and one that is prolonged stays in it', () => {
    const held = apply(gateIn('ramping'), limited());
    expect(held).toMatchObject({ epoch: 4, inFlight: 3, inFlightOfEpoch: 0 });
    expect(apply(held, limited({ hintMs: 9000 }))).toMatchObject({ epoch: 4, inFlight: 2 });
  });

  test('the third failure in a row of a release asks again, after own backoff; an accept in between counts anew', () => {
    const fail = (gate: GateRecord) => apply(gate, returned('failed'));
    const twice = fail(fail(gateIn('ramping')));
    expect(twice.state.kind).toBe('ramping');
    expect(fail(twice).state).toMatchObject({ kind: 'held', untilMonoMs: NOW + 1000, because: 'failures' });
    expect(fail(apply(twice, returned('accepted'))).state.kind).toBe('ramping');
  });

  test('limited probes in a row trust the hint less each time, up to half a minute; an accepted one counts anew', () => {
    const patient = { ...SETTINGS, backoffMs: () => 0 };
    const probe = (limitedProbes: number, hintMs: number) =>
      apply(gateIn('probing, leased', { limitedProbes }), limited({ pass: PROBE, hintMs }), patient);
    const holdMs = ({ state }: GateRecord) => (state.kind === 'held' ? state.untilMonoMs - NOW : undefined);
    expect([0, 1, 2, 20].map((before) => holdMs(probe(before, 1000)))).toEqual([1000, 1500, 2250, 30_000]);
    expect(holdMs(probe(5, 60_000))).toBe(60_000);
    const accepted = apply(
      gateIn('probing, leased', { limitedProbes: 4 }),
      returned('accepted', { pass: PROBE }),
    );
    expect(accepted.limitedProbes).toBe(0);
  });

  test('a probe that failed several times waits by own backoff of that count', () => {
    const state = apply(
      gateIn('probing, leased', { failures: 2 }),
      returned('failed', { pass: PROBE }),
    ).state;
    expect(state).toMatchObject({ kind: 'held', untilMonoMs: NOW + 4000 });
  });

  test('no answer holds longer than the longest hold', () => {
    const state = apply(gateIn('open'), limited({ hintMs: 86_400_000 })).state;
    expect(state).toMatchObject({ untilMonoMs: NOW + 3_600_000 });
  });

  test('jitter adds 30 ms and a share of the hint, half a minute at most; own backoff grows by up to half', () => {
    const settings = { ...SETTINGS, jitter: 0.1 };
    const holdMs = (hintMs: number | undefined, roll: number) => {
      const { state } = apply(gateIn('open'), limited({ hintMs, roll }), settings);
      return state.kind === 'held' ? state.untilMonoMs - NOW : undefined;
    };
    expect(holdMs(5000, 0)).toBe(5030);
    expect(holdMs(5000, 0.5)).toBe(5280);
    expect(holdMs(1_000_000, 1)).toBe(1_030_030);
    expect(holdMs(undefined, 1)).toBe(1500);
  });

  test('all limits of a hold share one roll', () => {
    const settings = { ...SETTINGS, jitter: 0.1 };
    const first = apply(gateIn('open'), limited({ roll: 0 }), settings);
    expect(apply(first, limited({ roll: 1 }), settings).state).toMatchObject({ untilMonoMs: NOW + 5030 });
  });

  test('passes that hang count no more after the length of a lease, and do not count when they come back', () => {
    const stalled = apply(gateIn('ramping'), { kind: 'asked', moment: moment(NOW + 5000) });
    expect(stalled).toMatchObject({ inFlight: 4, inFlightOfEpoch: 0, stalls: 1 });
    expect(apply(stalled, returned('accepted'))).toMatchObject({ inFlight: 3, inFlightOfEpoch: 0 });
    expect(apply(gateIn('ramping'), { kind: 'asked', moment: moment(NOW + 4999) }).stalls).toBe(0);
  });
});

describe('what a gate remembers', () => {
  test('is unproven after a hold, until a new operation is accepted', () => {
    const held = apply(gateIn('open'), limited());
    expect(held.unproven).toBe(true);
    const probing = { ...held, state: STATES['probing, leased'] };
    const probe = pass({ epoch: 4, lease: 2 });
    expect(apply(probing, returned('accepted', { pass: probe })).unproven).toBe(true);
    expect(apply(probing, returned('accepted', { pass: { ...probe, fresh: true } })).unproven).toBe(false);
  });

  test('smooths the time of accepted exchanges alone', () => {
    expect(apply(gateIn('open', { smoothedMs: undefined }), returned('accepted')).smoothedMs).toBe(100);
    const slow = pass({ sentMonoMs: NOW - 200 });
    expect(apply(gateIn('open'), returned('accepted', { pass: slow })).smoothedMs).toBeCloseTo(120);
    expect(apply(gateIn('open'), returned('failed', { pass: slow })).smoothedMs).toBe(100);
    expect(apply(gateIn('open'), limited({ pass: slow })).smoothedMs).toBe(100);
  });

  test('learns a rate from a limit of its own epoch that met a release', () => {
    const rateAfter = (gate: GateRecord, event = limited()) => apply(gate, event).rate;
    expect(rateAfter(gateIn('ramping'))?.samples).toEqual([
      { accepted: 20, tookMs: 1000, endedMonoMs: NOW, hintMs: 5000, waitMs: 5000 },
    ]);
    expect(rateAfter(gateIn('gliding'))?.samples).toHaveLength(1);
    expect(rateAfter(gateIn('ramping'), limited({ pass: pass({ epoch: 2 }) }))).toBeUndefined();
    expect(rateAfter(gateIn('ramping'), limited({ pass: undefined }))).toBeUndefined();
    expect(rateAfter(gateIn('held'))).toBeUndefined();
    expect(rateAfter(gateIn('probing, leased'), limited({ pass: PROBE }))).toBeUndefined();
  });

  test('learns something provisional from a rush at an open gate, when somebody waits', () => {
    expect(apply(gateIn('open'), limited()).rate).toMatchObject({ provisional: true });
    expect(apply(gateIn('open'), limited({ moment: moment(NOW, 0) })).rate).toBeUndefined();
  });

  test('forgets a rush that was accepted next to nothing of, when a probe is accepted', () => {
    const few = { ...STATES.open, rush: { sinceMonoMs: 9000, accepted: 9 } };
    const { rate } = apply({ ...gateIn('open'), state: few }, limited());
    const probed = apply(gateIn('probing, leased', { rate }), returned('accepted', { pass: PROBE }));
    expect([probed.rate, probed.state.kind]).toEqual([undefined, 'ramping']);
  });

  test('counts an accept that was under way when the limit came for the rate, and for nothing else', () => {
    const held = apply(gateIn('ramping'), limited());
    const late = apply(held, returned('accepted', { pass: pass({ epoch: 3 }) }));
    expect(late.rate?.samples[0]?.accepted).toBe(21);
    expect(late.state).toBe(held.state);
  });

  test('glides after a probe while the rate is fresh, and ramps when it has gone stale', () => {
    const event = returned('accepted', { pass: PROBE });
    expect(apply(gateIn('probing, leased', { rate: RATE }), event).state).toMatchObject({
      kind: 'gliding',
      perMs: 0.019,
    });
    const stale = { ...RATE, freshUntilMonoMs: NOW };
    expect(apply(gateIn('probing, leased', { rate: stale }), event).state.kind).toBe('ramping');
  });

  test('forgets a stale rate when it is asked at an open gate', () => {
    const stale = { ...RATE, freshUntilMonoMs: NOW };
    expect(apply(gateIn('open', { rate: stale }), { kind: 'asked', moment: moment() }).rate).toBeUndefined();
  });

  test('glides from an open gate when a queue forms at a known rate', () => {
    const paid = { ...STATES.open, paidUntilMonoMs: NOW + 5000 };
    const gate = { ...gateIn('open', { rate: RATE }), state: paid };
    expect(apply(gate, { kind: 'asked', moment: moment() }).state.kind).toBe('gliding');
    expect(apply(gateIn('open', { rate: RATE }), { kind: 'asked', moment: moment() }).state.kind).toBe(
      'open',
    );
  });

  test('keeps the rate for five minutes after the queue is empty, or three hints when these are longer', () => {
    const rateAfter = (lastHintMs: number) =>
      emptied(gateIn('gliding', { rate: { ...RATE, priceFactor: 9 }, lastHintMs }), NOW).rate;
    expect(rateAfter(1000)).toMatchObject({ freshUntilMonoMs: NOW + 300_000, priceFactor: 1 });
    expect(rateAfter(200_000)).toMatchObject({ freshUntilMonoMs: NOW + 600_000 });
  });
});
