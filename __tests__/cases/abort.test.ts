import { expect, jest, test } from '@jest/globals';
import axios from 'axios';
import { journalOf } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

/** Two ways to cancel: by signal, and by the cancel token of old. */
const WAYS = [
  [
    'an AbortSignal',
    () => {
      const controller = new AbortController();
      return { config: { signal: controller.signal }, cancel: () => controller.abort() };
    },
  ],
  [
    'a legacy cancel token',
    () => {
      const { token, cancel } = axios.CancelToken.source();
      return { config: { cancelToken: token }, cancel: () => cancel() };
    },
  ],
] as const;

/** A gate that is closed until then, by an answer to somebody else. */
async function closedFor(seconds: number): Promise<ScriptedClient> {
  const client = scriptedClient(({ number }) =>
    number === 1
      ? { status: 429, headers: { 'retry-after': String(seconds) } }
      : { status: 200, afterMs: 20 },
  );
  void settled(client.api.get('/things', { heed: { exchanges: 1 } }));
  await client.clock.advance(0);
  return client;
}

test.each(WAYS)('ABT-01: a wait ends at once when %s says so, and nothing is left of it', async (_, way) => {
  const { api, clock, server, heeding } = scriptedClient([{ status: 429, headers: { 'retry-after': '60' } }]);
  const { config, cancel } = way();
  const call = settled(api.get('/things', config));
  await clock.advance(50);
  cancel();
  const { error } = await clock.until(call);
  expect([clock.monoMs(), error.code, axios.isCancel(error)]).toEqual([50, 'ERR_CANCELED', true]);
  clock.assertIdle();
  await clock.advance(61_000);
  expect(server.sent).toHaveLength(1);
  expect(heeding.snapshot().waiting).toBe(0);
});

test.each(WAYS)(
  'ABT-03: %s in the third exchange gives one cancel and no stray rejection',
  async (_, way) => {
    const stray = jest.fn();
    process.on('unhandledRejection', stray);
    try {
      const limit = { status: 429, headers: { 'retry-after': '0' }, afterMs: 100 };
      const { api, clock, server } = scriptedClient([limit, limit, { silent: true }], {
        ...EXACT,
        backoff: { first: 0 },
      });
      const { config, cancel } = way();
      const call = settled(api.get('/things', config));
      await clock.advance(250);
      expect(server.sent).toHaveLength(3);
      cancel();
      const { error } = await clock.until(call);
      expect([clock.monoMs(), error.code]).toEqual([250, 'ERR_CANCELED']);
      await clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(stray).not.toHaveBeenCalled();
      clock.assertIdle();
    } finally {
      process.off('unhandledRejection', stray);
    }
  },
);

test.each(WAYS)('ABT-04: %s in flight ends the call, and it is not sent again', async (_, way) => {
  const { api, clock, server } = scriptedClient([{ silent: true }]);
  const { config, cancel } = way();
  const call = settled(api.get('/things', config));
  await clock.advance(30);
  cancel();
  const { error } = await clock.until(call);
  expect([clock.monoMs(), error.code, axios.isCancel(error)]).toEqual([30, 'ERR_CANCELED', true]);
  await clock.advance(60_000);
  expect(server.sent).toHaveLength(1);
});

test.each(WAYS)('ABT-04: %s in flight ends a call that has a deadline too', async (_, way) => {
  const { api, clock, server } = scriptedClient([{ silent: true }]);
  const { config, cancel } = way();
  const call = settled(api.get('/things', { ...config, heed: { budget: 5000 } }));
  await clock.advance(30);
  cancel();
  const { error } = await clock.until(call);
  expect([clock.monoMs(), error.code, axios.isCancel(error)]).toEqual([30, 'ERR_CANCELED', true]);
  clock.assertIdle();
  expect(server.sent).toHaveLength(1);
});

test.each(WAYS)('ABT-06: who leaves the queue by %s frees its place', async (_, way) => {
  const { api, clock, server, heeding } = await closedFor(5);
  const { config, cancel } = way();
  const a = settled(api.get('/things', config));
  const others = Promise.all([settled(api.get('/things')), settled(api.get('/things'))]);
  await clock.advance(1000);
  cancel();
  const { error } = await clock.until(a);
  expect([clock.monoMs(), error.code, error.heed.exchanges]).toEqual([1000, 'ERR_CANCELED', 0]);
  await clock.advance(1000);
  expect(heeding.snapshot().waiting).toBe(2);
  const ends = await clock.until(others);
  expect(ends.map(({ value }) => value?.status)).toEqual([200, 200]);
  expect(
    server
      .times()
      .slice(1)
      .every((ms) => ms >= 5000),
  ).toBe(true);
});

test('ABT-09: a call that is cancelled before it begins does not join the queue', async () => {
  const { api, clock, server, heeding } = await closedFor(60);
  void settled(api.get('/things'));
  await clock.advance(1);
  const signal = AbortSignal.abort();
  const { error } = await clock.until(settled(api.get('/things', { signal })));
  expect([clock.monoMs(), error.code]).toEqual([1, 'ERR_CANCELED']);
  expect(heeding.snapshot().waiting).toBe(1);
  expect(server.sent).toHaveLength(1);
  expect(journalOf(error).filter(({ event }) => event === 'exchange-sent')).toEqual([]);
});

test('ABT-09: a call that is cancelled between its interceptors and the queue does not join it', async () => {
  const { api, clock, server, heeding } = await closedFor(60);
  const controller = new AbortController();
  api.interceptors.request.use((config) => {
    controller.abort();
    return config;
  });
  const { error } = await clock.until(settled(api.get('/things', { signal: controller.signal })));
  expect([clock.monoMs(), error.code]).toEqual([0, 'ERR_CANCELED']);
  expect(heeding.snapshot().waiting).toBe(0);
  expect(server.sent).toHaveLength(1);
});

test('a cancel tells why: its cause is the reason of the signal', async () => {
  const { api, clock } = scriptedClient([{ status: 429, headers: { 'retry-after': '60' } }]);
  const controller = new AbortController();
  const call = settled(api.get('/things', { signal: controller.signal }));
  await clock.advance(50);
  const reason = new Error('the user left');
  controller.abort(reason);
  expect((await clock.until(call)).error.cause).toBe(reason);
});

test('sixty waiters on one signal add one listener to it, and take it away', async () => {
  const { api, clock } = await closedFor(5);
  const controller = new AbortController();
  const { signal } = controller;
  const counts = { added: 0, removed: 0 };
  jest.spyOn(signal, 'addEventListener').mockImplementation(() => void (counts.added += 1));
  jest.spyOn(signal, 'removeEventListener').mockImplementation(() => void (counts.removed += 1));
  const calls = Array.from({ length: 60 }, () => settled(api.get('/things', { signal })));
  await clock.advance(10);
  expect(counts.added).toBe(1);
  await clock.until(Promise.all(calls));
  expect(counts.added).toBe(counts.removed);
});
