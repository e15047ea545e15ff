import { describe, expect, test } from '@jest/globals';
import { EXACT, hintsIn, scriptedClient, T0 } from '../support/scripted-client';
import type { Step } from '../support/scripted-adapter';

const date = (epochMs: number): string => new Date(epochMs).toUTCString();
const limited = (headers: Record<string, string>, afterMs = 0): Step => ({ status: 429, headers, afterMs });
const fine: Step = { status: 200 };

describe('a date and a local clock that is wrong', () => {
  test.each([
    ['slow', -600_000],
    ['fast', 600_000],
  ])('CLK-01: a %s local clock neither stretches nor cuts the wait', async (_name, offMs) => {
    const headers = { Date: date(T0), 'Retry-After': date(T0 + 30_000) };
    const client = scriptedClient(
      [limited(headers), fine],
      { ...EXACT, maxHint: 120_000 },
      {
        startEpochMs: T0 + offMs,
      },
    );
    const { status, journal } = await client.get();
    expect(status).toBe(200);
    expect(client.server.times()).toEqual([0, 30_000]);
    expect(hintsIn(journal)[0]).toMatchObject({ clock: 'server-date', skewMs: -offMs, delayMs: 30_000 });
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['no Date', {}],
    ['a Date that is none', { Date: 'yesterday' }],
    ['two that differ', { Date: [date(T0), date(T0 + 5000)] }],
  ])('CLK-01: %s leaves the local clock', async (_name, more) => {
    const headers = { 'Retry-After': date(T0 + 10_000), ...more };
    const client = scriptedClient([{ status: 429, headers }, fine]);
    const { journal } = await client.get();
    expect(client.server.times()).toEqual([0, 10_000]);
    expect(hintsIn(journal)[0]).toMatchObject({ clock: 'local' });
  });

  test('CLK-01: the time that an answer lay in caches is counted, and never to send early', async () => {
    const headers = { Date: date(T0 - 100_000), Age: '100', 'Retry-After': date(T0 + 10_000) };
    const client = scriptedClient([limited(headers), fine]);
    await client.get();
    expect(client.server.times()[1]).toBeGreaterThanOrEqual(10_000);
    expect(client.server.times()[1]).toBeLessThanOrEqual(11_000);
  });

  test('CLK-08: the correction belongs to each answer, so parallel requests all wait', async () => {
    const headers = { Date: date(T0), 'Retry-After': date(T0 + 30_000) };
    const answered = new Set<string>();
    const client = scriptedClient(
      ({ url }) => {
        if (answered.has(url)) return fine;
        answered.add(url);
        return limited(headers);
      },
      EXACT,
      { startEpochMs: T0 + 600_000 },
    );
    const calls = [1, 2, 3, 4, 5].map((n) => client.api.get(`/things/${n}`));
    const responses = await client.clock.until(Promise.all(calls));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const times = client.server.times();
    expect(times.filter((ms) => ms > 0 && ms < 30_000)).toEqual([]);
    expect(times).toHaveLength(10);
  });

  test('CLK-09: what is left of a second is waited for, not rounded down', async () => {
    const client = scriptedClient([limited({ 'Retry-After': date(T0 + 1000) }), fine], EXACT, {
      startEpochMs: T0 + 700,
    });
    await client.get();
    expect(client.server.times()).toEqual([0, 300]);
  });

  test('CLK-09: a fraction of a millisecond of monotonic time is never cut off', async () => {
    const client = scriptedClient([limited({ 'Retry-After': '1' }, 0.25), fine]);
    await client.get();
    expect(client.server.times()[1]).toBeGreaterThanOrEqual(1000.25);
    expect(client.server.times()[1]).toBeLessThan(1002);
  });
});

describe('a date is an instant, computed once', () => {
  test('CLK-04: a slow body does not move it', async () => {
    const client = scriptedClient([limited({ 'Retry-After': date(T0 + 5000) }, 3000), fine]);
    await client.get();
    expect(client.server.times()).toEqual([0, 5000]);
  });

  test('CLK-04: seconds count from the receipt, never from an earlier moment', async () => {
    const client = scriptedClient([limited({ 'Retry-After': '5' }, 3000), fine]);
    await client.get();
    expect(client.server.times()).toEqual([0, 8000]);
  });
});

describe('a wall clock that jumps while a hold lasts', () => {
  test.each([3_600_000, -3_600_000])('CLK-05: by %d ms moves no wait in seconds', async (jumpMs) => {
    const client = scriptedClient([limited({ 'Retry-After': '10' }), fine]);
    const call = client.api.get('/things');
    await client.clock.advance(2000);
    client.clock.jumpWall(jumpMs);
    expect((await client.ended(call)).status).toBe(200);
    expect(client.server.times()).toEqual([0, 10_000]);
  });

  test.each([3_600_000, -3_600_000])('CLK-05: by %d ms moves no wait for a date', async (jumpMs) => {
    const client = scriptedClient([limited({ 'Retry-After': date(T0 + 10_000) }), fine]);
    const call = client.api.get('/things');
    await client.clock.advance(2000);
    client.clock.jumpWall(jumpMs);
    expect((await client.ended(call)).status).toBe(200);
    expect(client.server.times()).toEqual([0, 10_000]);
  });

  test('CLK-05: forward past a deadline ends the operation instead of sending too late', async () => {
    const client = scriptedClient([limited({ 'Retry-After': '10' }), fine], { ...EXACT, budget: 30_000 });
    const call = client.api.get('/things');
    call.catch(() => undefined);
    await client.clock.advance(2000);
    client.clock.jumpWall(3_600_000);
    const { error } = await client.ended(call);
    expect(error?.heed.reason).toBe('deadline-passed');
    expect(client.server.times()).toEqual([0]);
  });
});
