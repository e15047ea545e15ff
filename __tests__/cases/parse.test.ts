import { describe, expect, test } from '@jest/globals';
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

test('PAR-14: the millisecond header of a vendor does not count unless it was asked for', async () => {
  const client = limitedOnce({ 'retry-after-ms': '1500', 'Retry-After': '30' });
  await client.get();
  expect(client.server.times()).toEqual([0, 30_000]);
});
