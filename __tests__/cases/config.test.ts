import { describe, expect, jest, test } from '@jest/globals';
import axios, { AxiosHeaders, isAxiosError } from 'axios';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { heed } from '../../lib/index';
import type { HeedConfig, HeedPolicy } from '../../lib/index';
import { virtualClock } from '../../lib/testing/index';
import { scriptedAdapter } from '../support/scripted-adapter';
import type { Step } from '../support/scripted-adapter';
import { EXACT, failure, hintsIn, scriptedClient, T0 } from '../support/scripted-client';

const unavailable: Step = { status: 503 };
const fine: Step = { status: 200 };
const limited = (seconds: string): Step => ({ status: 429, headers: { 'Retry-After': seconds } });

describe('CFG-01: one config object for several operations', () => {
  const config: AxiosRequestConfig = {
    url: '/things',
    method: 'get',
    headers: { 'X-Trace': '7' },
    params: { page: 1 },
    heed: { exchanges: 3 },
  };
  const before = structuredClone(config);
  const thirdTime = ({ number }: { number: number }): Step => (number % 3 === 0 ? fine : unavailable);

  test('gives each of them all its exchanges, one after the other', async () => {
    const client = scriptedClient(thirdTime);
    expect((await client.ended(client.api.request(config))).status).toBe(200);
    expect((await client.ended(client.api.request(config))).status).toBe(200);
    expect(client.server.sent).toHaveLength(6);
    expect(config).toEqual(before);
  });

  test('is left as it was when it is frozen through and through', async () => {
    const client = scriptedClient([unavailable, fine]);
    const frozen: AxiosRequestConfig = Object.freeze({
      url: '/things',
      headers: Object.freeze({ 'X-Trace': '7' }),
      params: Object.freeze({ page: 1 }),
      heed: Object.freeze({ exchanges: 3 }),
    });
    expect((await client.ended(client.api.request(frozen))).status).toBe(200);
    expect(client.server.sent).toHaveLength(2);
  });

  test('counts for each of two calls at once alone', async () => {
    const client = scriptedClient([unavailable]);
    const calls = [1, 2].map(() => failure(client.api.request(config)));
    const errors = await client.clock.until(Promise.all(calls));
    expect(errors.map(({ heed: report }) => report.exchanges)).toEqual([3, 3]);
    expect(config).toEqual(before);
  });
});

describe('CFG-03: URL and params', () => {
  test.each(['/api', 'http://h.example/api'])(
    'under %s are joined once, on every exchange',
    async (baseURL) => {
      const client = scriptedClient([unavailable, unavailable, fine], EXACT, { axiosDefaults: { baseURL } });
      await client.ended(client.api.get('x', { params: { a: 1 } }));
      const uris = client.server.sent.map(({ config }) => client.api.getUri(config));
      expect(uris).toEqual([`${baseURL}/x?a=1`, `${baseURL}/x?a=1`, `${baseURL}/x?a=1`]);
    },
  );

  test('come to the caller as they were given', async () => {
    const client = scriptedClient([unavailable, fine], EXACT, { axiosDefaults: { baseURL: '/api' } });
    const response = await client.clock.until(client.api.get('x', { params: { a: 1 } }));
    expect(response.config).toMatchObject({ url: 'x', baseURL: '/api', params: { a: 1 } });
  });
});

describe('CFG-04: headers', () => {
  const plain = { Accept: 'text/plain', 'X-Trace': '7', Authorization: 'Bearer abc' };
  const cases: [string, AxiosRequestConfig['headers']][] = [
    ['a plain object', plain],
    ['AxiosHeaders', new AxiosHeaders(plain)],
  ];

  test.each(cases)('given as %s are equal on every exchange', async (_name, headers) => {
    const client = scriptedClient([unavailable, fine]);
    await client.get({ headers: headers! });
    const [first, second] = client.server.sent;
    expect(first?.headers).toMatchObject({
      accept: 'text/plain',
      'x-trace': '7',
      authorization: 'Bearer abc',
    });
    expect(second?.headers).toEqual(first?.headers);
  });

  test('that an adapter writes into its config do not reach the next exchange', async () => {
    const clock = virtualClock();
    const server = scriptedAdapter(clock, [unavailable, fine]);
    const api = axios.create({
      adapter: (config) => {
        const answer = server.adapter(config);
        config.headers.set('User-Agent', 'axios');
        config.headers.set('Content-Length', '2');
        return answer;
      },
    });
    heed(api, { ...EXACT, clock });
    const response = await clock.until(api.get('/things'));
    expect(server.sent[1]?.headers).toEqual(server.sent[0]?.headers);
    expect(response.config.headers.has('User-Agent')).toBe(false);
  });
});

