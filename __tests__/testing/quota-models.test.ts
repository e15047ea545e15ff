import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  concurrencyLimit,
  fixedWindow,
  workQueue,
  noLimit,
  outage,
  slidingWindow,
  tokenBucket,
} from '../../lib/testing/index.js';
import type { Accepted, QuotaModel } from '../../lib/testing/index.js';

const kindsAt = (model: QuotaModel, instants: readonly number[]): string =>
  instants.map((atMs) => (model.admit(atMs).kind === 'accepted' ? '+' : '-')).join('');

const times = (count: number, atMs: number): number[] => Array<number>(count).fill(atMs);

const waitAt = (model: QuotaModel, atMs: number): number => {
  const admission = model.admit(atMs);
  if (admission.kind !== 'rejected') throw new Error('expected a rejection');
  return admission.waitMs;
};

const increasingInstants = fc
  .array(fc.nat(2000), { maxLength: 300 })
  .map((gaps) => gaps.reduce<number[]>((instants, gap) => [...instants, (instants.at(-1) ?? 0) + gap], []));

describe('a token bucket', () => {
  test('lets a full bucket through at once and then one per refill', () => {
    const model = tokenBucket({ capacity: 3, perSecond: 2 });
    expect(kindsAt(model, [0, 0, 0, 0, 499, 500, 500, 1000])).toBe('+++--+-+');
  });

  test('never holds more than its capacity, however long it rests', () => {
    expect(kindsAt(tokenBucket({ capacity: 2, perSecond: 1 }), times(4, 3_600_000))).toBe('++--');
  });

  test('says how long one token takes', () => {
    const model = tokenBucket({ capacity: 5, perSecond: 4, tokens: 0 });
    expect(waitAt(model, 0)).toBe(250);
    expect(waitAt(model, 100)).toBeCloseTo(150);
  });

  test('tells what is left', () => {
    const model = tokenBucket({ capacity: 10, perSecond: 5 });
    expect(model.admit(0).quota).toEqual({ limit: 10, windowMs: 2000, remaining: 9, resetMs: 200 });
  });

  test('accepts no more than capacity and refill allow, whenever it is asked', () => {
    fc.assert(
      fc.property(increasingInstants, fc.integer({ min: 1, max: 20 }), (instants, capacity) => {
        const model = tokenBucket({ capacity, perSecond: 3 });
        const accepted = instants.filter((atMs) => model.admit(atMs).kind === 'accepted');
        accepted.forEach((lastMs, last) => {
          accepted.slice(0, last + 1).forEach((firstMs, first) => {
            expect(last - first + 1).toBeLessThanOrEqual(capacity + ((lastMs - firstMs) * 3) / 1000 + 1e-6);
          });
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('a fixed window', () => {
  test('counts anew at each window', () => {
    const model = fixedWindow({ quota: 2, windowMs: 1000 });
    expect(kindsAt(model, [0, 900, 999, 1000, 1000, 1999, 5000])).toBe('++-++-+');
  });

  test('may have begun before, its quota used by others', () => {
    const model = fixedWindow({ quota: 2, windowMs: 1000, elapsedMs: 700, used: 2 });
    expect(waitAt(model, 100)).toBe(200);
    expect(kindsAt(model, [299, 300, 300, 300])).toBe('-++-');
  });

  test('tells what is left', () => {
    const model = fixedWindow({ quota: 5, windowMs: 1000 });
    expect(model.admit(250).quota).toEqual({ limit: 5, windowMs: 1000, remaining: 4, resetMs: 750 });
  });
});

describe('a sliding window', () => {
  test('frees a place when the oldest accepted request is a window old', () => {
    const model = slidingWindow({ quota: 2, windowMs: 1000 });
    expect(kindsAt(model, [0, 400, 500, 999, 1000, 1399, 1400])).toBe('++--+-+');
  });

  test('counts what others sent before it began', () => {
    const model = slidingWindow({ quota: 2, windowMs: 1000, agesMs: [300, 600] });
    expect(waitAt(model, 0)).toBe(400);
    expect(kindsAt(model, [399, 400, 699, 700])).toBe('-+-+');
  });

  test('tells what is left, and when more will be', () => {
    const model = slidingWindow({ quota: 3, windowMs: 1000 });
    model.admit(0);
    expect(model.admit(100).quota).toEqual({ limit: 3, windowMs: 1000, remaining: 1, resetMs: 900 });
  });

  test('accepts no more than the quota within any window', () => {
    fc.assert(
      fc.property(increasingInstants, fc.integer({ min: 1, max: 8 }), (instants, quota) => {
        const model = slidingWindow({ quota, windowMs: 5000 });
        const accepted = instants.filter((atMs) => model.admit(atMs).kind === 'accepted');
        for (const lastMs of accepted) {
          const within = accepted.filter((atMs) => atMs > lastMs - 5000 && atMs <= lastMs);
          expect(within.length).toBeLessThanOrEqual(quota);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a concurrency limit', () => {
  test('turns away what comes while all slots are taken', () => {
    const model = concurrencyLimit({ slots: 2, serviceMs: 100 });
    expect(kindsAt(model, [0, 50, 99, 100, 149, 150])).toBe('++-+-+');
  });

  test('says when the first slot is free, and how long it works', () => {
    const model = concurrencyLimit({ slots: 1, serviceMs: 100 });
    expect(model.admit(0)).toEqual({ kind: 'accepted', serviceMs: 100 });
    expect(waitAt(model, 30)).toBe(70);
  });
});

describe('an outage', () => {
  test('answers 503 until it ends and then as the other server', () => {
    const model = outage({ forMs: 1000, then: fixedWindow({ quota: 1, windowMs: 10_000 }) });
    expect(model.admit(400)).toEqual({ kind: 'rejected', status: 503, waitMs: 600 });
    expect(kindsAt(model, [999, 1000, 1001])).toBe('-+-');
  });

  test('leaves the last word on queued work to the other server', () => {
    const inner = workQueue({ perSecond: 10, breaks: { abovePerSecond: 2, downMs: 500 } });
    const model = outage({ forMs: 1000, then: inner });
    const admission = model.admit(1000) as Accepted;
    times(2, 1010).forEach((atMs) => model.admit(atMs));
    expect(inner.collapses).toBe(1);
    expect(model.finish?.(admission, 1100)).toEqual({ kind: 'rejected', status: 503, waitMs: 410 });
  });
});

describe('a work queue', () => {
  const queue = () => workQueue({ perSecond: 10, breaks: { abovePerSecond: 20, downMs: 1000 } });

  test('works off one request after the other', () => {
    const model = queue();
    expect([model.admit(0), model.admit(0), model.admit(250)]).toEqual([
      { kind: 'accepted', serviceMs: 100 },
      { kind: 'accepted', serviceMs: 200 },
      { kind: 'accepted', serviceMs: 100 },
    ]);
  });

  test('bears what it can take within a second and breaks at one more', () => {
    const model = queue();
    expect(kindsAt(model, times(20, 0))).toBe('+'.repeat(20));
    expect(kindsAt(model, [1000, 1000])).toBe('++');
    expect([kindsAt(model, times(19, 1001)), model.collapses]).toEqual([`${'+'.repeat(18)}-`, 1]);
  });

  test('bears any load when nothing is said of breaking', () => {
    const model = workQueue({ perSecond: 10 });
    expect(kindsAt(model, times(1000, 0))).toBe('+'.repeat(1000));
    expect(model.collapses).toBe(0);
  });

  test('loses what was queued when it breaks', () => {
    const model = queue();
    const admission = model.admit(0) as Accepted;
    kindsAt(model, times(20, 0));
    expect(model.finish?.(admission, 100)).toEqual({ kind: 'rejected', status: 503, waitMs: 900 });
  });

  test('answers what was queued when it did not', () => {
    const model = queue();
    const admission = model.admit(0) as Accepted;
    expect(model.finish?.(admission, 100)).toBe(admission);
  });

  test('stays down longer for every request that comes meanwhile, and heals if left alone', () => {
    const model = queue();
    kindsAt(model, times(21, 0));
    expect(waitAt(model, 500)).toBeCloseTo(520);
    expect(kindsAt(model, [1019, 1041])).toBe('-+');
    expect(model.collapses).toBe(1);
  });
});

test('a server without a limit accepts everything', () => {
  expect(noLimit({ serviceMs: 5 }).admit(0)).toEqual({ kind: 'accepted', serviceMs: 5 });
});
