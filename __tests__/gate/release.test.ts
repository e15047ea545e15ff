import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CAUTION, estimateOf, shapeAfter, slopeBetween } from '../../lib/gate/estimate';
import type { Sample } from '../../lib/gate/estimate';
import { UNKNOWN_GATE } from '../../lib/gate/gate-record';
import type { GateRecord } from '../../lib/gate/gate-record';
import type { GateSettings, Gliding, Moment, Ramping } from '../../lib/gate/gate-state';
import { glideTaken, gliding, glidingAfter, nextCycleMonoMs } from '../../lib/gate/glide';
import { quotasAfter, quotasAfterSending, spentQuota } from '../../lib/gate/quota';
import { rampCap, rampGapMs, rampGrowsAt, spacedAfter } from '../../lib/gate/ramp';
import { concluded, isTelling, learned, moreAccepted, prolonged } from '../../lib/gate/rate';
import type { LearnedRate } from '../../lib/gate/rate';
import { roomAt } from '../../lib/gate/release';
import { glideAccepted } from '../../lib/gate/step';
import { transition } from '../../lib/gate/transition';

const SETTINGS: GateSettings = { jitter: 0, backoffMs: () => 1000, maxHoldMs: 1e9, storeTimeoutMs: 500 };
const at = (nowMonoMs: number, waiting = 300): Moment => ({ nowMonoMs, waiting, headSinceMonoMs: 0 });
const ramp = (accepted: number, more: Partial<Ramping> = {}): Ramping => {
  return { kind: 'ramping', sinceMonoMs: 0, accepted, nextMonoMs: 0, ...more };
};
const gateWith = (state: GateRecord['state'], more: Partial<GateRecord> = {}): GateRecord => {
  return { ...UNKNOWN_GATE, state, smoothedMs: 80, lastHintMs: 1000, ...more };
};

describe('a ramp', () => {
  test('has 1 + accepted in flight at first, and w0 + a tenth of what was accepted later', () => {
    const caps = [1, 2, 5, 10, 29, 30, 100, 1000].map((accepted) =>
      rampCap(gateWith(ramp(accepted)), ramp(accepted), at(0)),
    );
    expect(caps).toEqual([2, 3, 3, 4, 5, 6, 13, 103]);
  });

  test('never has more than 512 in flight', () => {
    expect(rampCap(gateWith(ramp(1e6)), ramp(1e6), at(0))).toBe(512);
  });

  test('where answers are slow allows more as time goes by, in proportion to the queue at most', () => {
    const slow = gateWith(ramp(20), { smoothedMs: 2000 });
    const capAt = (ms: number, waiting: number) => rampCap(slow, ramp(20), at(ms, waiting));
    expect([0, 1000, 2000, 4000].map((ms) => capAt(ms, 300))).toEqual([5, 8, 12, 20]);
    expect(capAt(4000, 50)).toBe(8);
    expect(rampGrowsAt(slow, ramp(20), at(0, 300))).toBe(251);
    expect([250, 251].map((ms) => capAt(ms, 300))).toEqual([5, 6]);
    expect(rampGrowsAt(slow, ramp(20), at(0, 20))).toBeUndefined();
  });

  test('sends evenly over the time of an exchange', () => {
    expect(rampGapMs(gateWith(ramp(100)), ramp(100), at(0))).toBeCloseTo(80 / 13);
  });

  test('a timer that comes late does not make all that follow late, nor a pause a burst', () => {
    expect(spacedAfter(100, at(102), 10)).toBe(110);
    expect(spacedAfter(100, at(1000), 10)).toBe(1005);
  });

  test('is full until something comes back, or has hung for the length of a lease', () => {
    const gate = gateWith(ramp(2), { inFlight: 3, inFlightOfEpoch: 3, movedMonoMs: 50 });
    expect(roomAt(gate, at(100), SETTINGS)).toEqual({ kind: 'not-before', atMonoMs: 5050 });
    expect(roomAt({ ...gate, inFlightOfEpoch: 2 }, at(100), SETTINGS)).toEqual({ kind: 'room' });
  });
});

const sample = (accepted: number, tookMs: number, waitMs: number, endedMonoMs = 10_000): Sample => {
  return { accepted, tookMs, waitMs, hintMs: waitMs, endedMonoMs };
};
const evidence = { slope: undefined, shape: 'unknown', provenPerMs: 0 } as const;

