import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRetryAfter } from '../../lib/hint/retry-after.js';
import type { RetryAfterReading, RetryAfterValue } from '../../lib/hint/retry-after.js';
import { asctimeDate, FIRST_EPOCH_MS, imfFixdate, LAST_EPOCH_MS, rfc850Date, SECOND } from './dates.js';

const NOW = Date.UTC(2026, 10, 30, 12);
const because = (fault: string) => ({ kind: 'unusable', because: fault });
const seconds = (count: number) => ({ kind: 'delay-seconds', delayMs: count * 1000 });

describe('a Retry-After of seconds', () => {
  test.each<[string, number]>([
    ['0', 0],
    ['5', 5],
    ['120', 120],
    ['007', 7],
    ['000', 0],
    ['2147484', 2_147_484],
    ['9007199254740', 9_007_199_254_740],
    ['00000000009007199254740', 9_007_199_254_740],
    [' \t 30\t ', 30],
  ])('is its number of seconds: %j', (raw, count) => {
    expect(parseRetryAfter(raw, NOW)).toEqual(seconds(count));
  });

  test('needs no clock', () => {
    expect([NaN, Infinity, -Infinity].map((now) => parseRetryAfter('5', now))).toEqual(
      [1, 2, 3].map(() => seconds(5)),
    );
  });

  test.each(['9007199254741', '10000000000000', '99999999999999', '9'.repeat(25), '9'.repeat(400)])(
    'of more than 2^53-1 ms is an overflow, not a short wait: %s',
    (raw) => {
      expect(parseRetryAfter(raw, NOW)).toEqual(because('overflow'));
    },
  );

  test.each([
    ...['+5', '-5', '-0', '+', '-', '1.5', '1.', '.5', '1,5', '1e3', '0x1F', '0b1', '1_000', '1 000', '5s'],
    ...[
      '5 s',
      'oops',
      'NaN',
      'Infinity',
      'null',
      '"5"',
      '(5)',
      '5;',
      '5,',
      ',5',
      '5, 6',
      '٣',
      '５',
      '5\u00a0',
    ],
    ...['\u00a05', '5\n', '\r\n5', '5\v', '\f5', '5\u0000', '\ufeff5', '5\u2028', 'true', '99999999999999x'],
  ])('is nothing but digits: %j is invalid', (raw) => {
    expect(parseRetryAfter(raw, NOW)).toEqual(because('invalid'));
  });
});

describe('a Retry-After of a date', () => {
  test.each([[imfFixdate], [rfc850Date], [asctimeDate]])('is the time from now until then (%p)', (write) => {
    const atEpochMs = NOW + 61_000;
    const expected = { kind: 'http-date', atEpochMs, delayMs: 61_000 };
    expect(parseRetryAfter(write(atEpochMs), NOW)).toEqual(expected);
    expect(parseRetryAfter(`\t ${write(atEpochMs)} \t`, NOW)).toEqual(expected);
  });

  test('is 0 when it is now or has passed', () => {
    for (const agoMs of [0, 1000, 3_600_000, NOW - FIRST_EPOCH_MS]) {
      const atEpochMs = NOW - agoMs;
      expect(parseRetryAfter(imfFixdate(atEpochMs), NOW)).toEqual({
        kind: 'http-date',
        atEpochMs,
        delayMs: 0,
      });
    }
    expect(Object.is(parseRetryAfterMs(imfFixdate(NOW), NOW + 0.5), 0)).toBe(true);
  });

  test('is rounded up where now has a fraction', () => {
    expect(parseRetryAfterMs(imfFixdate(NOW), NOW - 1000.4)).toBe(1001);
  });

  test('has its wrong day-name told', () => {
    expect(parseRetryAfter('Sun, 30 Nov 2026 12:00:05 GMT', NOW)).toEqual({
      kind: 'http-date',
      atEpochMs: NOW + 5000,
      delayMs: 5000,
      dayName: 'wrong',
    });
  });

  test.each([[NaN], [Infinity], [-Infinity]])('is invalid without a now: %d', (now) => {
    expect(parseRetryAfter(imfFixdate(NOW), now)).toEqual(because('invalid'));
    expect(parseRetryAfter(rfc850Date(NOW), now)).toEqual(because('invalid'));
  });

  test.each(['Mon, 30 Nov 2026 12:00:05', '2026-11-30T12:00:05Z', 'Mon, 31 Nov 2026 12:00:05 GMT', '5 Jan'])(
    'is an HTTP-date and no other: %j is invalid',
    (raw) => {
      expect(parseRetryAfter(raw, NOW)).toEqual(because('invalid'));
    },
  );
});

