import { describe, expect, test } from '@jest/globals';
import { fractionalSeconds, retryAfterMs, xRateLimit } from '../../lib/vendors/index';
import { EXACT, hintsIn, scriptedClient, T0 } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';

/** 429 with these headers, then 200. */
function limitedOnce(headers: Record<string, string>, policy = EXACT): ScriptedClient {
  return scriptedClient([{ status: 429, headers }, { status: 200 }], policy);
}

const date = (epochMs: number): string => new Date(epochMs).toUTCString();

describe('an elapsed hint', () => {
  test('PAR-01: a date that has passed lowers nothing', async () => {
    const client = limitedOnce({ Date: date(T0), 'Retry-After': 'Wed, 31 Dec 2025 23:59:50 GMT' });
    const { status, journal } = await client.get();
    expect(status).toBe(200);
    expect(client.server.times()).toEqual([0, 200]);
    expect(hintsIn(journal)[0]).toMatchObject({ kind: 'hint', elapsed: true, delayMs: 0 });
  });

  test.each([date(T0), 'Thu, 01 Jan 1970 00:00:00 GMT', 'Wednesday, 31-Dec-25 23:59:50 GMT'])(
    'PAR-01: %s is no minimum either',
    async (value) => {
      const client = limitedOnce({ Date: date(T0), 'Retry-After': value });
      const { journal } = await client.get();
      expect(client.server.times()).toEqual([0, 200]);
      expect(hintsIn(journal)[0]).toMatchObject({ kind: 'hint', elapsed: true });
    },
  );

  test('PAR-07: zero is a hint, and the own backoff still applies', async () => {
    const client = limitedOnce({ 'Retry-After': '0' }, { ...EXACT, backoff: { first: 5000, factor: 2 } });
    const { journal } = await client.get();
    expect(client.server.times()).toEqual([0, 5000]);
    expect(hintsIn(journal)[0]).toMatchObject({ kind: 'hint', form: 'delay-seconds', delayMs: 0, raw: '0' });
    expect(hintsIn(journal)[0]).not.toHaveProperty('elapsed');
  });
});

describe('a value outside the grammar', () => {
  test('PAR-02: an unreadable date is malformed, and the own backoff paces', async () => {
    const headers = { 'Retry-After': 'Wed, 99 Foo 2026 25:61:00 GMT' };
    const client = scriptedClient([{ status: 429, headers }, { status: 429, headers }, { status: 200 }]);
    const { status, journal } = await client.get();
    expect(status).toBe(200);
    expect(client.server.times()).toEqual([0, 200, 600]);
    expect(hintsIn(journal).slice(0, 2)).toEqual([
      { kind: 'malformed', because: 'invalid', source: 'retry-after', raw: headers['Retry-After'] },
      { kind: 'malformed', because: 'invalid', source: 'retry-after', raw: headers['Retry-After'] },
    ]);
  });

  test.each([
    ['PAR-04', '299.997'],
    ['PAR-04', '2.0'],
    ['PAR-06', '1000abc'],
    ['PAR-06', '5s'],
    ['PAR-06', '3 seconds'],
    ['PAR-06', '12:00'],
    ['PAR-13', '0x10'],
    ['PAR-13', '1e3'],
    ['PAR-13', 'Infinity'],
    ['PAR-13', '-5'],
    ['PAR-13', '+5'],
    ['PAR-13', '٧'],
    ['PAR-13', 'NaN'],
    ['PAR-13', '1,5'.replace(',', '_')],
  ])('%s: %s is malformed, and the own backoff applies', async (_id, value) => {
    const client = limitedOnce({ 'Retry-After': value }, { ...EXACT, maxHint: { minutes: 10 } });
    const { journal } = await client.get();
    expect(client.server.times()).toEqual([0, 200]);
    expect(hintsIn(journal)[0]).toMatchObject({ kind: 'malformed', because: 'invalid' });
  });

  test('PAR-13: no header, and an empty one, are told apart, and neither is zero', async () => {
    const missing = limitedOnce({ Date: date(T0) });
    expect(hintsIn((await missing.get()).journal)[0]).toEqual({ kind: 'silent', because: 'missing' });
    expect(missing.server.times()).toEqual([0, 200]);
    const empty = limitedOnce({ 'Retry-After': '' });
    expect(hintsIn((await empty.get()).journal)[0]).toMatchObject({ kind: 'malformed', because: 'empty' });
    expect(empty.server.times()).toEqual([0, 200]);
  });

  test('PAR-13: white space around a number is not part of it', async () => {
    const client = limitedOnce({ 'Retry-After': '  7  ' });
    await client.get();
    expect(client.server.times()).toEqual([0, 7000]);
  });
});