describe('CFG-05: the adapter', () => {
  test('of the instance gets every exchange', async () => {
    const client = scriptedClient([unavailable, fine]);
    expect((await client.get()).status).toBe(200);
    expect(client.server.sent).toHaveLength(2);
  });

  test('of one request gets every exchange of it', async () => {
    const client = scriptedClient([fine]);
    const other = scriptedAdapter(client.clock, [unavailable, fine]);
    expect((await client.get({ adapter: other.adapter })).status).toBe(200);
    expect(other.sent).toHaveLength(2);
    expect(client.server.sent).toEqual([]);
  });

  test('set on the instance after heed() is the one that is used', async () => {
    const client = scriptedClient([fine]);
    const other = scriptedAdapter(client.clock, [unavailable, fine]);
    client.api.defaults.adapter = other.adapter;
    await client.get();
    expect(other.sent).toHaveLength(2);
    expect(client.server.sent).toEqual([]);
  });

  test('is in the config that the caller gets back, so that a second call goes the same way', async () => {
    const client = scriptedClient([fine]);
    const response = await client.clock.until(client.api.get('/things'));
    expect(response.config.adapter).toBe(client.server.adapter);
    await client.ended(client.api.request(response.config));
    expect(client.server.sent).toHaveLength(2);
  });
});

describe('CFG-07: by default', () => {
  test.each([408, 429, 500, 502, 503, 504])('%d is sent again', async (status) => {
    const client = scriptedClient([{ status }, fine]);
    expect((await client.get()).status).toBe(200);
    expect(client.server.sent).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 405, 409, 410, 413, 422, 501, 505, 507])('%d is final', async (status) => {
    const client = scriptedClient([{ status }, fine]);
    const ended = await client.get();
    expect(ended.status).toBe(status);
    expect(client.server.sent).toHaveLength(1);
    expect(ended.error?.heed).toMatchObject({ reason: 'not-transient', retryable: false });
  });

  test('the same goes for answers that validateStatus lets pass', async () => {
    const client = scriptedClient([{ status: 503 }, { status: 404 }]);
    const ended = await client.get({ validateStatus: () => true });
    expect(ended.error).toBeUndefined();
    expect(ended.status).toBe(404);
    expect(client.server.sent).toHaveLength(2);
  });
});

describe('CFG-08: a hint on a success', () => {
  test.each([200, 201, 202, 204, 206])('is about polling, not about repeating: %d', async (status) => {
    const client = scriptedClient([{ status, headers: { 'Retry-After': '17' } }]);
    const response = await client.clock.until(client.api.put('/things', { a: 1 }));
    expect(response.status).toBe(status);
    expect(String(AxiosHeaders.from(response.headers as Record<string, string>).get('retry-after'))).toBe(
      '17',
    );
    expect(client.clock.monoMs()).toBe(0);
    expect(client.server.sent).toHaveLength(1);
    expect(client.heeding.snapshot().gates.filter(({ state }) => state === 'held')).toEqual([]);
    await client.get();
    expect(client.server.times()).toEqual([0, 0]);
  });
});

describe('CFG-10: own delay and hint', () => {
  test.each([
    [1000, 5000],
    [10_000, 10_000],
  ])('own %d ms against 5 s: the longer one', async (ownMs, atMs) => {
    const client = scriptedClient([limited('5'), fine], { ...EXACT, backoff: () => ownMs });
    await client.get();
    expect(client.server.times()).toEqual([0, atMs]);
  });

  test('never their sum', async () => {
    const client = scriptedClient([limited('5'), fine], { ...EXACT, backoff: () => 5000 });
    await client.get();
    expect(client.server.times()).toEqual([0, 5000]);
  });
});

describe('CFG-12: not to repeat is not the same as not to learn', () => {
  test.each<[string, AxiosRequestConfig['heed']]>([
    ['heed: false', false],
    ['exchanges: 1', { exchanges: 1 }],
    ['maxHint: 0', { maxHint: 0 }],
  ])('a limit met with %s holds the next operation', async (_name, off) => {
    const client = scriptedClient([limited('10'), fine]);
    const first = await client.get({ heed: off });
    expect(first.status).toBe(429);
    expect(first.atMonoMs).toBe(0);
    await client.clock.advance(1000);
    expect((await client.get()).status).toBe(200);
    expect(client.server.times()).toEqual([0, 10_000]);
  });

  test('with heed: false no gate is waited for', async () => {
    const client = scriptedClient([limited('10'), fine]);
    await client.get({ heed: false });
    expect((await client.get({ heed: false })).status).toBe(200);
    expect(client.server.times()).toEqual([0, 0]);
  });
});

