import { describe, expect, test } from '@jest/globals';
import { earned, fullAllowance, isEmpty, refilled, spent } from '../../lib/policy/allowance.js';
import { backoffMs, jittered } from '../../lib/policy/backoff.js';

describe('own backoff', () => {
  test('grows by its factor up to its ceiling, and stays finite for ever', () => {
    const backoff = { firstMs: 1000, factor: 2, maxMs: 30_000 };
    expect([1, 2, 3, 4, 5, 6, 7].map((n) => backoffMs(backoff, n))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(backoffMs(backoff, 5000)).toBe(30_000);
    expect(backoffMs({ ...backoff, firstMs: 0 }, 5000)).toBe(0);
  });

  test.each([[-1], [NaN], [Infinity], ['200'], [undefined]])(
    'refuses %p from the function of a caller',
    (bad) => {
      expect(() => backoffMs(() => bad as number, 1)).toThrow(/Expected `backoff` to return milliseconds/);
    },
  );

  test('jitter only adds, and 0 is exact', () => {
    expect(jittered(1000, 0, 0.99)).toBe(1000);
    expect(jittered(1000, 0.1, 0)).toBe(1000);
    expect(jittered(1000, 0.1, 0.5)).toBe(1250);
  });
});

describe('the allowance', () => {
  const terms = { start: 2, perExchange: 0.5, perSecond: 1, max: 3 };

  test('is spent by re-sends and earned by first exchanges', () => {
    const full = fullAllowance(terms, 0);
    expect(isEmpty(spent(spent(full)))).toBe(true);
    expect(isEmpty(earned(earned(spent(spent(full)), terms), terms))).toBe(false);
  });

  test('grows with time, never above its maximum, and never shrinks by a clock that stands', () => {
    const empty = spent(spent(fullAllowance(terms, 0)));
    expect(refilled(empty, terms, 999).tokens).toBeCloseTo(0.999);
    expect(refilled(empty, terms, 60_000).tokens).toBe(3);
    expect(refilled(empty, terms, -5).tokens).toBe(0);
  });
});
