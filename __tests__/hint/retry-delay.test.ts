import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { isRetryDelayError, retryDelay, RetryDelayError } from '../../lib/hint/retry-after.js';
import type { RetryAfterValue, RetryBudget } from '../../lib/hint/retry-after.js';
import { imfFixdate } from './dates.js';

const NOW = Date.UTC(2026, 10, 30, 12);

function errorOf(run: () => unknown): object {
  try {
    run();
  } catch (error) {
    return error as object;
  }
  throw new Error('nothing was thrown');
}

const figuresOf = (error: object) => Object.fromEntries(Object.entries(error));

describe('retryDelay', () => {
  test.each([
    ['a number of seconds', '5', 5000],
    ['a date', imfFixdate(NOW + 5000), 5000],
    ['a date that has passed', imfFixdate(NOW - 5000), 0],
    ['zero', '0', 0],
    ['a delay as long as the budget', '8', 8000],
    ['a list of one line', ['5'], 5000],
  ])('gives the delay in ms for %s', (_, raw, delayMs) => {
    expect(retryDelay(raw, NOW, 8000)).toBe(delayMs);
    expect(retryDelay(raw, new Date(NOW), { seconds: 8 })).toBe(delayMs);
  });

  test.each<[RetryAfterValue, string, object]>([
    ['9', 'exceeds-budget', { delayMs: 9000 }],
    [imfFixdate(NOW + 9000), 'exceeds-budget', { delayMs: 9000, atEpochMs: NOW + 9000 }],
    ['9007199254740', 'exceeds-budget', { delayMs: 9_007_199_254_740_000 }],
    ['-1', 'invalid', {}],
    ['oops', 'invalid', {}],
    ['1.5', 'invalid', {}],
    ['9'.repeat(25), 'overflow', {}],
    ['', 'missing', {}],
    [' \t', 'missing', {}],
    [undefined, 'missing', {}],
    [null, 'missing', {}],
    [[], 'missing', {}],
    [['5', '6'], 'invalid', {}],
  ])('refuses %j: %s', (raw, code, figures) => {
    const error = errorOf(() => retryDelay(raw, NOW, 8000));
    expect(error).toBeInstanceOf(RetryDelayError);
    expect(figuresOf(error)).toEqual({
      name: 'RetryDelayError',
      code,
      budgetMs: 8000,
      ...figures,
    });
  });

  test.each<[RetryAfterValue, object]>([
    ['0', { delayMs: 0 }],
    ['5', { delayMs: 5000 }],
    [imfFixdate(NOW - 5000), { delayMs: 0, atEpochMs: NOW - 5000 }],
    ['oops', {}],
    [undefined, {}],
  ])('refuses everything when the budget is spent: %j', (raw, figures) => {
    expect(figuresOf(errorOf(() => retryDelay(raw, NOW, -1)))).toEqual({
      name: 'RetryDelayError',
      code: 'budget-spent',
      budgetMs: -1,
      ...figures,
    });
  });

  test('takes a budget of which nothing is left for spent, as the loop does with its deadline', () => {
    expect(errorOf(() => retryDelay('0', NOW, 0))).toMatchObject({ code: 'budget-spent', delayMs: 0 });
    expect(errorOf(() => retryDelay('1', NOW, { seconds: 0 }))).toMatchObject({ code: 'budget-spent' });
    expect(retryDelay('0', NOW, 1)).toBe(0);
  });

  test.each<[RetryAfterValue, RetryBudget, string]>([
    ['9', 8000, 'Retry-After exceeds-budget: expected delay-seconds or an HTTP-date within 8000 ms, got "9"'],
    ['5', -20, 'Retry-After budget-spent: expected delay-seconds or an HTTP-date within -20 ms, got "5"'],
    [
      'a\nb',
      8000,
      'Retry-After invalid: expected delay-seconds or an HTTP-date within 8000 ms, got "a\\u{a}b"',
    ],
    ['', 8000, 'Retry-After missing: expected delay-seconds or an HTTP-date within 8000 ms, got ""'],
    [
      undefined,
      0,
      'Retry-After budget-spent: expected delay-seconds or an HTTP-date within 0 ms, got undefined',
    ],
    [[], 1, 'Retry-After missing: expected delay-seconds or an HTTP-date within 1 ms, got nothing'],
    [['5', '6'], 1, 'Retry-After invalid: expected delay-seconds or an HTTP-date within 1 ms, got 5,6'],
  ])('says in one line what was expected and what came: %j', (raw, budget, message) => {
    expect(errorOf(() => retryDelay(raw, NOW, budget))).toMatchObject({ message });
  });

  test('quotes no more than 128 characters of what came', () => {
    const { message } = errorOf(() => retryDelay('x'.repeat(1_000_000), NOW, 8000)) as RetryDelayError;
    expect(message).toContain(`got "${'x'.repeat(125)}..."`);
    expect(message.length).toBeLessThan(220);
  });

  test.each<[string, unknown]>([
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    ['an invalid Date', new Date(NaN)],
    ['a text', '2026-11-30T12:00:00Z'],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
  ])('refuses a now that is %s', (_, now) => {
    for (const raw of ['5', imfFixdate(NOW), 'oops']) {
      expect(() => retryDelay(raw, now as Date, 8000)).toThrow(TypeError);
      expect(() => retryDelay(raw, now as Date, 8000)).toThrow(
        /^now: expected a valid Date or finite ms .*, got /,
      );
    }
  });

  test('takes a Date of another realm', () => {
    const now = runInNewContext(`new Date(${NOW})`) as Date;
    expect(now).not.toBeInstanceOf(Date);
    expect(retryDelay(imfFixdate(NOW + 5000), now, 8000)).toBe(5000);
  });

  test('gives a delay that fits, or an error, for any value, now and budget', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.nat().map(String), fc.constant(imfFixdate(NOW)), fc.constant(undefined)),
        fc.oneof(fc.double(), fc.integer()),
        fc.oneof(fc.double(), fc.integer(), fc.record({ seconds: fc.integer() })),
        (raw, now, budget) => {
          const outcome = outcomeOf(() => retryDelay(raw, now, budget));
          const budgetMs = typeof budget === 'number' ? budget : budget.seconds * 1000;
          const fits = typeof outcome === 'number' && outcome >= 0 && outcome <= budgetMs;
          expect(fits || outcome instanceof TypeError || isRetryDelayError(outcome)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

function outcomeOf(run: () => number): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a budget', () => {
  test.each<[RetryBudget, number]>([
    [{ seconds: 8 }, 8000],
    [{ minutes: 1, seconds: 0.5 }, 60_500],
    [{ hours: 1 }, 3_600_000],
    [{ days: 1 }, 86_400_000],
    [{ weeks: 1 }, 604_800_000],
    [{ months: 4 }, 10_518_984_000],
    [{ years: 1 }, 31_556_951_999], // date-fns cuts off the fraction that floating point leaves
    [{ seconds: 0 }, 0],
    [{ minutes: 1, seconds: -30 }, 30_000],
    [12.5, 12.5],
  ])('of %j is that many ms: %d', (budget, budgetMs) => {
    expect(errorOf(() => retryDelay('9007199254740', NOW, budget))).toMatchObject({ budgetMs });
  });

  test('below 0 is spent, also as a Duration', () => {
    expect(errorOf(() => retryDelay('5', NOW, { seconds: -1 }))).toMatchObject({ code: 'budget-spent' });
  });

  test('passes over a unit that is undefined', () => {
    expect(retryDelay('5', NOW, { seconds: 5, minutes: undefined })).toBe(5000);
  });

  test.each<[unknown, string]>([
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
    ['8000', '8000'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [8000n, '8000'],
    [{}, '{  }'],
    [[], '{  }'],
    [new Date(NOW), '{  }'],
    [{ seconds: undefined }, '{ seconds:  }'],
    [{ seconds: NaN }, '{ seconds: NaN }'],
    [{ seconds: Infinity }, '{ seconds: Infinity }'],
    [{ seconds: '8' }, '{ seconds: 8 }'],
    [{ minute: 5 }, '{ minute: 5 }'],
    [{ seconds: 8, ms: 1 }, '{ seconds: 8, ms: 1 }'],
    [{ years: 1e308, months: -1e308 }, '{ years: 1e+308, months: -1e+308 }'],
  ])('is finite ms or a Duration: %p is refused', (budget, got) => {
    const error = errorOf(() => retryDelay('5', NOW, budget as RetryBudget));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      message: `budget: expected finite ms or a date-fns Duration, got ${got}`,
    });
  });

  test('is left as it is', () => {
    expect(retryDelay('5', NOW, Object.freeze({ seconds: 8 }))).toBe(5000);
  });
});

describe('isRetryDelayError', () => {
  test('knows the error of another copy of the package', () => {
    class AnotherCopy extends Error {
      override readonly name = 'RetryDelayError';
    }
    const error = errorOf(() => retryDelay('9', NOW, 8000));
    expect([error, new AnotherCopy()].map(isRetryDelayError)).toEqual([true, true]);
  });

  test('knows no other value for one', () => {
    const others = [new Error('RetryDelayError'), 'RetryDelayError', null, undefined, {}, new TypeError()];
    expect(others.filter(isRetryDelayError)).toEqual([]);
  });

  test('belongs to an Error with a stack', () => {
    const error = errorOf(() => retryDelay('9', NOW, 8000)) as Error;
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(/^RetryDelayError: Retry-After exceeds-budget: /);
    expect(error.stack).toContain('retry-delay.test');
  });
});
