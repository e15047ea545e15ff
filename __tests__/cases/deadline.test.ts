import { describe, expect, test } from '@jest/globals';
import { isAxiosError } from 'axios';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import type { Step } from '../support/scripted-adapter';

const limited = (seconds: string): Step => ({ status: 429, headers: { 'Retry-After': seconds } });
const unavailable: Step = { status: 503 };
const silent: Step = { silent: true };
const NO_BACKOFF = { ...EXACT, backoff: { first: 0, factor: 1 } };

describe('a wait that cannot end in time', () => {
  test('DDL-01: is not begun, and the 429 stays what the caller gets', async () => {
    const client = scriptedClient([limited('60')], { ...EXACT, budget: { seconds: 30 } });
    const { status, error, atMonoMs } = await client.get();
    expect(atMonoMs).toBe(0);
    expect(client.server.times()).toEqual([0]);
    expect(status).toBe(429);
    expect(isAxiosError(error)).toBe(true);
    expect(error?.heed).toMatchObject({
      reason: 'deadline-too-near',
      waitMs: 60_000,
      releaseAt: T0 + 60_000,
      knowledge: 'not-applied',
      retryable: true,
    });
  });

  test('DDL-01: one that ends exactly with the deadline minus the reserve is begun', async () => {
    const policy = { ...EXACT, budget: { seconds: 30 }, reserve: { seconds: 5 } };
    const fits = scriptedClient([limited('25'), { status: 200 }], policy);
    expect((await fits.get()).status).toBe(200);
    const tooLong = scriptedClient([limited('26'), { status: 200 }], policy);
    expect((await tooLong.get()).error?.heed.reason).toBe('deadline-too-near');
  });

  test('DDL-06: a gate that is known to open too late refuses at once, and nothing is sent', async () => {
    const client = scriptedClient([limited('120'), { status: 200 }]);
    await client.get({ heed: false });
    await client.clock.advance(1000);
    const { error, atMonoMs } = await client.get({ heed: { budget: { seconds: 5 } } });
    expect(atMonoMs).toBe(1000);
    expect(client.server.times()).toEqual([0]);
    expect(error?.code).toBe('ERR_HEED_DEADLINE');
    expect(error?.response).toBeUndefined();
    expect(error?.heed).toMatchObject({
      reason: 'deadline-too-near',
      releaseAt: T0 + 120_000,
      waitMs: 119_000,
      exchanges: 0,
      knowledge: 'not-sent',
    });
  });

  test('DDL-06: where nobody knows when the gate opens, the wait ends with the deadline', async () => {
    const client = scriptedClient([limited('1'), silent]);
    await client.get({ heed: false });
    await client.clock.advance(2000);
    const probe = client.api.get('/things');
    await client.clock.advance(0);
    const held = await client.get({ heed: { budget: { seconds: 3 } } });
    expect(held.error?.code).toBe('ERR_HEED_DEADLINE');
    expect(held.atMonoMs).toBeLessThanOrEqual(5000);
    expect(client.server.times()).toEqual([0, 2000]);
    probe.catch(() => undefined);
  });

  test('DDL-06: a deadline that has passed already sends nothing', async () => {
    const client = scriptedClient([{ status: 200 }]);
    const { error } = await client.get({ heed: { deadline: T0 - 1 } });
    expect(error?.code).toBe('ERR_HEED_DEADLINE');
    expect(error?.heed).toMatchObject({ reason: 'deadline-passed', exchanges: 0, knowledge: 'not-sent' });
    expect(client.server.times()).toEqual([]);
  });
});

