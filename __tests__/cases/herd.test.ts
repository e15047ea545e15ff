import { expect, test } from '@jest/globals';
import { isHeedError } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import type { SentExchange, Step } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import { failureOf, settled } from '../support/world';
import type { Settled } from '../support/world';

interface Herd extends ScriptedClient {
  readonly ends: readonly Promise<Settled>[];
}

const UNTIL_MS = 10_000;

/** So many calls behind a gate that opens at 10 s; what the server does then is `after`. */
async function herdOf(
  count: number,
  after: (exchange: SentExchange) => Step,
  policy: HeedPolicy = {},
): Promise<Herd> {
  const client = scriptedClient(
    (exchange) =>
      exchange.number === 1 ? { status: 429, headers: { 'retry-after': '10' } } : after(exchange),
    { ...EXACT, ...policy },
  );
  const ends = [settled(client.api.get('/things'))];
  await client.clock.advance(1);
  while (ends.length < count) ends.push(settled(client.api.get('/things')));
  await client.clock.advance(1);
  return { ...client, ends };
}

/** After the hold. */
function startsOf({ server }: ScriptedClient): readonly number[] {
  return server.times().slice(1);
}

/** How many were in flight right after each was sent, and how many had been answered by then. */
function loadsOf({
  server,
}: ScriptedClient): readonly { readonly inFlight: number; readonly answered: number }[] {
  return server.sent.slice(1).map(({ number, atMonoMs }) => {
    const before = server.sent.slice(1).filter((other) => other.number <= number);
    const answered = before.filter(({ endedMonoMs }) => endedMonoMs !== undefined && endedMonoMs <= atMonoMs);
    return { inFlight: before.length - answered.length, answered: answered.length };
  });
}

test('HRD-01: twenty held calls do not come back at one instant', async () => {
  const herd = await herdOf(20, () => ({ status: 200, afterMs: 50 }));
  const all = await herd.clock.until(Promise.all(herd.ends));
  expect(all.map(({ value }) => value?.status)).toEqual(all.map(() => 200));
  const starts = startsOf(herd);
  expect(starts).toHaveLength(20);
  expect(starts.filter((ms) => ms < UNTIL_MS)).toEqual([]);
  expect(starts.filter((ms) => ms === UNTIL_MS)).toHaveLength(1);
  const slots = slotsOf(starts);
  expect(Math.max(...slots)).toBeLessThanOrEqual(8);
  expect(new Set(starts).size).toBeGreaterThanOrEqual(4);
  expect(herd.clock.monoMs()).toBeLessThanOrEqual(12_000);
});

test('HRD-03: one probe goes first, and the others only after its answer', async () => {
  const herd = await herdOf(20, () => ({ status: 200, afterMs: 500 }));
  await herd.clock.advanceTo(10_499);
  expect(startsOf(herd)).toEqual([UNTIL_MS]);
  await herd.clock.until(Promise.all(herd.ends));
  expect(
    startsOf(herd)
      .slice(1)
      .every((ms) => ms >= 10_500),
  ).toBe(true);
});

test('HRD-05: what is in flight grows with what was answered, and the ramp ends', async () => {
  const herd = await herdOf(64, () => ({ status: 200, afterMs: 100 }));
  const all = await herd.clock.until(Promise.all(herd.ends));
  expect(all.every(({ value }) => value?.status === 200)).toBe(true);
  expect(herd.clock.monoMs()).toBeLessThanOrEqual(12_000);
  expect(loadsOf(herd).filter(({ inFlight, answered }) => inFlight > answered + 1)).toEqual([]);
});

test('HRD-06: when the caller of the probe aborts, the next of the queue probes', async () => {
  const herd = await herdOf(3, ({ config }) => ({
    status: 200,
    afterMs: config.signal === undefined ? 50 : 1000,
  }));
  // Of the first in the queue the one with the most exchanges left probes, so this one does.
  const controller = new AbortController();
  const probe = settled(herd.api.get('/things', { signal: controller.signal, heed: { exchanges: 9 } }));
  const others = [...herd.ends, ...Array.from({ length: 6 }, () => settled(herd.api.get('/things')))];
  await herd.clock.advanceTo(10_199);
  expect(startsOf(herd)).toHaveLength(1);
  expect(herd.server.sent.at(-1)?.config.signal).toBeDefined();
  await herd.clock.advance(1);
  controller.abort();
  expect((await herd.clock.until(probe)).error.code).toBe('ERR_CANCELED');
  await herd.clock.advanceTo(10_300);
  expect(startsOf(herd)[1]).toBeLessThanOrEqual(10_300);
  const all = await herd.clock.until(Promise.all(others));
  expect(all.map(({ value }) => value?.status)).toEqual(Array.from({ length: 9 }, () => 200));
});

test('HRD-08: a share of the traffic bounds how often failures are repeated', async () => {
  const { api, clock, server } = scriptedClient([{ status: 500, afterMs: 10 }], {
    ...EXACT,
    allowance: { start: 10, perExchange: 0.1, perSecond: 0 },
  });
  const ends: Promise<Settled>[] = [];
  for (let n = 0; n < 200; n += 1) {
    ends.push(settled(api.get('/things')));
    await clock.advance(100);
  }
  const errors = (await clock.until(Promise.all(ends))).map(({ error }) => error);
  expect(server.sent.length).toBeLessThanOrEqual(230);
  expect(server.sent.length).toBeGreaterThan(200);
  const atOnce = errors.filter(({ heed }) => heed.exchanges === 1);
  expect(atOnce.length).toBeGreaterThan(150);
  expect(
    atOnce.filter(({ heed, response }) => heed.reason !== 'allowance-empty' || response.status !== 500),
  ).toEqual([]);
});

test('HRD-10: a layer above can see that the tries are spent, and stops', async () => {
  const { api, clock, server } = scriptedClient([{ status: 503 }]);
  const outer = async (): Promise<unknown> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await api.get('/things');
      } catch (error) {
        const worthwhile = !isHeedError(error) || error.heed.retryable;
        if (!worthwhile || tries === 3) throw error;
      }
    }
  };
  const error = await failureOf(clock, outer());
  expect([error.heed.reason, error.heed.retryable]).toEqual(['exchanges-spent', false]);
  expect(server.sent).toHaveLength(3);
});

test('HRD-11: without any hint the queue starts slowly, and all get through', async () => {
  let nextAllowedMs = 0;
  const throttledAtMs: number[] = [];
  const { api, clock, server } = scriptedClient(
    ({ number, atMonoMs }) => {
      if (number > 1 && atMonoMs >= nextAllowedMs) {
        nextAllowedMs = atMonoMs + 1000;
        return { status: 200, afterMs: 20 };
      }
      throttledAtMs.push(atMonoMs);
      return { status: 429, afterMs: 20 };
    },
    { jitter: 0, backoff: { first: 1000, factor: 2 }, exchanges: 12 },
  );
  const ends = [settled(api.get('/things'))];
  await clock.advance(30);
  while (ends.length < 10) ends.push(settled(api.get('/things')));
  const all = await clock.until(Promise.all(ends));
  expect(all.map(({ value }) => value?.status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(server.times()[1]).toBe(1020);
  expect(server.times().filter((ms) => ms >= 1020 && ms < 2020).length).toBeLessThanOrEqual(3);
  expect(throttledAtMs.filter((ms) => ms < 11_020).length - 1).toBeLessThanOrEqual(5);
});

/** How many started in each slot of 10 ms. */
function slotsOf(starts: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const ms of starts) counts.set(Math.floor(ms / 10), (counts.get(Math.floor(ms / 10)) ?? 0) + 1);
  return [...counts.values()];
}