describe('a Retry-After that is not one text', () => {
  test.each<[string, RetryAfterValue, string]>([
    ['undefined', undefined, 'missing'],
    ['null', null, 'missing'],
    ['no line', [], 'missing'],
    ['an empty text', '', 'empty'],
    ['nothing but white space', ' \t \t', 'empty'],
    ['one empty line', [''], 'empty'],
    ['two lines', ['5', '5'], 'multiple'],
    ['two empty lines', ['', ''], 'multiple'],
    ['one invalid line', ['-1'], 'invalid'],
  ])('is unusable: %s', (_, raw, fault) => {
    expect(parseRetryAfter(raw, NOW)).toEqual(because(fault));
  });

  test('is read where it is a list of one line', () => {
    expect(parseRetryAfter(['120'], NOW)).toEqual(seconds(120));
    expect(parseRetryAfter([imfFixdate(NOW + 1000)], NOW)).toMatchObject({ delayMs: 1000 });
  });

  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  };
  const thrower = () => {
    throw new Error('not to be reached');
  };
  const list = ['5'];

  test.each<[string, unknown]>([
    ['a number', 120],
    ['a bigint', 120n],
    ['a symbol', Symbol('120')],
    ['true', true],
    ['an object', { toString: thrower, valueOf: thrower, toJSON: thrower }],
    ['an object without prototype', Object.create(null)],
    ['a String object', Object('120')],
    ['a function', thrower],
    ['a Date', new Date(NOW)],
    ['a list of a number', [120]],
    ['a sparse list of one', new Array<string>(1)],
    ['a revoked proxy', revoked()],
    ['a proxy that throws', new Proxy(list, { get: thrower })],
    ['a list whose member throws', Object.defineProperty([''], 0, { get: thrower })],
  ])('never makes the parser throw: %s', (_, raw) => {
    const reading = parseRetryAfter(raw as RetryAfterValue, NOW);
    expect(['invalid', 'missing']).toContain(reading.kind === 'unusable' && reading.because);
  });

  test.each([undefined, null, '5', 5n, Symbol('now'), {}, new Date(NOW)])(
    'never makes the parser throw for a now that is no number: %p',
    (now) => {
      for (const raw of ['5', imfFixdate(NOW), rfc850Date(NOW), 'oops']) {
        expect(parseRetryAfter(raw, now as number).kind).toBe(raw === '5' ? 'delay-seconds' : 'unusable');
      }
    },
  );
});

