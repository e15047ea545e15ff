import { describe, expect, test } from '@jest/globals';
import { readHints } from '../../lib/hint/hint.js';
import type { HintReading } from '../../lib/hint/hint.js';
import { retryAfterReader } from '../../lib/hint/retry-after-reader.js';
import { factsOf } from './facts.js';

// What these field cases ask of the reading alone. When something is sent again is for the operation's tests.
const T0 = Date.UTC(2026, 0, 1);
const T0_DATE = 'Thu, 01 Jan 2026 00:00:00 GMT';

function read(
  retryAfter: string | undefined,
  more: { date?: string; receivedEpochMs?: number } = {},
): HintReading {
  const headers = { 'retry-after': retryAfter, date: more.date };
  return readHints(factsOf(429, headers, { receivedEpochMs: more.receivedEpochMs ?? T0 }), [
    retryAfterReader,
  ]);
}

describe('reading, in the cases from the field', () => {
  test('PAR-01: a date that is over is a hint that has elapsed, not a negative wait', () => {
    expect(read('Wed, 31 Dec 2025 23:59:50 GMT', { date: T0_DATE })).toMatchObject({
      kind: 'hint',
      hint: { delayMs: 0, elapsed: true },
    });
  });

  test('PAR-02: an unreadable date is malformed, not absent', () => {
    expect(read('Wed, 99 Foo 2026 25:61:00 GMT')).toMatchObject({ kind: 'malformed', because: 'invalid' });
  });

  test.each(['299.997', '2.0'])('PAR-04: decimals are malformed by default: %s', (raw) => {
    expect(read(raw)).toMatchObject({ kind: 'malformed', because: 'invalid' });
  });

  test.each(['1000abc', '5s', '3 seconds', '12:00'])('PAR-06: trailing letters are invalid: %s', (raw) => {
    expect(read(raw)).toMatchObject({ kind: 'malformed', because: 'invalid' });
  });

  test('PAR-07: zero is an explicit hint of no minimum', () => {
    expect(read('0')).toMatchObject({ kind: 'hint', hint: { raw: '0', delayMs: 0 } });
  });

  test('PAR-09: 60 is 60 000 ms, exactly', () => {
    expect(read('60')).toMatchObject({ kind: 'hint', hint: { delayMs: 60_000 } });
  });

  test.each<[string | undefined, object]>([
    [undefined, { kind: 'silent', because: 'missing' }],
    ['', { kind: 'malformed', because: 'empty' }],
    ['0x10', { kind: 'malformed' }],
    ['1e3', { kind: 'malformed' }],
    ['Infinity', { kind: 'malformed' }],
    ['  7  ', { kind: 'hint', hint: { delayMs: 7000 } }],
  ])('PAR-13: only digits are a number: %j', (raw, expected) => {
    expect(read(raw)).toMatchObject(expected);
  });

  test('CLK-01: a slow local clock does not stretch the wait', () => {
    const reading = read('Thu, 01 Jan 2026 00:00:30 GMT', { date: T0_DATE, receivedEpochMs: T0 - 600_000 });
    expect(reading).toMatchObject({ hint: { delayMs: 30_000, clock: 'server-date', skewMs: 600_000 } });
  });

  test('CLK-04: a date is turned into a wait once, from receipt', () => {
    expect(read('Thu, 01 Jan 2026 00:00:05 GMT')).toMatchObject({ hint: { delayMs: 5000, clock: 'local' } });
  });

  test('CLK-08: each answer brings the clock that it is measured by', () => {
    const late = { date: T0_DATE, receivedEpochMs: T0 + 600_000 };
    const readings = Array.from({ length: 5 }, () => read('Thu, 01 Jan 2026 00:00:30 GMT', late));
    for (const reading of readings) expect(reading).toMatchObject({ hint: { delayMs: 30_000 } });
  });

  test('CLK-09: what is left of a second is waited for', () => {
    const reading = read('Thu, 01 Jan 2026 00:00:01 GMT', { receivedEpochMs: T0 + 700 });
    expect(reading).toMatchObject({ hint: { delayMs: 300 } });
  });
});