describe('an estimate', () => {
  test('is exact for a bucket that does not run over while the hold lasts', () => {
    // 20 tokens and 20/s: a hold of 1 s fills it, 2 s of release take 60.
    expect(estimateOf({ ...evidence, samples: [sample(60, 2000, 1000)] }).perMs).toBeCloseTo(0.02);
  });

  test('is exact for a fixed window of which the hold is the rest', () => {
    expect(estimateOf({ ...evidence, samples: [sample(100, 3000, 7000)] }).perMs).toBeCloseTo(0.01);
  });

  test('takes the slope between epochs of different lengths where a bucket runs over', () => {
    // 20 tokens and 40/s, hints rounded up to 1 s: 24 in 0.1 s, later 84 in 1.6 s.
    const [short, long] = [sample(24, 100, 1000), sample(84, 1600, 1000)];
    expect(slopeBetween(short, long)).toBeCloseTo(0.04);
    const { perMs, burst } = estimateOf({
      ...evidence,
      samples: [short, long],
      slope: 0.04,
      shape: 'bucket',
    });
    expect(perMs).toBeCloseTo(0.04);
    expect(burst).toBeCloseTo(20);
  });

  test('trusts no slope between epochs of the same length', () => {
    expect(slopeBetween(sample(24, 100, 1000), sample(40, 149, 1000))).toBeUndefined();
  });

  test('an epoch cut short counts together with those shortly before it', () => {
    const samples = [sample(40, 1000, 1000, 3000), sample(3, 200, 1000, 4300)];
    expect(estimateOf({ ...evidence, samples }).perMs).toBeCloseTo(43 / 3200);
  });

  test('an epoch long ago does not', () => {
    const samples = [sample(4000, 100_000, 1000, 200_000), sample(3, 200, 1000, 300_000)];
    expect(estimateOf({ ...evidence, samples }).perMs).toBeCloseTo(3 / 1200);
  });

  test('is not less than one per announced hold', () => {
    expect(
      estimateOf({ ...evidence, samples: [{ ...sample(1, 100, 60_000), hintMs: 2000 }] }).perMs,
    ).toBeCloseTo(1 / 2000);
  });

  test('is not less than what was kept up without a limit', () => {
    expect(
      estimateOf({ ...evidence, samples: [sample(40, 1000, 1000)], provenPerMs: 0.05 }).perMs,
    ).toBeCloseTo(0.05 / CAUTION);
  });
});

describe('the shape of a quota', () => {
  const facts = { shape: 'unknown', previous: sample(100, 3000, 7000), slope: undefined } as const;

  test('is a window where the same number meets the limit again at a rate that a bucket could take for ever', () => {
    expect(shapeAfter({ ...facts, sample: sample(100, 3800, 6000), phase: 'gliding' })).toBe('window');
    expect(shapeAfter({ ...facts, sample: sample(50, 3800, 6000), phase: 'gliding' })).toBe('unknown');
  });

  test('is a bucket where a longer epoch gave more in proportion, and a window where it did not', () => {
    const stepped = { ...facts, phase: 'stepped', sample: sample(160, 6000, 1000) } as const;
    expect(shapeAfter({ ...stepped, slope: 0.02 })).toBe('bucket');
    expect(shapeAfter({ ...stepped, slope: 0 })).toBe('window');
  });

  test('does not show in a burst', () => {
    expect(shapeAfter({ ...facts, shape: 'bucket', sample: sample(90, 2000, 1000), phase: 'bursting' })).toBe(
      'bucket',
    );
  });

  test('is no window any more where a cycle ends early', () => {
    const cut = { ...facts, shape: 'window', phase: 'bursting' } as const;
    expect(shapeAfter({ ...cut, sample: sample(98, 3000, 7000) })).toBe('window');
    expect(shapeAfter({ ...cut, sample: sample(9, 900, 1000) })).toBe('unknown');
  });

  test('is not guessed from a small number', () => {
    expect(
      shapeAfter({ ...facts, previous: sample(5, 100, 900), sample: sample(5, 300, 900), phase: 'gliding' }),
    ).toBe('unknown');
  });
});

const lesson = (one: Sample, phase: Parameters<typeof learned>[1]['phase']) => {
  return { sample: one, epoch: 1, phase, provenPerMs: 0 };
};

