import { expect, test } from '@jest/globals';
import axios from 'axios';
import { setupCache } from 'axios-cache-interceptor';
import { heed } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { failureOf, rejecting, settled, worldWith } from '../support/world';

test('INT-01: an interceptor that hands on the data runs once for 503, 503, 200', async () => {
  const { api, server, ended } = scriptedClient([
    { status: 503 },
    { status: 503 },
    { status: 200, data: '{"v":1}' },
  ]);
  const runs = { success: 0, error: 0 };
  api.interceptors.response.use(
    ({ data }) => {
      runs.success += 1;
      return data;
    },
    (error: unknown) => {
      runs.error += 1;
      return rejecting(error);
    },
  );
  const got: unknown[] = [];
  await ended(api.get('/things').then((value: unknown) => got.push(value)));
  expect(got).toEqual([{ v: 1 }]);
  expect(runs).toEqual({ success: 1, error: 0 });
  expect(server.sent).toHaveLength(3);
});

test('INT-03: a limit is heeded though `validateStatus` takes every status', async () => {
  const twice = scriptedClient([{ status: 429, headers: { 'retry-after': '2' } }, { status: 200 }]);
  const { status } = await twice.get({ validateStatus: () => true });
  expect([status, twice.server.times()]).toEqual([200, [0, 2000]]);
});

test('INT-03: a limit for ever resolves, with the gate closed after each answer', async () => {
  const { get, server, heeding } = scriptedClient([{ status: 429, headers: { 'retry-after': '2' } }]);
  const { status, error } = await get({ validateStatus: () => true });
  expect([status, error]).toEqual([429, undefined]);
  expect(server.sent).toHaveLength(3);
  expect(heeding.snapshot().gates.map(({ epoch, state }) => [epoch, state])).toContainEqual([3, 'held']);
});

test('INT-05: a request interceptor never sees an encoded body', async () => {
  const { api, ended } = scriptedClient([{ status: 503 }, { status: 503 }, { status: 200 }]);
  const seen: string[] = [];
  api.interceptors.request.use((config) => {
    seen.push(typeof config.data);
    return config;
  });
  expect((await ended(api.put('/things', { a: 1 }))).status).toBe(200);
  expect(new Set(seen)).toEqual(new Set(['object']));
});

test.each([
  ['an Error', () => new Error('x')],
  ['a text', () => 'text'],
  ['undefined', () => undefined],
  ['a legacy cancel', () => new axios.Cancel('enough')],
])('INT-06: %s that a request interceptor throws reaches the caller as it is', async (_, make) => {
  const { api, clock, server } = scriptedClient([{ status: 200 }]);
  const thrown = make();
  api.interceptors.request.use(() => rejecting(thrown));
  expect(await failureOf(clock, api.get('/things'))).toBe(thrown);
  expect(server.sent).toEqual([]);
});

test('INT-08: installing three times makes three exchanges, not nine', async () => {
  const it = worldWith([{ status: 503 }], { exchanges: 3 });
  const handles = [1, 2, 3].map(() => heed(it.api, it.policy));
  expect(new Set(handles).size).toBe(1);
  await failureOf(it.clock, it.api.get('/things'));
  expect(it.server.sent).toHaveLength(3);
  expect(() => heed(it.api, {})).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS' }));
});

const CLOSED_FOR_A_MINUTE = { status: 429, headers: { 'retry-after': '60' } } as const;

test.each([
  ['a deadline of 1 s', {}, { budget: 1000 }, 'ERR_HEED_DEADLINE'],
  ['no place in the queue', { maxQueued: 0 }, {}, 'ERR_HEED_QUEUE_FULL'],
  ['a wait that is too long', {}, { maxHint: 1000 }, 'ERR_HEED_HINT_TOO_LONG'],
])(
  'INT-10: under a cache two equal calls behind a closed gate both reject for %s, and a third settles',
  async (_, policy, request, code) => {
    const it = worldWith([CLOSED_FOR_A_MINUTE, { status: 200 }], { ...EXACT, ...policy });
    heed(it.api, it.policy);
    await it.clock.advance(0);
    // The first answer closes the gate; its own call is not waited for.
    void settled(it.api.get('/things', { heed: { exchanges: 1 } }));
    await it.clock.advance(10);
    const cached = setupCache(it.api);
    const pair = [1, 2].map(() => settled(cached.get('/things', { heed: request })));
    const errors = await it.clock.until(Promise.all(pair));
    expect(it.clock.monoMs()).toBeLessThanOrEqual(1110);
    expect(errors.map(({ error }) => [error.code, error.isAxiosError, error.config.url])).toEqual([
      [code, true, '/things'],
      [code, true, '/things'],
    ]);
    const third = await it.clock.until(settled(cached.get('/things', { heed: request })));
    expect(third.error.code).toBe(code);
    expect(it.server.sent).toHaveLength(1);
  },
);

test('INT-10: under a cache two equal calls behind a closed gate both reject at detach()', async () => {
  const it = worldWith([CLOSED_FOR_A_MINUTE, { status: 200 }], EXACT);
  const heeding = heed(it.api, it.policy);
  const cached = setupCache(it.api);
  void settled(it.api.get('/things', { cache: false } as object));
  await it.clock.advance(10);
  const pair = Promise.all([1, 2].map(() => settled(cached.get('/things'))));
  await it.clock.advance(10);
  heeding.detach();
  const errors = await it.clock.until(pair);
  expect(errors.map(({ error }) => [error.code, error.isAxiosError, error.config.url])).toEqual([
    ['ERR_HEED_DETACHED', true, '/things'],
    ['ERR_HEED_DETACHED', true, '/things'],
  ]);
  expect((await it.clock.until(cached.get('/things'))).status).toBe(200);
  expect(heeding.snapshot().waiting).toBe(0);
});

test('interceptors in the order of their registration, as axios may be told to run them, run once too', async () => {
  const it = scriptedClient([{ status: 503 }, { status: 503 }, { status: 200, data: 'ok' }], EXACT, {
    axiosDefaults: { transitional: { legacyInterceptorReqResOrdering: false } },
  });
  const order: string[] = [];
  for (const name of ['first', 'second']) {
    it.api.interceptors.request.use((config) => {
      order.push(name);
      return config;
    });
  }
  expect((await it.get()).data).toBe('ok');
  expect(order).toEqual(['first', 'second']);
  expect(it.server.sent).toHaveLength(3);
});
