import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import { describeHold } from '../../lib/describe/index';
import type { OperationProgress, WaitingOperation } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';

const policy = { ...EXACT, waitForOnline: true };
const fine = { status: 200 };

let isOnline = true;
beforeEach(() => {
  isOnline = true;
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function goOnline(): void {
  isOnline = true;
  window.dispatchEvent(new Event('online'));
}

describe('waitForOnline', () => {
  test('sends nothing while the page is offline, and goes on with the event', async () => {
    const { api, clock, server, entries } = scriptedClient([fine], policy);
    isOnline = false;
    const call = api.get('/things');
    await clock.advance(60_000);
    expect(server.times()).toEqual([]);
    goOnline();
    expect((await clock.until(call)).status).toBe(200);
    expect(server.times()).toEqual([60_000]);
    expect(entries.slice(1, 3)).toMatchObject([
      { event: 'pause-entered', because: 'offline' },
      { event: 'wait-ended', how: 'pass', waitedMs: 60_000 },
    ]);
  });

  test('does not take the event for the network: it looks', async () => {
    const { api, clock, server } = scriptedClient([fine], policy);
    isOnline = false;
    const call = api.get('/things');
    window.dispatchEvent(new Event('online'));
    await clock.advance(1000);
    expect(server.times()).toEqual([]);
    goOnline();
    await clock.until(call);
  });

  test('looks again when the page comes out of the back/forward cache', async () => {
    const { api, clock, server } = scriptedClient([fine], policy);
    isOnline = false;
    const call = api.get('/things');
    await clock.advance(1000);
    isOnline = true;
    window.dispatchEvent(new Event('pageshow'));
    await clock.until(call);
    expect(server.times()).toEqual([1000]);
  });

  test('ends with the deadline', async () => {
    const { api, clock, server } = scriptedClient([fine], policy);
    isOnline = false;
    const { error } = await clock.until(settled(api.get('/things', { heed: { budget: 5000 } })));
    expect(clock.monoMs()).toBe(5000);
    expect(error.code).toBe('ERR_HEED_DEADLINE');
    expect(error.heed).toMatchObject({ reason: 'deadline-passed', knowledge: 'not-sent', exchanges: 0 });
    goOnline();
    await clock.advance(10_000);
    expect(server.times()).toEqual([]);
  });

  test('ends with the caller, and with detach()', async () => {
    const { api, clock, server, heeding, entries } = scriptedClient([fine], policy);
    isOnline = false;
    const controller = new AbortController();
    const aborted = settled(api.get('/things', { signal: controller.signal }));
    const detached = settled(api.get('/things'));
    await clock.advance(10);
    controller.abort();
    expect((await clock.until(aborted)).error.code).toBe('ERR_CANCELED');
    heeding.detach();
    expect((await clock.until(detached)).error.code).toBe('ERR_HEED_DETACHED');
    expect(server.times()).toEqual([]);
    const ends = entries.flatMap((entry) => (entry.event === 'wait-ended' ? [entry.how] : []));
    expect(ends).toEqual(['left', 'detached']);
  });

  // It could be neither shown nor cancelled: `waiting()` knew of gates alone, and its progress of no reason.
  test('shows whoever waits, and cancels it like one that waits at a gate', async () => {
    const { api, clock, server, heeding, entries } = scriptedClient([fine], policy);
    isOnline = false;
    const told: OperationProgress[] = [];
    const onProgress = (step: OperationProgress): unknown => told.push(step);
    const first = settled(api.get('/things', { heed: { onProgress } }));
    const second = settled(api.get('/things'));
    await clock.advance(10);
    expect(told).toEqual([
      { kind: 'held', operation: expect.any(String), exchange: 1, state: 'offline', ahead: 0 },
    ]);
    const list = heeding.waiting();
    const place = { operation: told[0]?.operation, state: 'offline', ahead: 0, cancel: expect.any(Function) };
    expect(list).toEqual([place, { ...place, operation: entries[2]?.operation }]);
    for (const one of [told[0], list[0]])
      expect(describeHold(one as WaitingOperation)).toEqual({
        ...{ stage: 'offline', ahead: 0, sentence: 'Offline. Goes on when the connection is back' },
      });
    list[0]?.cancel();
    list[0]?.cancel();
    expect(heeding.waiting()).toEqual(list.slice(1));
    const { error } = await first;
    expect(axios.isCancel(error)).toBe(true);
    expect(error.heed).toMatchObject({ reason: 'cancelled', exchanges: 0, knowledge: 'not-sent' });
    expect(entries.slice(-2)).toMatchObject([
      { event: 'wait-ended', how: 'left', waitedMs: 10 },
      { event: 'operation-closed', outcome: 'cancelled', because: 'cancelled' },
    ]);
    goOnline();
    await clock.until(second);
    expect(heeding.waiting()).toEqual([]);
    expect(told.at(-1)).toMatchObject({ kind: 'ended', because: 'cancelled' });
    expect(server.sent).toHaveLength(1);
    list[1]?.cancel();
    clock.assertIdle();
  });

  test('tells whoever listens to the client of those who wait, and of those who do no more', async () => {
    const { api, clock, heeding } = scriptedClient([fine], policy);
    const seen: number[] = [];
    heeding.subscribe(() => seen.push(heeding.waiting().length));
    isOnline = false;
    const calls = [1, 2].map(() => settled(api.get('/things')));
    await clock.advance(1000);
    expect(seen.at(-1)).toBe(2);
    heeding.waiting()[1]?.cancel();
    await clock.advance(1000);
    expect(seen.at(-1)).toBe(1);
    heeding.detach();
    await clock.until(Promise.all(calls));
    await clock.advance(1000);
    expect(heeding.waiting()).toEqual([]);
    expect(seen.at(-1)).toBe(0);
    clock.assertIdle();
  });

  test('after the network is back tells of the gate that it waits at then', async () => {
    const { api, clock, heeding } = scriptedClient([fine], policy);
    isOnline = false;
    const told: OperationProgress[] = [];
    const call = api.get('/things', { heed: { onProgress: (step) => told.push(step) } });
    await clock.advance(10);
    heeding.hold({ by: 'origin', value: 'https://api.example.com' }, clock.wallEpochMs() + 5000, 'x');
    goOnline();
    await clock.advance(200);
    expect(heeding.waiting()).toMatchObject([{ state: 'held', ahead: 0 }]);
    await clock.until(call);
    expect(told).toMatchObject([
      { kind: 'held', state: 'offline' },
      { kind: 'held', state: 'held' },
      { kind: 'sent' },
      { kind: 'ended' },
    ]);
  });

  test('holds an exchange back that a hint has put off until there is no network', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' } };
    const { api, clock, server } = scriptedClient([limited, fine], policy);
    const call = api.post('/things');
    await clock.advance(500);
    isOnline = false;
    await clock.advance(9500);
    expect(server.times()).toEqual([0]);
    goOnline();
    await clock.until(call);
    expect(server.times()).toEqual([0, 10_000]);
  });

  test('lets the first exchange of a write go that nobody may repeat', async () => {
    const { api, clock, server } = scriptedClient([{ code: 'ERR_NETWORK' }], policy);
    isOnline = false;
    const { error } = await clock.until(settled(api.post('/things')));
    expect(error.heed).toMatchObject({ reason: 'outcome-unknown', exchanges: 1 });
    expect(server.times()).toEqual([0]);
  });

  test('keeps no pass: whoever need not wait goes first', async () => {
    const { api, clock, server } = scriptedClient([fine], { ...policy, concurrency: 1 });
    isOnline = false;
    const waiting = api.get('/things');
    await clock.until(api.post('/things'));
    expect(server.sent.map(({ method }) => method.toUpperCase())).toEqual(['POST']);
    goOnline();
    await clock.until(waiting);
    expect(server.sent).toHaveLength(2);
  });

  test('counts as a wait: credentials are asked for anew', async () => {
    const beforeExchange = jest.fn(() => undefined);
    const { api, clock } = scriptedClient([fine], { ...policy, beforeExchange });
    isOnline = false;
    const call = api.get('/things');
    await clock.advance(3000);
    goOnline();
    await clock.until(call);
    expect(beforeExchange.mock.calls).toMatchObject([[{ exchange: 1, waitedMs: 3000 }]]);
  });

  test('is off by default, for bare requests, and where all is only observed', async () => {
    isOnline = false;
    const byDefault = scriptedClient([fine]);
    const observing = scriptedClient([fine], { ...policy, mode: 'observe' });
    const bare = scriptedClient([fine], policy);
    await byDefault.get();
    await observing.get();
    await bare.get({ heed: false });
    for (const { server } of [byDefault, observing, bare]) expect(server.times()).toEqual([0]);
  });
});