describe('a learned rate', () => {
  const ramped = learned(undefined, lesson(sample(100, 3000, 7000), 'ramping'));

  test('what came of a rush at an open gate gives way to the first real measurement', () => {
    const provisional = learned(undefined, lesson(sample(200, 500, 1000), 'open'));
    expect(provisional.provisional).toBe(true);
    const real = learned(provisional, lesson(sample(22, 700, 1000, 20_000), 'bursting'));
    expect(real).toMatchObject({ provisional: false });
    expect(real.samples).toHaveLength(1);
  });

  test('an epoch that was over before it had begun is part of the hold before it', () => {
    const merged = learned(ramped, lesson(sample(1, 100, 4000, 17_100), 'gliding'));
    expect(merged.samples).toEqual([{ ...sample(100, 3000, 7000), accepted: 101, waitMs: 11_100 }]);
  });

  test('a hold that proves longer than its hint lengthens the cycle, until a probe is accepted', () => {
    expect(prolonged(ramped, 25_000).samples).toMatchObject([{ tookMs: 3000, waitMs: 15_000 }]);
    expect(prolonged(concluded(ramped), 25_000).samples).toBe(ramped.samples);
  });

  test('an answer that was under way when the limit came counts, if it belongs to that epoch', () => {
    expect(moreAccepted(ramped, 1, 1).samples[0]?.accepted).toBe(101);
    expect(moreAccepted(ramped, 1, 1).perMs).toBeGreaterThan(ramped.perMs);
    expect(moreAccepted(ramped, 2, 1)).toBe(ramped);
    expect(moreAccepted(concluded(ramped), 1, 1).samples).toEqual(ramped.samples);
  });

  test('a rush that was accepted next to nothing of tells nothing', () => {
    const of = (accepted: number) => learned(undefined, lesson(sample(accepted, 50, 2000), 'open'));
    expect([0, 9, 10].map((accepted) => isTelling(of(accepted)))).toEqual([false, false, true]);
    expect(isTelling(learned(undefined, lesson(sample(1, 50, 2000), 'ramping')))).toBe(true);
  });

  test('a step that met a limit makes the next one dearer; a limit within a burst halves the burst', () => {
    expect(learned(ramped, lesson(sample(150, 9000, 1000), 'stepped')).priceFactor).toBe(3);
    expect(learned(ramped, lesson(sample(50, 1000, 1000), 'bursting')).burstShare).toBe(
      ramped.burstShare / 2,
    );
    expect(learned(ramped, lesson(sample(50, 1000, 1000), 'cycling')).burstShare).toBe(0);
  });

  test('keeps a bounded number of samples', () => {
    let rate: LearnedRate = ramped;
    for (let i = 0; i < 50; i += 1)
      rate = learned(rate, lesson(sample(100 + i, 3000, 7000, 1000 * i), 'gliding'));
    expect(rate.samples.length).toBeLessThanOrEqual(8);
  });
});

