import { expect, test } from '@jest/globals';
import { EXACT, scriptedClient } from '../support/scripted-client';

const DAY_MS = 86_400_000;

test('TMR-01: thirty days are waited for in parts, none longer than a timer can be', async () => {
  const headers = { 'Retry-After': '2592000' };
  const client = scriptedClient([{ status: 429, headers }, { status: 200 }], { ...EXACT, maxHint: 'none' });
  const delays: number[] = [];
  const setTimer = client.clock.setTimer.bind(client.clock);
  client.clock.setTimer = (delayMs, fire) => {
    delays.push(delayMs);
    return setTimer(delayMs, fire);
  };
  expect((await client.get()).status).toBe(200);
  expect(client.server.times()).toEqual([0, 30 * DAY_MS]);
  expect(delays.filter((ms) => ms > 2 ** 31 - 1)).toEqual([]);
});

test('TMR-01: a timeout of more than a timer can be is cut, not fired at once', async () => {
  const client = scriptedClient([{ status: 200, afterMs: 1000 }]);
  expect((await client.get({ timeout: 30 * DAY_MS })).status).toBe(200);
  expect(client.server.sent[0]?.config.timeout).toBe(2 ** 31 - 1);
});

test('TMR-01: a budget of thirty days is none of a millisecond', async () => {
  const client = scriptedClient([{ status: 200, afterMs: 1000 }], { ...EXACT, budget: { days: 30 } });
  expect((await client.get()).status).toBe(200);
  expect(client.server.sent[0]?.config.timeout).toBe(2 ** 31 - 1);
});

test('TMR-01: timers that fire too early send nothing early', async () => {
  const client = scriptedClient([{ status: 429, headers: { 'Retry-After': '10' } }, { status: 200 }], EXACT, {
    timersEarlyByMs: 5,
  });
  await client.get();
  expect(client.server.times()[1]).toBeGreaterThanOrEqual(10_000);
  expect(client.server.times()[1]).toBeLessThan(10_050);
});

test('TMR-01: timers that fire too late are met by the deadline, not by a late exchange', async () => {
  const limited = { status: 429, headers: { 'Retry-After': '10' } };
  const client = scriptedClient([limited, { status: 200 }], EXACT, { timersEveryMs: 60_000 });
  const { status, error } = await client.get({ heed: { budget: 30_000 } });
  expect(client.server.times()).toEqual([0]);
  expect(status).toBe(429);
  expect(error?.heed.reason).toBe('deadline-passed');
});

test('TMR-03: doubling stops at its lid, and no gap is short or endless', async () => {
  const client = scriptedClient([{ status: 503 }], {
    jitter: 0,
    exchanges: 60,
    allowance: 'none',
    backoff: { first: 1000, factor: 2, max: { seconds: 30 } },
  });
  const { error } = await client.get();
  expect(error?.heed.reason).toBe('exchanges-spent');
  const times = client.server.times();
  expect(times).toHaveLength(60);
  const gaps = times.slice(1).map((ms, at) => ms - (times[at] ?? 0));
  expect(gaps.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(gaps.slice(5).every((gapMs) => gapMs === 30_000)).toBe(true);
});

test('TMR-03: a factor that reaches infinity still stops at the lid', async () => {
  const client = scriptedClient([{ status: 503 }], {
    jitter: 0,
    exchanges: 4,
    allowance: 'none',
    backoff: { first: 1000, factor: Number.MAX_VALUE, max: 5000 },
  });
  await client.get();
  expect(client.server.times()).toEqual([0, 1000, 6000, 11_000]);
});

test('TMR-06: a gate that is held without waiters sets no timer', async () => {
  const client = scriptedClient([{ status: 429, headers: { 'Retry-After': '60' } }]);
  await client.get({ heed: false });
  expect(client.clock.pending).toEqual([]);
  expect(client.heeding.snapshot().gates.some(({ state }) => state === 'held')).toBe(true);
});

test('TMR-06: an operation that has ended leaves no timer behind, however it ended', async () => {
  const client = scriptedClient([
    { status: 429, headers: { 'Retry-After': '1' } },
    { status: 503 },
    { status: 200 },
  ]);
  await client.get({ heed: { budget: { minutes: 5 } } });
  await client.get({ heed: { budget: 50, exchanges: 1 } });
  expect(client.clock.pending).toEqual([]);
});
