import { describe, expect, test } from '@jest/globals';
import { isAxiosError } from 'axios';
import { heed } from '../../lib/index';
import { EXACT, failure, scriptedClient } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import type { Failure, Step } from '../support/scripted-adapter';

const fine: Step = { status: 200 };

describe('NOD-01: failures are named by what they mean, not by the code of an adapter', () => {
  test.each([
    ['http', {}],
    ['http, clarified', { transitional: { clarifyTimeoutError: true } }],
  ])('a timeout is a timeout: %s', async (_name, config) => {
    const client = scriptedClient([{ silent: true }], { ...EXACT, exchanges: 2, backoff: { first: 0 } });
    const { error, journal } = await client.get({ timeout: 50, ...config });
    expect(client.server.times()).toEqual([0, 50]);
    expect(error?.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'unknown' });
    const ends = journal.flatMap((entry) => (entry.event === 'observation' ? [entry.end] : []));
    expect(ends).toEqual(['timeout', 'timeout']);
  });

  test.each<[string, Failure]>([
    ['http', { code: 'ECONNREFUSED' }],
    ['fetch', { code: 'ERR_NETWORK', causeCode: 'ECONNREFUSED' }],
  ])('a refused connection was never sent, so also a POST goes again: %s', async (_name, failure) => {
    const client = scriptedClient([failure, fine]);
    const { status, journal } = await client.ended(client.api.post('/things', { a: 1 }));
    expect(status).toBe(200);
    expect(client.server.times()).toEqual([0, 200]);
    expect(journal).toContainEqual(
      expect.objectContaining({ event: 'permission-granted', grounds: 'not-sent' }),
    );
  });

  test.each<[string, Failure]>([
    ['http', { code: 'ECONNRESET' }],
    ['fetch', { code: 'ERR_NETWORK', causeCode: 'UND_ERR_SOCKET' }],
    ['xhr', { code: 'ERR_NETWORK', message: 'Network Error' }],
  ])('a broken connection leaves a POST in doubt: %s', async (_name, failure) => {
    const client = scriptedClient([failure, fine]);
    const { error } = await client.ended(client.api.post('/things', { a: 1 }));
    expect(error?.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', retryable: false });
    expect(client.server.sent).toHaveLength(1);
  });
});

describe('NOD-03: Retry-After in several lines', () => {
  test.each<[string, string | readonly string[]]>([
    ['joined, as fetch does', '1, 2'],
    ['as a list', ['1', '2']],
    ['the longest first', '2, 1'],
    ['of both forms', 'Thu, 01 Jan 2026 00:00:01 GMT, 2'],
  ])('counts by its longest member: %s', async (_name, value) => {
    const headers = { 'Retry-After': value };
    const client = scriptedClient([{ status: 429, headers }, fine]);
    const { journal } = await client.get();
    expect(client.server.times()).toEqual([0, 2000]);
    expect(journal).toContainEqual(
      expect.objectContaining({
        event: 'observation',
        hint: expect.objectContaining({ kind: 'hint', delayMs: 2000, members: 2 }),
      }),
    );
  });

  test.each(['1, soon', 'soon, 1', '1,', '1, 2.5'])('is malformed when one member is: %s', async (value) => {
    const client = scriptedClient([{ status: 429, headers: { 'Retry-After': value } }, fine]);
    await client.get();
    expect(client.server.times()).toEqual([0, 200]);
  });
});

describe('NOD-06: detach', () => {
  const held600 = (): ScriptedClient =>
    scriptedClient([{ status: 429, headers: { 'Retry-After': '600' } }, fine], { ...EXACT, maxHint: 'none' });

  test('rejects everyone who waits, at once, and leaves no timer', async () => {
    const client = held600();
    await client.get({ heed: false });
    const waiting = [1, 2, 3, 4, 5].map(() => failure(client.api.get('/things')));
    await client.clock.advance(1000);
    expect(client.heeding.snapshot().waiting).toBe(5);
    client.heeding.detach();
    const errors = await Promise.all(waiting);
    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill('ERR_HEED_DETACHED'));
    expect(errors[0]?.heed).toMatchObject({ reason: 'detached', exchanges: 0, knowledge: 'not-sent' });
    expect(errors.every((error) => isAxiosError(error) && error.config !== undefined)).toBe(true);
    expect(client.clock.monoMs()).toBe(1000);
    client.clock.assertIdle();
  });

  test('gives an operation that was answered before its own last error', async () => {
    const client = held600();
    const call = failure(client.api.get('/things'));
    await client.clock.advance(1000);
    client.heeding.detach();
    const error = await call;
    expect(error.response?.status).toBe(429);
    expect(error.heed).toMatchObject({ reason: 'detached', exchanges: 1 });
    client.clock.assertIdle();
  });

  test('lets later calls pass bare, and an exchange in flight end as it ends', async () => {
    const client = scriptedClient([{ status: 200, afterMs: 5000 }, { status: 503 }]);
    const inFlight = client.api.get('/things');
    await client.clock.advance(1000);
    client.heeding.detach();
    expect((await client.ended(inFlight)).status).toBe(200);
    const later = await client.get();
    expect(later.status).toBe(503);
    expect(later.error?.heed).toBeUndefined();
    expect(client.server.sent).toHaveLength(2);
  });

  test('twice does no harm, and the instance may be told anew', async () => {
    const client = scriptedClient([{ status: 503 }, fine]);
    client.heeding.detach();
    client.heeding.detach();
    heed(client.api, { ...EXACT, clock: client.clock });
    expect((await client.get()).status).toBe(200);
    expect(client.server.sent).toHaveLength(2);
  });
});