describe('one budget for the whole operation', () => {
  test('DDL-02: cuts the last exchange, whatever timeout each has', async () => {
    const client = scriptedClient([silent], { ...NO_BACKOFF, budget: { seconds: 10 } });
    const { error, atMonoMs } = await client.get({ timeout: 8000 });
    expect(client.server.times()).toEqual([0, 8000]);
    expect(client.server.sent.map(({ config }) => config.timeout)).toEqual([8000, 2000]);
    expect(atMonoMs).toBe(10_000);
    expect(error?.code).toBe('ERR_HEED_DEADLINE');
    expect(error?.heed).toMatchObject({ reason: 'deadline-passed', exchanges: 2, knowledge: 'unknown' });
  });

  test('DDL-04: own backoff counts', async () => {
    const client = scriptedClient([unavailable, unavailable, unavailable, unavailable, { status: 201 }], {
      ...EXACT,
      exchanges: 7,
      budget: 1000,
    });
    const { status, error, atMonoMs } = await client.ended(client.api.put('/things', { a: 1 }));
    expect(client.server.times()).toEqual([0, 200, 600]);
    expect(atMonoMs).toBeLessThanOrEqual(1000);
    expect(status).toBe(503);
    expect(error?.heed.reason).toBe('deadline-too-near');
  });

  test('DDL-13: bounds the sum of waits that are each short enough', async () => {
    const client = scriptedClient([limited('45')], {
      ...EXACT,
      exchanges: 10,
      budget: { seconds: 100 },
      maxHint: { seconds: 60 },
    });
    const { status, error, atMonoMs } = await client.get();
    expect(client.server.times()).toEqual([0, 45_000, 90_000]);
    expect(atMonoMs).toBe(90_000);
    expect(status).toBe(429);
    expect(error?.heed.reason).toBe('deadline-too-near');
  });

  test("DDL-02: a request's budget replaces the policy's, and the nearer of budget and deadline wins", async () => {
    const client = scriptedClient([silent], { ...NO_BACKOFF, budget: { seconds: 10 } });
    expect((await client.get({ heed: { budget: { seconds: 20 } } })).atMonoMs).toBe(20_000);
    const start = client.clock.monoMs();
    const options = { budget: { seconds: 20 }, deadline: new Date(T0 + start + 4000) };
    expect((await client.get({ heed: options })).atMonoMs).toBe(start + 4000);
  });
});

test('DDL-05: the timeout is of each exchange, so a second one has all of it', async () => {
  const client = scriptedClient([silent, { status: 200, afterMs: 5000 }], NO_BACKOFF);
  const { status, atMonoMs } = await client.get({ timeout: 10_000 });
  expect(status).toBe(200);
  expect(client.server.times()).toEqual([0, 10_000]);
  expect(atMonoMs).toBe(15_000);
});

test('DDL-02: a config that is sent anew keeps the instant of its deadline', async () => {
  const client = scriptedClient([limited('60'), { status: 200 }]);
  const first = await client.get({ heed: { deadline: T0 + 30_000 } });
  await client.clock.advance(90_000);
  const again = await client.ended(client.api.request(first.error?.config ?? {}));
  expect(again.error?.heed).toMatchObject({ reason: 'deadline-passed', exchanges: 0 });
  expect(client.server.times()).toEqual([0]);
});

describe('without any deadline', () => {
  test('DDL-10: an hour is more than is waited for by default', async () => {
    const client = scriptedClient([limited('3600')], {});
    const { status, error, atMonoMs } = await client.get();
    expect(atMonoMs).toBe(0);
    expect(client.server.times()).toEqual([0]);
    expect(status).toBe(429);
    expect(error?.heed).toMatchObject({ reason: 'hint-too-long', waitMs: 3_600_000, retryable: true });
  });

  test('DDL-10: an hour holds the scope all the same, and whoever comes is told until when', async () => {
    const client = scriptedClient([limited('3600'), { status: 200 }]);
    await client.get();
    await client.clock.advance(1000);
    const { error } = await client.get();
    expect(client.server.times()).toEqual([0]);
    expect(error?.heed).toMatchObject({ reason: 'hint-too-long', releaseAt: T0 + 3_600_000, exchanges: 0 });
  });

  test('DDL-10: with a deadline that is far enough, the same hour is waited for', async () => {
    const client = scriptedClient([limited('3600'), { status: 200 }]);
    expect((await client.get({ heed: { budget: { hours: 2 } } })).status).toBe(200);
    expect(client.server.times()).toEqual([0, 3_600_000]);
  });
});