describe('a glide', () => {
  const bucket = (more: Partial<LearnedRate> = {}): LearnedRate => {
    return { ...learned(undefined, lesson(sample(60, 2000, 1000), 'ramping')), rampAccepted: 10, ...more };
  };
  const begin = (rate: LearnedRate): Gliding => gliding(rate, 0, 0);
  const rested = (rate: LearnedRate): Gliding =>
    glidingAfter({ sinceMonoMs: 0, sentMonoMs: 0, share: 1 }, rate, at(0));

  test('sends evenly, at 95 % of the estimate', () => {
    const gate = gateWith(begin(bucket()), { rate: bucket() });
    expect(glideTaken(gate, begin(bucket()), at(0)).nextMonoMs).toBeCloseTo(1000 / 19);
  });

  test('after a hold first sends what that saved up, as fast as it was accepted the last time', () => {
    const rate = bucket();
    const gate = gateWith(begin(rate), { rate });
    let glide = rested(rate);
    let sent = 0;
    while (glide.bursting) {
      glide = glideTaken(gate, glide, at(Math.max(0, glide.nextMonoMs)));
      sent += 1;
    }
    // 20 are saved up; 30/s come in while 19/s of the rate do.
    expect(sent).toBeGreaterThan(18);
    expect(sent).toBeLessThan(45);
  });

  test('steps faster when half a ramp was accepted and the whole queue saves more than a loss costs', () => {
    const rate = bucket({ mostPerMs: 0.2 });
    const gate = gateWith(begin(rate), { rate });
    const after = (accepts: number, waiting: number): Gliding => {
      let glide = begin(rate);
      for (let i = 0; i < accepts; i += 1) glide = glideAccepted(gate, glide, at(100, waiting));
      return glide;
    };
    expect(after(4, 300).steps).toBe(0);
    expect(after(5, 300)).toMatchObject({ steps: 1, perMs: 0.019 * 1.25 });
    expect(after(5, 3).steps).toBe(0);
  });

  test('takes a small step where a large one is sure to fail', () => {
    const rate = bucket({ mostPerMs: 0.021 });
    const gate = gateWith(begin(rate), { rate });
    let glide = begin(rate);
    for (let i = 0; i < 5; i += 1) glide = glideAccepted(gate, glide, at(100, 3000));
    expect(glide.perMs).toBeCloseTo(0.019 * 1.05);
  });

  test('does not step while it is bursting, nor at a price that losses have tripled', () => {
    const rate = bucket({ mostPerMs: 0.2, priceFactor: 81 });
    const gate = gateWith(begin(rate), { rate });
    let [bursting, dear] = [rested(rate), begin(rate)];
    for (let i = 0; i < 20; i += 1) {
      bursting = glideAccepted(gate, bursting, at(100));
      dear = glideAccepted(gate, dear, { ...at(100), headSinceMonoMs: 100 });
    }
    expect([bursting.steps, dear.steps]).toEqual([0, 0]);
  });

  test('a window takes the same number once per cycle, unless what is left fits in', () => {
    const rate: LearnedRate = {
      ...learned(undefined, lesson(sample(50, 300, 2000), 'ramping')),
      shape: 'window',
    };
    const used: Gliding = { ...rested(rate), cycle: { sinceMonoMs: 100, taken: 50 } };
    const gate = gateWith(used, { rate });
    expect(nextCycleMonoMs(gate, used, at(400, 60))).toBe(2400);
    expect(
      nextCycleMonoMs(gate, { ...used, cycle: { sinceMonoMs: 100, taken: 49 } }, at(400, 60)),
    ).toBeUndefined();
    expect(roomAt(gate, at(400, 60), SETTINGS)).toEqual({ kind: 'not-before', atMonoMs: 2400 });
  });

  test('has no more in flight than the rate needs and than may be lost to one limit', () => {
    const fast = bucket({ perMs: 1, burstPerMs: 1 });
    const gate = (inFlightOfEpoch: number) =>
      gateWith(begin(fast), { rate: fast, inFlight: inFlightOfEpoch, inFlightOfEpoch });
    const isFull = (inFlight: number, waiting: number) =>
      roomAt(gate(inFlight), at(0, waiting), SETTINGS).kind !== 'room';
    expect([114, 115].map((inFlight) => isFull(inFlight, 2000))).toEqual([false, true]);
    expect([12, 13].map((inFlight) => isFull(inFlight, 100))).toEqual([false, true]);
  });
});

