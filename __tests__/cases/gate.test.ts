import { expect, jest, test } from '@jest/globals';
import { byTenant, byToken } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import type { Step } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';
import type { Settled } from '../support/world';

const OK = { status: 200, afterMs: 20 } as const;

function limit(seconds: number, afterMs: number = 0): Step {
  return { status: 429, headers: { 'retry-after': String(seconds) }, afterMs };
}

function client(script: Parameters<typeof scriptedClient>[0], policy: HeedPolicy = {}): ScriptedClient {
  return scriptedClient(script, { ...EXACT, ...policy });
}

/** Calls at instants, in order of time. */
async function at(
  { clock }: ScriptedClient,
  calls: readonly (readonly [ms: number, call: () => Promise<unknown>])[],
): Promise<readonly Promise<Settled>[]> {
  const ends = [];
  for (const [ms, call] of calls) {
    await clock.advanceTo(ms);
    ends.push(settled(call()));
  }
  return ends;
}

test('GAT-01: a hint holds everyone of its scope, and all go afterwards', async () => {
  const it = client(({ atMonoMs }) => (atMonoMs < 60_000 ? limit(60) : OK));
  const get = (): Promise<unknown> => it.api.get('/things');
  const ends = await at(it, [
    [0, get],
    [1000, get],
    [2000, get],
    [3000, get],
  ]);
  const all = await it.clock.until(Promise.all(ends));
  expect(all.map(({ value }) => value?.status)).toEqual([200, 200, 200, 200]);
  expect(it.server.times()[0]).toBe(0);
  expect(
    it.server
      .times()
      .slice(1)
      .every((ms) => ms >= 60_000),
  ).toBe(true);
});

test('GAT-03: the end of a hold reaches waiters of three routes under one wider scope', async () => {
  const it = client(() => OK, {
    scopes: [({ url }) => url, () => 'global'],
  });
  it.heeding.hold({ by: 'own', value: 'global' }, it.clock.wallEpochMs() + 5000, 'closed for the test');
  const ends = ['/a', '/b', '/c'].map((url) => settled(it.api.get(url)));
  await it.clock.advance(1000);
  expect(it.heeding.snapshot().waiting).toBe(3);
  const all = await it.clock.until(Promise.all(ends));
  expect(all.map(({ value }) => value?.status)).toEqual([200, 200, 200]);
  expect(it.server.times().every((ms) => ms >= 5000 && ms <= 7000)).toBe(true);
});

test('GAT-05: a later, longer hint holds what waited for the shorter one', async () => {
  const script: Step[] = [limit(2), limit(9, 1000), OK, OK];
  const it = client(script);
  const ends = await at(it, [
    [0, () => it.api.get('/things')],
    [0, () => it.api.get('/things')],
  ]);
  const all = await it.clock.until(Promise.all(ends));
  expect(all.map(({ value }) => value?.status)).toEqual([200, 200]);
  expect(
    it.server
      .times()
      .slice(2)
      .every((ms) => ms >= 10_000),
  ).toBe(true);
});

test('GAT-06: what waits for a free place is asked again when it goes', async () => {
  const it = client(({ number }) => (number === 1 ? limit(5, 100) : OK), { concurrency: 1 });
  const ends = [1, 2, 3].map(() => settled(it.api.get('/things')));
  const all = await it.clock.until(Promise.all(ends));
  expect(all.map(({ value }) => value?.status)).toEqual([200, 200, 200]);
  expect(
    it.server
      .times()
      .slice(1)
      .every((ms) => ms >= 5100),
  ).toBe(true);
});

test('GAT-08: a success of an exchange sent earlier opens nothing', async () => {
  const it = client(({ number }) => {
    if (number === 1) return limit(30, 100);
    return number === 2 ? { status: 200, afterMs: 1000 } : OK;
  });
  const ends = await at(it, [
    [0, () => it.api.get('/things')],
    [0, () => it.api.get('/things')],
    [2000, () => it.api.get('/things')],
  ]);
  await it.clock.until(Promise.all(ends));
  expect(
    it.server
      .times()
      .slice(2)
      .every((ms) => ms >= 30_100),
  ).toBe(true);
  expect(it.server.sent).toHaveLength(4);
});

test('GAT-09: the limit of one token does not hold another', async () => {
  const it = client(({ headers, atMonoMs }) =>
    headers['authorization'] === 't1' && atMonoMs < 60_000 ? limit(60) : OK,
  );
  const as = (token: string) => () => it.api.get('/things', { headers: { Authorization: token } });
  const ends = await at(it, [
    [0, as('t1')],
    [1000, as('t2')],
    [1000, as('t1')],
  ]);
  await it.clock.until(Promise.all(ends));
  const sent = it.server.sent.map(({ headers, atMonoMs }) => [headers['authorization'], atMonoMs]);
  expect(sent.slice(0, 2)).toEqual([
    ['t1', 0],
    ['t2', 1000],
  ]);
  expect(sent.slice(2).every(([token, ms]) => token === 't1' && Number(ms) >= 60_000)).toBe(true);
});

