import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseHttpDate } from '../../lib/hint/http-date.js';
import {
  asctimeDate,
  asctimeDateOfTwoDigits,
  FIRST_EPOCH_MS,
  imfFixdate,
  LAST_EPOCH_MS,
  rfc850Date,
  SECOND,
} from './dates.js';

const NOW = Date.UTC(2026, 10, 30, 12);
const atOf = (text: string, nowEpochMs: number = NOW) => {
  const reading = parseHttpDate(text, nowEpochMs);
  return reading.kind === 'http-date' ? new Date(reading.atEpochMs).toISOString() : reading.because;
};

describe('an HTTP-date', () => {
  test.each([
    ['imf-fixdate', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['rfc850', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ['asctime', 'Sun Nov  6 08:49:37 1994'],
    ['asctime', 'Sun Nov 06 08:49:37 1994'],
  ] as const)('is read in the form %s: %s', (form, text) => {
    const atEpochMs = Date.UTC(1994, 10, 6, 8, 49, 37);
    expect(parseHttpDate(text, NOW)).toEqual({ kind: 'http-date', form, atEpochMs, dayName: 'right' });
  });

  test.each([
    ['Sun, 06 Nov 1994 08:49:37 gmt', 'case'],
    ['SUN, 06 Nov 1994 08:49:37 GMT', 'case'],
    ['Sun, 06 nov 1994 08:49:37 GMT', 'case'],
    ['Sun, 06 Nov 1994 08:49:37 UTC', 'zone'],
    ['Sun, 06 Nov 1994 08:49:37', 'no zone'],
    ['Sun Nov  6 08:49:37 1994 GMT', 'a zone in asctime'],
    ['Sun, 6 Nov 1994 08:49:37 GMT', 'one digit'],
    ['Sun,  6 Nov 1994 08:49:37 GMT', 'a padded day in IMF-fixdate'],
    ['Sunday,  6-Nov-94 08:49:37 GMT', 'a padded day in RFC 850'],
    ['Sun Nov 6  08:49:37 1994', 'padding on the wrong side'],
    ['Sun Nov 6 08:49:37 1994', 'one digit in asctime'],
    ['Sun, 06 Nov 94 08:49:37 GMT', 'two-digit year in IMF-fixdate'],
    ['Sunday, 06-Nov-1994 08:49:37 GMT', 'four-digit year in RFC 850'],
    ['Sun, 06-Nov-94 08:49:37 GMT', 'short day-name in RFC 850'],
    ['Sunday, 06 Nov 1994 08:49:37 GMT', 'long day-name in IMF-fixdate'],
    ['Sunsday, 06-Nov-94 08:49:37 GMT', 'a day that is none'],
    ['Tueday, 06-Nov-94 08:49:37 GMT', 'a day that is none'],
    ['Foo, 06 Nov 1994 08:49:37 GMT', 'a day that is none'],
    ['Sun, 06 Foo 1994 08:49:37 GMT', 'a month that is none'],
    ['Sun, 06 anF 1994 08:49:37 GMT', 'letters of two months'],
    ['Sun, 06 Nov 1994 08.49.37 GMT', 'punctuation'],
    ['Sun 06 Nov 1994 08:49:37 GMT ', 'punctuation'],
    ['Sun, 06 Nov 1994 08:49:37 GMT ', 'white space behind'],
    [' Sun, 06 Nov 1994 08:49:37 GMT', 'white space before'],
    ['Sun, 06 Nov 1994 08:49:37 GMT\n', 'a line feed'],
    ['\nSun, 06 Nov 1994 08:49:37 GMT', 'a line feed before'],
    ['Sun,\t06 Nov 1994 08:49:37 GMT', 'a tab'],
    ['Sun, 06 Nov 1994 08:49:37\u00a0GMT', 'a no-break space'],
    ['Sun, \u0660\u0666 Nov 1994 08:49:37 GMT', 'digits of another script'],
    ['Sun, 06 N\u0163v 1994 08:49:37 GMT', 'a letter beyond ASCII'],
    ['Sun, 06 Nov 1994 24:00:00 GMT', 'hour 24'],
    ['Sun, 06 Nov 1994 08:60:00 GMT', 'minute 60'],
    ['Sun, 06 Nov 1994 08:49:61 GMT', 'second 61'],
    ['Sun, 06 Nov 1994 23:59:61 GMT', 'second 61'],
    ['Sun, 06 Nov 1994 08:49:60 GMT', 'second 60 elsewhere'],
    ['Sun, 06 Nov 1994 23:58:60 GMT', 'second 60 elsewhere'],
    ['Sun, 06 Nov 1994 22:59:60 GMT', 'second 60 elsewhere'],
    ['', 'nothing'],
    ['1994-11-06T08:49:37Z', 'ISO 8601'],
    ['784111777', 'a number'],
  ])('is refused as of no form: %j (%s)', (text) => {
    expect(atOf(text)).toBe('unknown-form');
  });

  test.each([
    ['Sun, 00 Nov 1994 08:49:37 GMT'],
    ['Sun, 31 Nov 1994 08:49:37 GMT'],
    ['Sun, 32 Jan 1995 08:49:37 GMT'],
    ['Sun, 99 Jan 1995 08:49:37 GMT'],
    ['Sun, 29 Feb 2026 08:49:37 GMT'],
    ['Sun, 29 Feb 1900 08:49:37 GMT'],
    ['Sun, 29 Feb 2100 08:49:37 GMT'],
    ['Sun, 30 Feb 2028 08:49:37 GMT'],
    ['Sun Nov  0 08:49:37 1994'],
    ['Sun Apr 31 08:49:37 2026'],
    ['Sunday, 31-Jun-94 08:49:37 GMT'],
  ])('is refused where there is no such day: %s', (text) => {
    expect(atOf(text)).toBe('day-out-of-range');
  });

  test('exists for every day of a year and for no other', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const daysRead = (year: number) =>
      months.map(
        (month) =>
          Array.from({ length: 100 }, (_, day) => String(day).padStart(2, '0')).filter(
            (day) => parseHttpDate(`Sun, ${day} ${month} ${year} 00:00:00 GMT`, NaN).kind === 'http-date',
          ).length,
      );
    expect(daysRead(2026)).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect(daysRead(2028)).toEqual([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
    expect([1900, 2000, 2100, 2400].map((year) => daysRead(year)[1])).toEqual([28, 29, 28, 29]);
  });

  test.each([['0000'], ['0001'], ['0070'], ['0099'], ['1582'], ['1899']])(
    'is refused before 1900, in %s',
    (year) => {
      expect(atOf(`Sun, 01 Jan ${year} 00:00:00 GMT`)).toBe('year-out-of-range');
    },
  );

  test.each([
    ['Thu, 31 Dec 2026 23:59:60 GMT', '2027-01-01T00:00:00.000Z'],
    ['Thursday, 31-Dec-26 23:59:60 GMT', '2027-01-01T00:00:00.000Z'],
    ['Sat Feb 28 23:59:60 2026', '2026-03-01T00:00:00.000Z'],
  ])('with a leap second is the following midnight: %s', (text, iso) => {
    expect(atOf(text)).toBe(iso);
    expect(parseHttpDate(text, NOW)).toMatchObject({ dayName: 'right' });
  });

  test('is read with a wrong day-name, which is reported', () => {
    const right = parseHttpDate('Tue, 01 Dec 2026 00:00:00 GMT', NOW);
    for (const day of ['Sun', 'Mon', 'Wed', 'Thu', 'Fri', 'Sat']) {
      const wrong = parseHttpDate(`${day}, 01 Dec 2026 00:00:00 GMT`, NOW);
      expect(wrong).toEqual({ ...right, dayName: 'wrong' });
    }
  });

  test('of 23:59:60 has the day-name of its own day, not of the next', () => {
    expect(parseHttpDate('Fri, 31 Dec 2026 23:59:60 GMT', NOW)).toMatchObject({ dayName: 'wrong' });
  });

  test.each<unknown>([undefined, null, 5, {}, [], new Date(0)])('is a text: %p is of no form', (value) => {
    expect(parseHttpDate(value as string, NOW)).toEqual({ kind: 'unusable', because: 'unknown-form' });
  });
});

describe('a two-digit year', () => {
  test.each([
    ['2026-11-30T12:00:00.000Z', 'Monday, 30-Nov-76 12:00:00 GMT', '2076-11-30T12:00:00.000Z'],
    ['2026-11-30T12:00:00.000Z', 'Tuesday, 30-Nov-76 12:00:01 GMT', '1976-11-30T12:00:01.000Z'],
    ['2026-11-30T12:00:00.999Z', 'Tuesday, 30-Nov-76 12:00:01 GMT', '1976-11-30T12:00:01.000Z'],
    ['2026-11-30T12:00:01.000Z', 'Monday, 30-Nov-76 12:00:01 GMT', '2076-11-30T12:00:01.000Z'],
    ['2026-11-30T12:00:00.000Z', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['2026-11-30T12:00:00.000Z', 'Saturday, 01-Jan-00 00:00:00 GMT', '2000-01-01T00:00:00.000Z'],
    ['1999-12-31T23:59:00.000Z', 'Saturday, 01-Jan-00 00:00:00 GMT', '2000-01-01T00:00:00.000Z'],
    ['2099-12-31T00:00:00.000Z', 'Saturday, 01-Jan-01 00:00:00 GMT', '2101-01-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 'Thursday, 01-Mar-74 00:00:00 GMT', '2074-03-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 'Friday, 01-Mar-74 00:00:01 GMT', '1974-03-01T00:00:01.000Z'],
    ['2050-01-01T00:00:00.000Z', 'Tuesday, 29-Feb-00 00:00:00 GMT', '2000-02-29T00:00:00.000Z'],
    ['1950-01-01T00:00:00.000Z', 'Monday, 01-Jan-00 00:00:00 GMT', '2000-01-01T00:00:00.000Z'],
    ['1949-12-31T23:59:59.000Z', 'Monday, 01-Jan-00 00:00:00 GMT', '1900-01-01T00:00:00.000Z'],
  ])('seen from %s: %s', (now, text, iso) => {
    expect(atOf(text, Date.parse(now))).toBe(iso);
  });

  test('never leads beyond the four digits of a year', () => {
    const now = Date.parse('9990-01-01T00:00:00Z');
    expect(atOf('Friday, 31-Dec-99 23:59:59 GMT', now)).toBe('9999-12-31T23:59:59.000Z');
    expect(atOf('Saturday, 01-Jan-00 00:00:00 GMT', now)).toBe('year-out-of-range');
  });

  test('whose date exists in no year that it can be is refused', () => {
    expect(atOf('Monday, 29-Feb-00 00:00:00 GMT', Date.parse('2060-01-01T00:00:00Z'))).toBe(
      'day-out-of-range',
    );
    expect(atOf('Monday, 29-Feb-26 00:00:00 GMT')).toBe('day-out-of-range');
  });

  test.each([[NaN], [Infinity], [-Infinity], [8.64e15 + 1], [-8.64e15 - 1], [1e300], [-6.2e13], [-1e15]])(
    'is refused without a sensible now: %d',
    (now) => {
      expect(atOf('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe('year-out-of-range');
    },
  );

  test('is the only thing that needs now', () => {
    for (const write of [imfFixdate, asctimeDate]) {
      expect(parseHttpDate(write(NOW), NaN)).toEqual(parseHttpDate(write(NOW), 0));
      expect(parseHttpDate(write(NOW), NaN)).toMatchObject({ atEpochMs: NOW });
    }
  });
});

describe('any HTTP-date', () => {
  const seconds = (min: number, max: number) =>
    fc.integer({ min: Math.ceil(min / SECOND), max: Math.floor(max / SECOND) }).map((s) => s * SECOND);

  test('is read back as the instant that it was written from', () => {
    fc.assert(
      fc.property(seconds(FIRST_EPOCH_MS, LAST_EPOCH_MS), (atEpochMs) => {
        for (const write of [imfFixdate, asctimeDate, asctimeDateOfTwoDigits]) {
          expect(parseHttpDate(write(atEpochMs), NaN)).toMatchObject({ atEpochMs, dayName: 'right' });
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('of two digits is read back when it is from 50 years ahead to 50 years ago', () => {
    const fiftyYears = (epochMs: number, direction: 1 | -1) => {
      const date = new Date(epochMs);
      return date.setUTCFullYear(date.getUTCFullYear() + direction * 50);
    };
    const cases = seconds(Date.UTC(1951, 0, 1), Date.UTC(2400, 0, 1)).chain((now) =>
      fc.tuple(fc.constant(now), seconds(fiftyYears(now, -1) + 2 * 86_400_000, fiftyYears(now, 1))),
    );
    fc.assert(
      fc.property(cases, ([now, atEpochMs]) => {
        expect(parseHttpDate(rfc850Date(atEpochMs), now)).toMatchObject({ atEpochMs, dayName: 'right' });
      }),
      { numRuns: 2000 },
    );
  });

  test('with one character changed is refused, or has another character of its grammar there', () => {
    const grammar = /^[A-Za-z0-9 ]$/;
    const cases = fc.tuple(
      seconds(FIRST_EPOCH_MS, LAST_EPOCH_MS),
      fc.constantFrom(imfFixdate, asctimeDate, rfc850Date),
      fc.nat(32),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(cases, ([atEpochMs, write, at, character]) => {
        const text = write(atEpochMs);
        const place = at % text.length;
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        const reading = parseHttpDate(changed, NOW);
        expect(reading.kind === 'unusable' || text === changed || grammar.test(character)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('is an instant or a named fault, whatever text and now there are', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/),
      fc.stringMatching(/^(Sun|Satur)day, \d\d-(Jan|Feb|Nov)-\d\d [0-2]\d:[0-6]\d:[0-6]\d GMT$/),
    );
    fc.assert(
      fc.property(anyText, fc.double(), (text, now) => {
        const reading = parseHttpDate(text, now);
        expect(
          reading.kind === 'unusable' ? typeof reading.because : Number.isSafeInteger(reading.atEpochMs),
        ).toBe(reading.kind === 'unusable' ? 'string' : true);
      }),
      { numRuns: 2000 },
    );
  });
});