// Quadratic work on a megabyte is a million million steps, hours of it: the ceiling below is far from both.
describe('a hostile Retry-After of a megabyte', () => {
  const MANY = 1_000_000;
  const CEILING_MS = 2000;

  test.each<[string, string, RetryAfterReading]>([
    ['digits', '9'.repeat(MANY), { kind: 'unusable', because: 'overflow' }],
    ['zeros', '0'.repeat(MANY), { kind: 'delay-seconds', delayMs: 0 }],
    ['zeros, then digits', '0'.repeat(MANY) + '17', { kind: 'delay-seconds', delayMs: 17_000 }],
    ['digits, then a letter', '9'.repeat(MANY) + 'x', { kind: 'unusable', because: 'invalid' }],
    ['zeros, then a letter', '0'.repeat(MANY) + 'x', { kind: 'unusable', because: 'invalid' }],
    ['spaces', ' '.repeat(MANY), { kind: 'unusable', because: 'empty' }],
    ['tabs', '\t'.repeat(MANY), { kind: 'unusable', because: 'empty' }],
    [
      'spaces around a digit',
      ' '.repeat(MANY) + '5' + '\t'.repeat(MANY),
      { kind: 'delay-seconds', delayMs: 5000 },
    ],
    ['spaces within', '5' + ' '.repeat(MANY) + '5', { kind: 'unusable', because: 'invalid' }],
    ['commas', ','.repeat(MANY), { kind: 'unusable', because: 'invalid' }],
    ['day-names', 'Sun, '.repeat(MANY / 5), { kind: 'unusable', because: 'invalid' }],
    ['dates', `${imfFixdate(NOW)}, `.repeat(MANY / 31), { kind: 'unusable', because: 'invalid' }],
    ['digits and spaces in turn', '1 '.repeat(MANY / 2), { kind: 'unusable', because: 'invalid' }],
  ])('is read in linear time: %s', (_, raw, expected) => {
    const start = performance.now();
    expect(parseRetryAfter(raw, NOW)).toEqual(expected);
    expect(performance.now() - start).toBeLessThan(CEILING_MS);
  });

  test('may be thirty times as long and still overflows nothing but the number', () => {
    expect(parseRetryAfter('9'.repeat(30 * MANY), NOW)).toEqual(because('overflow'));
    expect(parseRetryAfter(' '.repeat(30 * MANY) + '9', NOW)).toEqual(seconds(9));
  });
});

describe('any Retry-After', () => {
  const instants = fc
    .integer({ min: FIRST_EPOCH_MS / SECOND, max: LAST_EPOCH_MS / SECOND })
    .map((count) => count * SECOND);
  const nows = fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true });

  test('of digits is decided by its value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(40), (value, zeros) => {
        const raw = '0'.repeat(zeros) + value.toString();
        const expected =
          value * 1000n <= BigInt(Number.MAX_SAFE_INTEGER) ? seconds(Number(value)) : because('overflow');
        expect(parseRetryAfter(raw, NaN)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('of a date never lets anyone come before it', () => {
    fc.assert(
      fc.property(instants, nows, fc.constantFrom(imfFixdate, asctimeDate), (atEpochMs, now, write) => {
        const reading = parseRetryAfter(write(atEpochMs), now);
        expect(reading).toMatchObject({ kind: 'http-date', atEpochMs });
        expect(parseRetryAfterMs(write(atEpochMs), now)).toBeGreaterThanOrEqual(Math.max(0, atEpochMs - now));
      }),
      { numRuns: 2000 },
    );
  });

  test('is a delay of 0 or more, or a named fault, whatever comes in', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[ \t]*[0-9]{0,25}[ \t]*$/),
      fc.stringMatching(/^(Sun|Mon), [0-3]\d (Jan|Feb|Nov) \d{4} [0-2]\d:[0-6]\d:[0-6]\d GMT$/),
    );
    const anyValue = fc.oneof(anyText, fc.array(anyText, { maxLength: 3 }), fc.anything());
    fc.assert(
      fc.property(anyValue, fc.oneof(nows, fc.double()), (raw, now) => {
        const reading = parseRetryAfter(raw as RetryAfterValue, now);
        const sound = reading.kind === 'unusable' ? FAULTS.has(reading.because) : reading.delayMs >= 0;
        expect(sound).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('is left as it is', () => {
    const raw = Object.freeze(['120', '60']);
    expect(parseRetryAfter(raw, NOW)).toEqual(because('multiple'));
    expect(raw).toEqual(['120', '60']);
  });
});

const FAULTS: ReadonlySet<string> = new Set(['missing', 'empty', 'invalid', 'overflow', 'multiple']);

function parseRetryAfterMs(raw: string, now: number): number | undefined {
  const reading = parseRetryAfter(raw, now);
  return reading.kind === 'unusable' ? undefined : reading.delayMs;
}