describe('CFG-12: options as defaults of the instance', () => {
  const cases: [AxiosRequestConfig['heed'], AxiosRequestConfig['heed'], number][] = [
    [{ exchanges: 1 }, undefined, 1],
    [{ exchanges: 1 }, { exchanges: 2 }, 2],
    [{ exchanges: 2 }, { budget: 5000 }, 2],
    [{ exchanges: 2 }, false, 1],
    [false, undefined, 1],
    [false, {}, 3],
  ];

  test.each(cases)('%j, and of the request %j: %d exchanges', async (ofInstance, ofRequest, exchanges) => {
    const client = scriptedClient([unavailable], EXACT, { axiosDefaults: { heed: ofInstance } });
    await client.get(ofRequest === undefined ? {} : { heed: ofRequest });
    expect(client.server.sent).toHaveLength(exchanges);
  });
});

describe('CFG-13: exchanges are counted on this side', () => {
  const endless = ({ number }: { number: number }): Step => ({
    status: 429,
    headers: { 'Retry-After': '1', 'X-Request-Id': `r-${number}` },
  });

  test('so a limit without end is met exactly as often as allowed', async () => {
    const client = scriptedClient(endless);
    const { status, error } = await client.get();
    expect(client.server.sent).toHaveLength(3);
    expect(status).toBe(429);
    expect(error?.heed).toMatchObject({ reason: 'exchanges-spent', exchanges: 3, retryable: false });
  });

  test('also when a rule of the policy always says yes', async () => {
    const always: HeedPolicy = { ...EXACT, transient: () => true, notApplied: () => true };
    const client = scriptedClient(endless, always);
    expect((await client.get()).error?.heed.reason).toBe('exchanges-spent');
    expect(client.server.sent).toHaveLength(3);
  });

  test('also when the policy calls every answer a limit', async () => {
    const client = scriptedClient([fine], { ...EXACT, classify: () => ({ kind: 'limit', delayMs: 1000 }) });
    await client.get();
    expect(client.server.times()).toEqual([0, 1000, 2000]);
  });
});

test('CFG-15: a limit without a hint is paced by own backoff', async () => {
  const client = scriptedClient([{ status: 429 }]);
  const { status, journal } = await client.get();
  expect(client.server.times()).toEqual([0, 200, 600]);
  expect(status).toBe(429);
  expect(hintsIn(journal)).toEqual(Array(3).fill({ kind: 'silent', because: 'missing' }));
});

describe('CFG-17: a service that speaks in the body', () => {
  const policy: HeedPolicy = {
    ...EXACT,
    classify: ({ json }) => {
      const body = json() as { code?: number; policy?: string } | undefined;
      if (body?.code === -7) return { kind: 'limit', delayMs: 10_000 };
      return body?.policy === 'DAILY' ? { kind: 'final' } : undefined;
    },
  };

  test('can limit with a 200, and holds its gate meanwhile', async () => {
    const client = scriptedClient(
      [
        { status: 200, data: '{"code":-7}' },
        { status: 200, data: '{"ok":1}' },
      ],
      policy,
    );
    const first = client.api.get('/things');
    await client.clock.advance(1000);
    const second = client.api.get('/things');
    await client.clock.advance(0);
    expect(client.server.times()).toEqual([0]);
    expect(client.heeding.snapshot().gates.some(({ state }) => state === 'held')).toBe(true);
    expect((await client.ended(first)).data).toEqual({ ok: 1 });
    expect((await client.ended(second)).data).toEqual({ ok: 1 });
    expect(client.server.times()[1]).toBe(10_000);
  });

  test('can say with a 429 that repeating will not help', async () => {
    const client = scriptedClient([{ status: 429, data: '{"policy":"DAILY"}' }, fine], policy);
    const { status, error } = await client.get();
    expect(status).toBe(429);
    expect(error?.heed.reason).toBe('not-transient');
    expect(client.server.sent).toHaveLength(1);
  });

  test('in a body that is no JSON says nothing, and the status counts', async () => {
    const client = scriptedClient([{ status: 503, data: '<html>' }, fine], policy);
    expect((await client.get()).status).toBe(200);
    expect(client.server.times()).toEqual([0, 200]);
  });
});

const KEY = { 'Idempotency-Key': 'k-1' };

function form(): FormData {
  const made = new FormData();
  made.set('a', '1');
  return made;
}

