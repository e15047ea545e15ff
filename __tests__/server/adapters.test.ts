import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance, CreateAxiosDefaults, InternalAxiosRequestConfig } from 'axios';
import { heed, journalOf } from '../../lib/index';
import type { HeedPolicy, ObservationEvent } from '../../lib/index';
import { answers, breaksOff, gapsOf, loopbackServer, saysNothing, stalls } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';
import { EXACT, failure } from '../support/scripted-client';

const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Real {
  readonly api: AxiosInstance;
  readonly server: LoopbackServer;
}

async function real(
  adapter: string,
  steps: readonly LoopbackStep[],
  { policy = EXACT, ...defaults }: CreateAxiosDefaults & { policy?: HeedPolicy } = {},
): Promise<Real> {
  const server = await loopbackServer(...steps);
  servers.push(server);
  const api = axios.create({ adapter, baseURL: server.url, ...defaults });
  heed(api, policy);
  return { api, server };
}

function observations(responseOrError: unknown): readonly ObservationEvent[] {
  return journalOf(responseOrError).flatMap((entry) => (entry.event === 'observation' ? [entry] : []));
}

const fine = answers(200, { 'content-type': 'application/json' }, '{"a":1}');

/** Not before the instant that was asked for, and soon after it. */
function expectWithin(ms: number | undefined, [atLeast, atMost]: readonly [number, number]): void {
  expect(ms).toBeGreaterThanOrEqual(atLeast);
  expect(ms).toBeLessThanOrEqual(atMost);
}