test.each([
  [20_000, undefined],
  [30_000, 30_000],
])('GAT-11: a call of two scopes waits for the later of them: %d ms', async (expected, tenantUntilMs) => {
  const it = client(() => OK, { scopes: [byTenant('x-tenant'), () => 'app'] });
  const now = it.clock.wallEpochMs();
  it.heeding.hold({ by: 'own', value: 'app' }, now + 20_000, 'app');
  if (tenantUntilMs !== undefined) it.heeding.hold({ by: 'tenant', value: '7' }, now + tenantUntilMs, '7');
  await it.ended(it.api.get('/things', { headers: { 'X-Tenant': '7' } }));
  expect(it.server.times()).toEqual([expected]);
});

test('GAT-12: gates of ten thousand tokens are forgotten', async () => {
  const seen = new Set<string>();
  const it = client(
    ({ headers }) => {
      const token = headers['authorization']!;
      if (seen.has(token)) return OK;
      seen.add(token);
      return limit(1);
    },
    { scopes: [byToken()] },
  );
  const calls: Promise<unknown>[] = [];
  for (let batch = 0; batch < 100; batch += 1) {
    for (let n = 0; n < 100; n += 1) {
      calls.push(settled(it.api.get('/things', { headers: { Authorization: `t${batch}-${n}` } })));
    }
    await it.clock.advance(108_000);
  }
  await it.clock.until(Promise.all(calls));
  expect(it.server.sent).toHaveLength(20_000);
  await it.clock.advance(61_000);
  await it.ended(it.api.get('/things', { headers: { Authorization: 'last' } }));
  expect(it.heeding.snapshot().gates).toHaveLength(1);
});

test('GAT-13: beyond the limit of the queue a call is refused at once, and the others are served', async () => {
  const it = client(({ atMonoMs }) => (atMonoMs < 60_000 ? limit(60) : OK), { maxQueued: 100 });
  await it.ended(it.api.get('/things', { heed: { exchanges: 1 } }));
  const served = Array.from({ length: 100 }, () => settled(it.api.get('/things')));
  const refused = settled(it.api.get('/things'));
  const { error } = await it.clock.until(refused);
  expect(it.clock.monoMs()).toBeLessThanOrEqual(10);
  expect([error.code, error.heed.reason, error.response]).toEqual([
    'ERR_HEED_QUEUE_FULL',
    'queue-full',
    undefined,
  ]);
  expect(it.heeding.snapshot().waiting).toBe(100);
  const ends = await it.clock.until(Promise.all(served));
  expect(ends.every(({ value }) => value?.status === 200)).toBe(true);
  expect(
    it.server
      .times()
      .slice(1)
      .every((ms) => ms >= 60_000),
  ).toBe(true);
});

test.each(['at-once', 'rejecting'] as const)(
  'GAT-16: an adapter that throws (%s) for the first of the queue does not wedge the others',
  async (how) => {
    const stray = jest.fn();
    process.on('unhandledRejection', stray);
    try {
      const thrown = new Error('no such adapter');
      const it = client(
        ({ atMonoMs, url }) => {
          if (atMonoMs < 5000) return limit(5);
          return url.endsWith('/a') ? { throws: thrown, how } : OK;
        },
        { scopes: [() => 'one'] },
      );
      await it.ended(it.api.get('/first', { heed: { exchanges: 1 } }));
      const ends = ['/a', '/b', '/c'].map((url) => settled(it.api.get(url)));
      const [a, b, c] = await it.clock.until(Promise.all(ends));
      expect(a?.error).toBe(thrown);
      expect([b?.value?.status, c?.value?.status]).toEqual([200, 200]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(stray).not.toHaveBeenCalled();
      expect(it.heeding.snapshot().gates.every(({ inFlight }) => inFlight === 0)).toBe(true);
    } finally {
      process.off('unhandledRejection', stray);
    }
  },
);

test('GAT-17: a failure without a hint holds nobody else', async () => {
  const it = client(({ number }) => (number === 1 ? { status: 503 } : OK));
  const ends = await at(it, [
    [0, () => it.api.get('/a')],
    [50, () => it.api.get('/a')],
  ]);
  await it.clock.until(Promise.all(ends));
  expect(it.server.times()).toEqual([0, 50, 200]);
});

test('GAT-17: the same failure with a hint holds the scope', async () => {
  const it = client(({ number }) => (number === 1 ? { status: 503, headers: { 'retry-after': '5' } } : OK));
  const ends = await at(it, [
    [0, () => it.api.get('/a')],
    [50, () => it.api.get('/a')],
  ]);
  await it.clock.until(Promise.all(ends));
  expect(it.server.times()[0]).toBe(0);
  expect(
    it.server
      .times()
      .slice(1)
      .every((ms) => ms >= 5000),
  ).toBe(true);
});

test('GAT-18: fifty equal hints close the gate once', async () => {
  const it = client(({ atMonoMs }) => (atMonoMs < 9000 ? { ...limit(10), afterMs: 300 } : OK), {
    exchanges: 3,
  });
  const ends = Array.from({ length: 50 }, () => settled(it.api.get('/things')));
  await it.clock.advance(700);
  expect(it.server.sent).toHaveLength(50);
  const all = await it.clock.until(Promise.all(ends));
  expect(all.every(({ value }) => value?.status === 200)).toBe(true);
  const next = it.server.times()[50]!;
  expect(next).toBeGreaterThanOrEqual(10_300);
  expect(next).toBeLessThanOrEqual(11_300);
  expect(it.heeding.snapshot().gates.map(({ epoch }) => epoch)).toEqual([1, 0]);
});
