import { afterEach, describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import MockAdapter from 'axios-mock-adapter';
import { heed } from '../../lib/index';
import type { JournalEntry, OperationProgress } from '../../lib/index';
import { EXACT, failure, scriptedClient, T0 } from '../support/scripted-client';
import type { Step } from '../support/scripted-adapter';

const limited = (seconds: string): Step => ({ status: 429, headers: { 'Retry-After': seconds } });

afterEach(() => {
  jest.useRealTimers();
});

describe('a countdown', () => {
  test('UXP-01: an error tells the wait and the instant', async () => {
    const client = scriptedClient([limited('42')]);
    const { error } = await client.get({ heed: { budget: { seconds: 10 } } });
    expect(error?.heed).toMatchObject({ waitMs: 42_000, releaseAt: T0 + 42_000 });
    expect(JSON.parse(JSON.stringify(error?.heed))).toMatchObject({ waitMs: 42_000, releaseAt: T0 + 42_000 });
  });

  test('UXP-01: an error that comes late tells what is left of the wait, not what it was', async () => {
    const client = scriptedClient([limited('42')]);
    const call = failure(client.api.get('/things'));
    await client.clock.advance(40_000);
    client.heeding.detach();
    expect((await call).heed).toMatchObject({ waitMs: 2000, releaseAt: T0 + 42_000 });
  });

  test('UXP-01: whoever listens hears of a hold the moment it is entered', async () => {
    const told: JournalEntry[] = [];
    const client = scriptedClient([limited('42'), { status: 200 }], {
      ...EXACT,
      onEntry: (entry) => told.push(entry),
    });
    await client.get({ heed: false });
    told.length = 0;
    const call = client.api.get('/things');
    await client.clock.advance(0);
    expect(told).toContainEqual(
      expect.objectContaining({
        event: 'hold-entered',
        state: 'held',
        atEpochMs: T0,
        releaseAtEpochMs: T0 + 42_000,
        ahead: 0,
      }),
    );
    await client.ended(call);
  });

  test('UXP-01: the caller of one call is told with the same two values', async () => {
    const client = scriptedClient([limited('42'), { status: 200 }]);
    await client.get({ heed: false });
    const told: OperationProgress[] = [];
    const call = client.api.get('/things', { heed: { onProgress: (step) => told.push(step) } });
    await client.clock.advance(0);
    expect(told).toMatchObject([{ kind: 'held', releaseAt: T0 + 42_000, waitMs: 42_000, ahead: 0 }]);
    await client.ended(call);
  });

  test('UXP-01: a snapshot shows the same instant, and who is told of changes may render it', async () => {
    const client = scriptedClient([limited('42'), { status: 200 }]);
    let changes = 0;
    const stop = client.heeding.subscribe(() => {
      changes += 1;
    });
    const call = client.api.get('/things');
    await client.clock.advance(200);
    const snapshot = client.heeding.snapshot();
    expect(snapshot).toBe(client.heeding.snapshot());
    expect(snapshot.waiting).toBe(1);
    const held = snapshot.gates.filter(({ state }) => state === 'held');
    expect(held).toHaveLength(1);
    expect(held[0]?.hold).toMatchObject({ releaseAtEpochMs: T0 + 42_000, because: 'hint' });
    expect(changes).toBeGreaterThan(0);
    await client.ended(call);
    stop();
  });
});

describe('a message for people', () => {
  test('UXP-03: has the facts in one line, and no query', async () => {
    const client = scriptedClient([limited('1')]);
    const { error } = await client.ended(client.api.get('https://user:pw@h.example/p?k=SECRET#frag'));
    expect(error?.message).toBe('Request failed with status code 429');
    const message = error?.heed.message ?? '';
    expect(message.split('\n')).toHaveLength(1);
    for (const fact of ['GET', 'https://h.example/p', '429', '3 exchanges', '2.000 s', 'exchanges-spent']) {
      expect(message).toContain(fact);
    }
    expect(JSON.stringify(error?.heed)).not.toMatch(/SECRET|pw|frag/);
  });

  test('UXP-03: has them also where nothing was sent', async () => {
    const client = scriptedClient([limited('30')]);
    await client.get({ heed: false });
    const { error } = await client.get({ params: { k: 'SECRET' }, heed: { budget: 1000 } });
    expect(error?.message).toBe(error?.heed.message);
    for (const fact of ['GET', 'https://api.example.com/things', '0 exchanges', 'deadline-too-near', '30']) {
      expect(error?.message).toContain(fact);
    }
    expect(error?.message).not.toContain('SECRET');
  });

  test('UXP-03: has them where the network failed', async () => {
    const client = scriptedClient([{ code: 'ECONNRESET' }]);
    const { error } = await client.get();
    expect(error?.heed.message).toContain('ECONNRESET');
    expect(error?.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'unknown', exchanges: 3 });
  });

  test('UXP-03: stays one line whatever stands in the URL', async () => {
    const client = scriptedClient([limited('1')]);
    const { error } = await client.ended(client.api.get(`/a\r\nb/${'x'.repeat(5000)}`));
    expect(error?.heed.message).not.toMatch(/[\r\n]/);
    expect(error?.heed.message.length).toBeLessThan(400);
  });
});

describe('waits in tests', () => {
  test('UXP-04: fake timers that are installed after the import are the ones that are used', async () => {
    jest.useFakeTimers();
    const api = axios.create();
    const mock = new MockAdapter(api);
    mock
      .onGet('/things')
      .replyOnce(429, undefined, { 'retry-after': '60' })
      .onGet('/things')
      .reply(200, 'ok');
    heed(api, { jitter: 0 });
    const call = api.get('/things');
    await jest.advanceTimersByTimeAsync(59_999);
    expect(mock.history.get).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect((await call).data).toBe('ok');
    expect(mock.history.get).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('UXP-04: a clock of the test is the only one that is used', async () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const client = scriptedClient([limited('60'), { status: 200 }]);
    expect((await client.get({ heed: { budget: { minutes: 2 } } })).status).toBe(200);
    expect(client.server.times()).toEqual([0, 60_000]);
    expect(setTimer).not.toHaveBeenCalled();
  });
});