describe.each(['http', 'fetch'])('over a real connection, the %s adapter', (adapter) => {
  test('waits as long as the server asks in seconds, and no exchange comes early', async () => {
    const { api, server } = await real(adapter, [answers(429, { 'retry-after': '1' }, 'busy'), fine]);
    const response = await api.get('/things');
    expect(response.data).toEqual({ a: 1 });
    expect(server.requests).toHaveLength(2);
    expectWithin(gapsOf(server)[0], [999, 1400]);
    expect(observations(response)[0]).toMatchObject({
      status: 429,
      end: 'answer',
      hint: { kind: 'hint', form: 'delay-seconds', delayMs: 1000 },
    });
  });

  test('waits for the instant that the server names, by the clock of the server', async () => {
    const serverNow = Date.UTC(2030, 0, 1);
    const headers = {
      date: new Date(serverNow).toUTCString(),
      'retry-after': new Date(serverNow + 1000).toUTCString(),
    };
    const { api, server } = await real(adapter, [answers(503, headers), fine]);
    const response = await api.get('/things');
    expectWithin(gapsOf(server)[0], [999, 1400]);
    expect(observations(response)[0]?.hint).toMatchObject({ form: 'http-date', clock: 'server-date' });
  });

  test('NOD-03: reads two lines of Retry-After as its transport shows them', async () => {
    const { api, server } = await real(adapter, [answers(429, { 'retry-after': ['1', '2'] }), fine]);
    const response = await api.get('/things');
    // Node keeps the first of several lines, fetch joins them.
    const [raw, delayMs] = adapter === 'http' ? ['1', 1000] : ['1, 2', 2000];
    expect(observations(response)[0]?.hint).toMatchObject({ kind: 'hint', raw, delayMs });
    expectWithin(gapsOf(server)[0], [delayMs - 1, delayMs + 400]);
  });

  test('fetches an answer again whose body broke off, and joins nothing', async () => {
    const { api, server } = await real(adapter, [breaksOff(200), answers(200, {}, 'Hello World')]);
    const response = await api.get('/things', { responseType: 'text' });
    expect(response.data).toBe('Hello World');
    expect(server.requests).toHaveLength(2);
    expect(observations(response)[0]).toMatchObject({
      end: adapter === 'http' ? 'cut-answer' : 'network-failure',
      verdict: 'transient',
      hint: { kind: 'silent' },
    });
  });

  test('does not repeat a POST whose answer broke off', async () => {
    const { api, server } = await real(adapter, [breaksOff(200), fine]);
    const error = await failure(api.post('/things', { a: 1 }));
    expect(server.requests).toHaveLength(1);
    expect(error.heed).toMatchObject(
      adapter === 'http'
        ? { reason: 'answer-lost', knowledge: 'answered' }
        : { reason: 'outcome-unknown', knowledge: 'unknown' },
    );
  });

  test('keeps the hint of a limit whose body broke off, where its transport still shows the headers', async () => {
    const { api, server } = await real(adapter, [breaksOff(429, { 'retry-after': '1' }), fine]);
    await api.get('/things');
    expectWithin(gapsOf(server)[0], adapter === 'http' ? [999, 1400] : [199, 700]);
  });

  test('DDL-08: is ended by the deadline while a body stalls', async () => {
    const { api, server } = await real(adapter, [stalls(200)]);
    const startMs = performance.now();
    const error = await failure(api.get('/things', { heed: { budget: 500 } }));
    expectWithin(performance.now() - startMs, [499, 700]);
    expect(error.code).toBe('ERR_HEED_DEADLINE');
    expect(error.response).toBeUndefined();
    expect(error.heed).toMatchObject({ reason: 'deadline-passed', exchanges: 1, knowledge: 'unknown' });
    expect(axios.isCancel(error)).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test('DDL-08: keeps the last word of the server as the cause when a later exchange is cut', async () => {
    const { api } = await real(adapter, [answers(503), stalls(200)]);
    const error = await failure(api.get('/things', { heed: { budget: 500 } }));
    expect(error.code).toBe('ERR_HEED_DEADLINE');
    expect(error.cause).toMatchObject({ response: { status: 503 } });
  });

  test.each([{}, { transitional: { clarifyTimeoutError: true } }])(
    'NOD-01: sends again after a timeout, whatever its code: %j',
    async (config) => {
      const policy = { ...EXACT, exchanges: 2, backoff: { first: 0 } };
      const { api, server } = await real(adapter, [saysNothing], { policy });
      const error = await failure(api.get('/things', { timeout: 50, ...config }));
      expect(server.requests).toHaveLength(2);
      expect(observations(error).map(({ end }) => end)).toEqual(['timeout', 'timeout']);
      expect(error.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'unknown' });
    },
  );

  test('NOD-01: calls its deadline a deadline, not a timeout', async () => {
    const { api } = await real(adapter, [saysNothing]);
    const error = await failure(api.get('/things', { timeout: 5000, heed: { budget: 100 } }));
    expect(error.code).toBe('ERR_HEED_DEADLINE');
    expect(error.heed.reason).toBe('deadline-passed');
    expect(observations(error).map(({ end }) => end)).toEqual(['deadline']);
  });

  test.each(['127.0.0.1', 'localhost'])(
    'NOD-01: knows a connection refused by %s for never sent',
    async (host) => {
      const { api, server } = await real(adapter, [fine], { policy: { ...EXACT, backoff: { first: 1 } } });
      const { port } = new URL(server.url);
      await server.close();
      const error = await failure(api.post(`http://${host}:${port}/things`, { a: 1 }));
      expect(error.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'not-sent', exchanges: 3 });
      expect(observations(error)[0]).toMatchObject({ end: 'network-failure', code: 'ECONNREFUSED' });
    },
  );

  test('NOD-01: knows a connection reset in flight for unknown, and repeats no POST', async () => {
    const reset: LoopbackStep = (_response, request) => {
      request.socket.resetAndDestroy();
    };
    const { api, server } = await real(adapter, [reset]);
    const error = await failure(api.post('/things', { a: 1 }));
    expect(error.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', exchanges: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test('sends the same bytes and headers on every exchange', async () => {
    const { api, server } = await real(adapter, [answers(503), fine]);
    await api.put('/things', { text: 'grün' }, { headers: { 'X-Trace': '7' }, params: { a: 1 } });
    const [first, second] = server.requests;
    expect(first).toMatchObject({ method: 'PUT', url: '/things?a=1', body: '{"text":"grün"}' });
    expect(first?.headers).toMatchObject({ 'x-trace': '7', 'content-type': 'application/json' });
    expect(second).toMatchObject({ url: first?.url, body: first?.body, headers: first?.headers });
  });

  test.each(['before', 'after'])(
    'puts nothing back that a logout, or an interceptor registered %s it, took away',
    async (position) => {
      const server = await loopbackServer(answers(503), fine);
      servers.push(server);
      const api = axios.create({
        adapter,
        baseURL: server.url,
        params: { key: 'k', page: '1' },
        auth: { username: 'u', password: 'p' },
      });
      api.defaults.headers.common['X-Default'] = 'd';
      api.defaults.headers.common['X-Session'] = 's';
      const takeAway = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
        config.headers.delete('X-Default');
        delete (config.params as Record<string, string>)['key'];
        delete config.auth;
        return config;
      };
      if (position === 'before') api.interceptors.request.use(takeAway);
      heed(api, EXACT);
      if (position === 'after') api.interceptors.request.use(takeAway);
      delete api.defaults.headers.common['X-Session'];
      await api.get('/things');
      expect(server.requests).toHaveLength(2);
      for (const { url, headers } of server.requests) {
        expect(url).toBe('/things?page=1');
        expect(headers).not.toHaveProperty('x-default');
        expect(headers).not.toHaveProperty('x-session');
        expect(headers).not.toHaveProperty('authorization');
      }
    },
  );
});

test('a body larger than allowed is what repeating does not heal', async () => {
  const { api, server } = await real('http', [answers(200, {}, 'x'.repeat(1000))]);
  const read = await failure(api.get('/things', { maxContentLength: 10 }));
  expect(read.heed).toMatchObject({ reason: 'not-transient', exchanges: 1 });
  const sent = await failure(api.put('/things', 'x'.repeat(1000), { maxBodyLength: 10 }));
  expect(sent.heed).toMatchObject({ reason: 'not-transient', exchanges: 1 });
  expect(server.requests).toHaveLength(1);
});
