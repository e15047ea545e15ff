import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as units from '../../lib/vendors/units';
import type { Unit } from '../../lib/vendors/units';

const { seconds, milliseconds, goDuration, epochSeconds, epochMilliseconds, httpDate, rfc3339 } = units;
const T0 = Date.UTC(2026, 0, 1);
const read = (unit: Unit, text: string) => unit.read(text, () => T0);

describe('a number', () => {
  test.each<[string, Unit, string, number]>([
    ['seconds', seconds, '0', 0],
    ['seconds', seconds, '30', 30_000],
    ['seconds', seconds, '2.0', 2000],
    ['seconds', seconds, '0.493', 493],
    ['seconds', seconds, '0.4930001', 494],
    ['seconds', seconds, '64.57', 64_570],
    ['seconds', seconds, '0.0000000001', 1],
    ['seconds', seconds, '007.50', 7500],
    ['ms', milliseconds, '1500', 1500],
    ['ms', milliseconds, '1500.0', 1500],
    ['ms', milliseconds, '1500.01', 1501],
    ['a Go duration', goDuration, '0s', 0],
    ['a Go duration', goDuration, '1s', 1000],
    ['a Go duration', goDuration, '17ms', 17],
    ['a Go duration', goDuration, '17.2ms', 18],
    ['a Go duration', goDuration, '6m0s', 360_000],
    ['a Go duration', goDuration, '2m59.56s', 179_560],
    ['a Go duration', goDuration, '1h2m3s', 3_723_000],
    ['a Go duration', goDuration, '24h', 86_400_000],
    ['a Go duration', goDuration, '5m', 300_000],
    ['a Go duration', goDuration, '250µs', 1],
    ['a Go duration', goDuration, '2500us', 3],
    ['a Go duration', goDuration, '1ns', 1],
    ['a Go duration', goDuration, '0ns', 0],
  ])('%s: %s %s is %d ms', (_, unit, text, delayMs) => {
    expect(read(unit, text)).toEqual({ delayMs });
  });

  test.each<[string, Unit, string, number]>([
    ['s', epochSeconds, '1767225660', T0 + 60_000],
    ['s', epochSeconds, '1767225660.0005', T0 + 60_001],
    ['ms', epochMilliseconds, '1767225660123', T0 + 60_123],
  ])('of %s since 1970: %s %s is an instant', (_, unit, text, atEpochMs) => {
    expect(read(unit, text)).toEqual({ atEpochMs });
  });

  test.each<[string, readonly Unit[], readonly string[]]>([
    [
      'a number',
      [seconds, milliseconds, epochSeconds, epochMilliseconds],
      [
        '',
        ' ',
        '5 ',
        '-1',
        '+1',
        '.5',
        '5.',
        '1e3',
        '0x10',
        '1,5',
        '1_000',
        '5s',
        'NaN',
        'Infinity',
        '٣',
        '1.2.3',
      ],
    ],
    [
      'a Go duration',
      [goDuration],
      [
        '',
        's',
        '5',
        '-5s',
        '+5s',
        '5 s',
        '5S',
        '.5s',
        '5.s',
        '1.5h',
        '1.5m3s',
        '3s2m',
        '1s1s',
        '1d',
        '5msx',
        '5m5ms',
        'inf',
      ],
    ],
  ])('is no %s otherwise', (_, those, texts) => {
    for (const unit of those) expect(texts.filter((text) => read(unit, text) !== undefined)).toEqual([]);
  });

  test('is never read too short, by less than a whole ms too long, and never by the noise of floating point', () => {
    const digits = fc.stringMatching(/^\d{1,9}$/);
    const fraction = fc.stringMatching(/^\d{1,12}$/);
    fc.assert(
      fc.property(digits, fraction, (whole, part) => {
        const exact = BigInt(whole) * 10n ** 12n + BigInt(part.padEnd(12, '0'));
        const told = read(seconds, `${whole}.${part}`);
        const delayMs = told !== undefined && 'delayMs' in told ? BigInt(told.delayMs) : -1n;
        expect(delayMs * 10n ** 9n - exact).toBeGreaterThanOrEqual(0n);
        expect(delayMs * 10n ** 9n - exact).toBeLessThan(10n ** 9n);
      }),
    );
  });
});

describe('RFC 3339', () => {
  test.each<[string, number]>([
    ['2026-01-01T00:00:42Z', T0 + 42_000],
    ['2026-01-01t00:00:42z', T0 + 42_000],
    ['2026-01-01T00:31Z', T0 + 1_860_000],
    ['2026-01-01T00:00:02.500Z', T0 + 2500],
    ['2026-01-01T00:00:02.500001Z', T0 + 2501],
    ['2026-01-01T01:00:00+01:00', T0],
    ['2025-12-31T18:30:00-05:30', T0],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['2026-06-30T23:59:60Z', Date.UTC(2026, 6, 1)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('%s', (text, atEpochMs) => {
    expect(read(rfc3339, text)).toEqual({ atEpochMs });
  });

  test.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00:42',
    '2026-01-01 00:00:42Z',
    '2026-1-1T00:00:42Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:31.5Z',
    '2026-01-01T00:00:00+1:00',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00 GMT',
    '0050-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
  ])('is not %j', (text) => {
    expect(read(rfc3339, text)).toBeUndefined();
  });

  test('agrees with what the platform prints', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(read(rfc3339, date.toISOString())).toEqual({ atEpochMs: date.getTime() });
      }),
    );
  });
});

test('an HTTP-date is read by the grammar of HTTP', () => {
  expect(read(httpDate, 'Thu, 01 Jan 2026 00:00:42 GMT')).toEqual({ atEpochMs: T0 + 42_000 });
  expect(read(httpDate, 'Thursday, 01-Jan-26 00:00:42 GMT')).toEqual({ atEpochMs: T0 + 42_000 });
  expect(read(httpDate, '2026-01-01T00:00:42Z')).toBeUndefined();
});

describe('a megabyte', () => {
  const long = 1_000_000;
  const all = Object.entries(units);

  test.each(all)('is read in linear time by %s', (_, unit) => {
    const texts = ['9', '0', ' ', '1.', '1h', 'Mon, ', '2026-'].map((text) =>
      text.repeat(long / text.length),
    );
    const start = performance.now();
    for (const text of [...texts, `0.${'0'.repeat(long)}1`, `${'9'.repeat(long)}s`]) read(unit, text);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('of digits is more than can be told, not less', () => {
    expect(read(seconds, '9'.repeat(long))).toEqual({ delayMs: Infinity });
    expect(read(seconds, `${'0'.repeat(long)}5`)).toEqual({ delayMs: 5000 });
  });
});