describe('quota headers', () => {
  const observed = { receivedMonoMs: 1000, sentMonoMs: 900, inFlight: 3, share: 1 };

  test('leave what remains less all that is in flight, until the reset', () => {
    const quotas = quotasAfter([], { ...observed, news: [{ remaining: 10, resetMs: 5000 }] });
    expect(quotas).toEqual([
      { remaining: 10, left: 7, untilMonoMs: 6000, renewedMonoMs: 6000, saidToMonoMs: 900 },
    ]);
    expect(quotasAfterSending(quotas)[0]?.left).toBe(6);
  });

  test('of an answer that was overtaken never bring more', () => {
    const newer = quotasAfter([], { ...observed, news: [{ remaining: 5, resetMs: 5000 }] });
    const afterOvertaken = (remaining: number) =>
      quotasAfter(newer, {
        ...observed,
        sentMonoMs: 800,
        inFlight: 2,
        news: [{ remaining, resetMs: 5000 }],
      })[0]?.left;
    expect(newer[0]?.left).toBe(2);
    expect([6, 4, 3].map((remaining) => afterOvertaken(remaining))).toEqual([2, 2, 1]);
  });

  test('of those sent in one go count by what they say, not by when they come back', () => {
    const afterwards = (remaining: number) => {
      const first = quotasAfter([], { ...observed, news: [{ remaining: 5, resetMs: 5000 }] });
      return quotasAfter(first, { ...observed, inFlight: 2, news: [{ remaining, resetMs: 5000 }] })[0];
    };
    expect([7, 4].map((remaining) => afterwards(remaining)?.remaining)).toEqual([5, 4]);
    expect([7, 4].map((remaining) => afterwards(remaining)?.left)).toEqual([2, 2]);
  });

  test('let one more go when nothing is in flight and the server spoke of some', () => {
    const quotas = [{ remaining: 2, left: 0, untilMonoMs: 6000, renewedMonoMs: 6000, saidToMonoMs: 0 }];
    expect([0, 1].map((inFlight) => spentQuota(quotas, 0, inFlight)?.untilMonoMs)).toEqual([undefined, 6000]);
  });

  test('fall back on the window where no reset is said, and say nothing without either', () => {
    expect(quotasAfter([], { ...observed, news: [{ remaining: 10, windowMs: 2000 }] })[0]?.untilMonoMs).toBe(
      3000,
    );
    expect(quotasAfter([], { ...observed, news: [{ remaining: 10 }] })).toEqual([]);
    // Nor does it stand in the place of another.
    const endless = { remaining: 1 };
    const first = quotasAfter([], { ...observed, news: [endless, { remaining: 5, resetMs: 5000 }] });
    const then = { ...observed, sentMonoMs: observed.sentMonoMs + 1 };
    const second = quotasAfter(first, { ...then, news: [endless, { remaining: 4, resetMs: 5900 }] });
    expect(second).toMatchObject([{ remaining: 4, renewedMonoMs: first[0]?.renewedMonoMs }]);
  });

  test('of a window that rounds up to whole seconds end when an earlier answer said, and a length later', () => {
    const says = (remaining: number) => [{ remaining, resetMs: 2000, windowMs: 2000 }];
    const first = quotasAfter([], { receivedMonoMs: 3, sentMonoMs: 0, inFlight: 0, share: 1, news: says(9) });
    const later = quotasAfter(first, {
      receivedMonoMs: 900,
      sentMonoMs: 890,
      inFlight: 0,
      share: 1,
      news: says(1),
    });
    expect([first, later].map(([quota]) => quota?.renewedMonoMs)).toEqual([2003, 2003]);
    expect(later[0]?.untilMonoMs).toBe(2900);
    const next = quotasAfter(later, {
      receivedMonoMs: 2300,
      sentMonoMs: 2290,
      inFlight: 0,
      share: 1,
      news: says(9),
    });
    expect(next[0]?.renewedMonoMs).toBe(4003);
    const moved = quotasAfter(later, {
      receivedMonoMs: 9000,
      sentMonoMs: 8990,
      inFlight: 0,
      share: 1,
      news: [{ remaining: 1, resetMs: 5000 }],
    });
    expect(moved[0]?.renewedMonoMs).toBe(14_000);
  });

  test('close a gate when nothing is left and nothing in flight can bring better news', () => {
    const quotas = [{ remaining: 0, left: 0, untilMonoMs: 6000, renewedMonoMs: 6000, saidToMonoMs: 900 }];
    const open = gateWith(UNKNOWN_GATE.state, { quotas });
    expect(roomAt(open, at(2000), SETTINGS)).toEqual({ kind: 'spent', untilMonoMs: 6000 });
    expect(roomAt({ ...open, inFlight: 1 }, at(2000), SETTINGS)).toEqual({ kind: 'full' });
    expect(roomAt(open, at(6000, 0), SETTINGS)).toEqual({ kind: 'room' });
  });

  test('of several the one that is spent for longest decides', () => {
    const quotas = [
      { remaining: 0, left: 0, untilMonoMs: 3000, renewedMonoMs: 3000, saidToMonoMs: 0 },
      { remaining: 0, left: -1, untilMonoMs: 9000, renewedMonoMs: 9000, saidToMonoMs: 0 },
      { remaining: 5, left: 5, untilMonoMs: 20_000, renewedMonoMs: 20_000, saidToMonoMs: 0 },
    ];
    expect(spentQuota(quotas, 0, 0)?.untilMonoMs).toBe(9000);
    expect(spentQuota(quotas, 9000, 0)).toBeUndefined();
  });
});

describe('an open gate', () => {
  test('never makes a stranger wait longer than 5 ms times its place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (calls) => {
        let gate = gateWith(UNKNOWN_GATE.state);
        let nowMs = 0;
        for (let place = 0; place < calls; place += 1) {
          const moment = at(nowMs, calls - place);
          const room = roomAt(gate, moment, SETTINGS);
          if (room.kind === 'not-before') nowMs = room.atMonoMs;
          gate = transition(gate, { kind: 'taken', moment: at(nowMs, calls - place) }, SETTINGS);
          expect(nowMs).toBeLessThanOrEqual(5 * place);
        }
      }),
    );
  });
});