describe('CFG-19: every door of axios', () => {
  const doors: [string, (api: AxiosInstance) => Promise<unknown>][] = [
    ['instance(url)', (api) => api('/things')],
    ['instance(config)', (api) => api({ url: '/things' })],
    ['instance.get', (api) => api.get('/things')],
    ['instance.request(config)', (api) => api.request({ url: '/things' })],
    ['instance.delete', (api) => api.delete('/things')],
    ['instance.head', (api) => api.head('/things')],
    ['instance.options', (api) => api.options('/things')],
    ['instance.put', (api) => api.put('/things', { a: 1 })],
    ['instance.post with a key', (api) => api.post('/things', { a: 1 }, { headers: KEY })],
    [
      'instance.postForm with a native form and a key',
      (api) => api.postForm('/things', form(), { headers: KEY }),
    ],
    [
      'instance.patchForm with a native form and a key',
      (api) => api.patchForm('/things', form(), { headers: KEY }),
    ],
    ['instance.putForm with a native form', (api) => api.putForm('/things', form())],
    [
      'instance.post declared idempotent',
      (api) => api.post('/things', { a: 1 }, { heed: { idempotent: true } }),
    ],
  ];

  test.each(doors)('%s is sent again', async (_name, call) => {
    const client = scriptedClient([unavailable, fine]);
    expect((await client.ended(call(client.api))).status).toBe(200);
    expect(client.server.sent).toHaveLength(2);
  });

  test('a form that axios makes of an object is a stream in Node: refused, and the answer stays', async () => {
    const client = scriptedClient([unavailable, fine]);
    const ended = await client.ended(client.api.postForm('/things', { a: 1 }, { headers: KEY }));
    expect(ended.status).toBe(503);
    expect(ended.error?.heed.reason).toBe('body-not-replayable');
    expect(client.server.sent).toHaveLength(1);
  });

  test('axios itself is an instance like any other', async () => {
    const clock = virtualClock({ startEpochMs: T0 });
    const server = scriptedAdapter(clock, [unavailable, fine]);
    const heeding = heed(axios, { ...EXACT, clock });
    try {
      expect((await clock.until(axios('/things', { adapter: server.adapter }))).status).toBe(200);
      expect(server.sent).toHaveLength(2);
    } finally {
      heeding.detach();
    }
    await clock.until(axios('/things', { adapter: server.adapter }));
    expect(server.sent).toHaveLength(3);
  });

  test('a child of instance.create() has no interceptors, so it heeds only when told itself', async () => {
    const client = scriptedClient([unavailable, unavailable, fine]);
    const child = client.api.create({ adapter: client.server.adapter });
    expect((await client.ended(child.get('/things'))).status).toBe(503);
    expect(client.server.sent).toHaveLength(1);
    heed(child, { ...EXACT, clock: client.clock });
    expect((await client.ended(child.get('/things'))).status).toBe(200);
    expect(client.server.sent).toHaveLength(3);
  });
});

describe('options that are refused', () => {
  test.each<unknown>([
    null,
    true,
    0,
    'off',
    [],
    { exchanges: 0 },
    { exchanges: '3' },
    { budget: -1 },
    { budget: Infinity },
    { budget: { minute: 5 } },
    { deadline: new Date(NaN) },
    { maxHint: null },
    { retries: 3 },
  ])('%j: nothing is sent, and the error says what was expected', async (options) => {
    const client = scriptedClient([fine]);
    const { error } = await client.get({ heed: options as HeedConfig });
    expect(error?.code).toBe('ERR_HEED_OPTIONS');
    expect(error?.message).toMatch(/^axios-heed: expected the request option `heed`/);
    expect(isAxiosError(error) && error.config !== undefined).toBe(true);
    expect(client.server.sent).toEqual([]);
  });
});

describe('CFG-20: the question of what is transient', () => {
  test('is asked about failures only, so a careless yes repeats no success', async () => {
    const transient = jest.fn(() => true);
    const client = scriptedClient([{ status: 200 }, { status: 204 }, { status: 304 }], {
      ...EXACT,
      transient,
    });
    expect((await client.get()).status).toBe(200);
    expect((await client.ended(client.api.put('/things', { a: 1 }))).status).toBe(204);
    await client.get({ validateStatus: (status) => status < 400 });
    expect(client.server.sent).toHaveLength(3);
    expect(transient).not.toHaveBeenCalled();
  });

  test('gets the facts of a failure', async () => {
    const seen: (number | undefined)[] = [];
    const transient: HeedPolicy['transient'] = ({ status }) => {
      seen.push(status);
      return false;
    };
    const client = scriptedClient([{ status: 503 }], { ...EXACT, transient });
    expect((await client.get()).error?.heed.reason).toBe('not-transient');
    expect(seen).toEqual([503]);
  });
});
