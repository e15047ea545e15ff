import { expect, test } from '@jest/globals';
import { isAxiosError } from 'axios';
import type { InternalAxiosRequestConfig } from 'axios';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { failureOf, rejecting, settled } from '../support/world';

test('AUT-01: credentials are looked up when an exchange is sent, not when it was asked for', async () => {
  const { api, clock, server, ended } = scriptedClient(
    ({ number, headers }) => {
      if (number === 1) return { status: 429, headers: { 'retry-after': '60' } };
      return { status: headers['authorization'] === 't2' ? 200 : 401 };
    },
    {
      ...EXACT,
      beforeExchange: () => ({ headers: { Authorization: clock.monoMs() < 30_000 ? 't1' : 't2' } }),
    },
  );
  const { status } = await ended(api.get('/things', { headers: { Authorization: 't1' } }));
  expect(status).toBe(200);
  expect(server.sent.map(({ headers }) => headers['authorization'])).toEqual(['t1', 't2']);
});

test('AUT-01: a first exchange that was held has its credentials looked up as well', async () => {
  const { api, heeding, clock, server, ended } = scriptedClient([{ status: 200 }], {
    ...EXACT,
    scopes: [() => 'all'],
    beforeExchange: () => ({ headers: { Authorization: 't2' } }),
  });
  heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 60_000, 'closed for the test');
  await ended(api.get('/things', { headers: { Authorization: 't1' } }));
  expect(server.sent.map(({ headers, atMonoMs }) => [headers['authorization'], atMonoMs])).toEqual([
    ['t2', 60_000],
  ]);
});

test('AUT-03: a 401 is left to the application, whose own repeat is not multiplied', async () => {
  const { api, clock, server } = scriptedClient(({ url }) => ({
    status: url.endsWith('/refresh') ? 200 : 401,
  }));
  api.interceptors.response.use(undefined, async (error: unknown) => {
    if (!isAxiosError(error) || error.config === undefined) return rejecting(error);
    const config: InternalAxiosRequestConfig & { again?: true } = error.config;
    if (config.again === true) return rejecting(error);
    await api.post('/refresh');
    return api.request({ ...config, again: true } as never);
  });
  const error = await failureOf(clock, api.get('/things'));
  expect(error.response.status).toBe(401);
  const urls = server.sent.map(({ url }) => url.replace('https://api.example.com', ''));
  expect(urls).toEqual(['/things', '/refresh', '/things']);
  expect(clock.monoMs()).toBe(0);
});

test('AUT-05: ten calls that need a token wait for one limited token request', async () => {
  const { api, clock, server } = scriptedClient(({ url, atMonoMs }) => {
    if (!url.endsWith('/token')) return { status: 200, afterMs: 20 };
    if (atMonoMs < 30_000) return { status: 429, headers: { 'retry-after': '30' } };
    return { status: 200, data: '{"token":"t1"}', afterMs: 20 };
  });
  let token: Promise<string> | undefined;
  const tokenOf = async (): Promise<string> => {
    const { data } = await api.post<{ token: string }>('/token');
    return data.token;
  };
  api.interceptors.request.use(async (config) => {
    if (config.url === '/token') return config;
    token ??= tokenOf();
    config.headers.set('Authorization', await token);
    return config;
  });
  const calls = Array.from({ length: 10 }, () => settled(api.get('/things', { heed: { budget: 60_000 } })));
  const ends = await clock.until(Promise.all(calls));
  expect(ends.map(({ value }) => value?.status)).toEqual(Array.from({ length: 10 }, () => 200));
  const ofToken = server.sent.filter(({ method }) => method === 'POST');
  expect(ofToken.map(({ atMonoMs }) => atMonoMs)).toEqual([0, 30_000]);
  const others = server.sent.filter(({ method }) => method === 'GET');
  expect(others).toHaveLength(10);
  expect(
    others.every(({ atMonoMs, headers }) => atMonoMs >= 30_000 && headers['authorization'] === 't1'),
  ).toBe(true);
});

test('a hook may ask for a token through the same client without waiting for itself', async () => {
  const { api, server, clock } = scriptedClient(
    ({ url, number }) => {
      if (url.endsWith('/token')) return { status: 200, data: '{"token":"t2"}' };
      return number === 1 ? { status: 429, headers: { 'retry-after': '2' } } : { status: 200 };
    },
    {
      ...EXACT,
      scopes: [() => 'all'],
      concurrency: 1,
      beforeExchange: async ({ bare }) => {
        const { data } = await api.post<{ token: string }>('/token', undefined, bare);
        return { headers: { Authorization: data.token } };
      },
    },
  );
  const { status } = await clock.until(api.get('/things'));
  expect(status).toBe(200);
  expect(server.sent.map(({ method, headers }) => [method, headers['authorization']])).toEqual([
    ['GET', undefined],
    ['POST', undefined],
    ['GET', 't2'],
  ]);
});

test('a hook that hangs ends the call after ten seconds and gives the pass back', async () => {
  const { api, clock, heeding, server } = scriptedClient(
    [{ status: 429, headers: { 'retry-after': '2' } }, { status: 200 }],
    { ...EXACT, concurrency: 1, beforeExchange: () => new Promise(() => undefined) },
  );
  const error = await failureOf(clock, api.get('/things'));
  expect(error).toMatchObject({ response: { status: 429 }, heed: { reason: 'hook-timed-out' } });
  expect([clock.monoMs(), server.sent.length]).toEqual([12_000, 1]);
  expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
});

test('a hook that changes whom the call counts for sends it through the gates of that one', async () => {
  const { api, clock, server, heeding } = scriptedClient(
    ({ headers, number }) => {
      if (number === 1) return { status: 429, headers: { 'retry-after': '2' } };
      return { status: headers['authorization'] === 't2' ? 200 : 500 };
    },
    { ...EXACT, beforeExchange: () => ({ headers: { Authorization: 't2' } }) },
  );
  const { url } = { url: '/things' };
  heeding.hold({ url, headers: { Authorization: 't2' } }, clock.wallEpochMs() + 9000, 'for the test');
  const { status } = await clock.until(api.get(url, { headers: { Authorization: 't1' } }));
  expect([status, server.times()]).toEqual([200, [0, 9000]]);
});