describe('the bound on hints', () => {
  const policy = { ...EXACT, maxHint: { seconds: 60 } };

  test('PAR-09: includes its own value', async () => {
    const client = limitedOnce({ 'Retry-After': '60' }, policy);
    expect((await client.get()).status).toBe(200);
    expect(client.server.times()).toEqual([0, 60_000]);
  });

  test('PAR-09: one second more is too long, and no earlier try is made', async () => {
    const client = limitedOnce({ 'Retry-After': '61' }, policy);
    const { error } = await client.get();
    expect(error?.heed).toMatchObject({ reason: 'hint-too-long', waitMs: 61_000 });
    expect(client.server.times()).toEqual([0]);
  });

  test('PAR-09: the default bound of a minute includes its own value, too', async () => {
    const client = limitedOnce({ 'Retry-After': '60' });
    await client.get();
    expect(client.server.times()).toEqual([0, 60_000]);
  });

  test('PAR-09: a number of any length is too long, never short', async () => {
    const client = limitedOnce({ 'Retry-After': '9'.repeat(400) }, { ...EXACT, maxHint: 'none' });
    const { error } = await client.get();
    expect(error?.heed.reason).toBe('hint-too-long');
    expect(client.server.times()).toEqual([0]);
  });
});

describe('readers that were asked for', () => {
  test.each([
    ['299.997', 299_997, 300_000],
    ['2.0', 2000, 2000],
    ['0.0001', 200, 200],
    ['1.0001', 1001, 1002],
  ])('PAR-04: fractional seconds count, rounded up: %s', async (value, atLeastMs, atMostMs) => {
    const policy = { ...EXACT, maxHint: { minutes: 10 }, hints: [fractionalSeconds()] };
    const client = limitedOnce({ 'Retry-After': value }, policy);
    await client.get();
    expect(client.server.times()[1]).toBeGreaterThanOrEqual(atLeastMs);
    expect(client.server.times()[1]).toBeLessThanOrEqual(atMostMs);
  });

  const both = { 'retry-after-ms': '1500', 'Retry-After': '30' };

  test('PAR-14: milliseconds of a vendor count by choice, over the seconds beside them', async () => {
    const client = limitedOnce(both, { ...EXACT, hints: [retryAfterMs()] });
    await client.get();
    expect(client.server.times()).toEqual([0, 1500]);
  });

  test('PAR-14: without that choice they do not', async () => {
    const client = limitedOnce(both);
    await client.get();
    expect(client.server.times()).toEqual([0, 30_000]);
  });

  const spent = { 'X-RateLimit-Remaining': '0' };

  test.each([{}, spent])('PAR-16: an instant that has just gone is no wait: with %j', async (more) => {
    const policy = { ...EXACT, maxHint: { seconds: 300 }, hints: [xRateLimit({ reset: 'epoch-seconds' })] };
    const client = limitedOnce({ 'X-RateLimit-Reset': '1767225595', ...more }, policy);
    await client.get();
    expect(client.server.times()).toEqual([0, 200]);
  });

  test('PAR-16: one to come is waited for', async () => {
    const policy = { ...EXACT, hints: [xRateLimit({ reset: 'epoch-seconds' })] };
    const client = limitedOnce({ 'X-RateLimit-Reset': '1767225605', ...spent }, policy);
    await client.get();
    expect(client.server.times()).toEqual([0, 5000]);
  });

  test.each([{}, spent])('PAR-17: Retry-After comes before a later window: with %j', async (more) => {
    const headers = { 'Retry-After': '1', 'X-RateLimit-Reset': '6', ...more };
    const client = limitedOnce(headers, { ...EXACT, hints: [xRateLimit({ reset: 'seconds' })] });
    await client.get();
    expect(client.server.times()).toEqual([0, 1000]);
  });
});
