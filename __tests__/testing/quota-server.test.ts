import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import {
  alwaysSays,
  asHttpDate,
  concurrencyLimit,
  exaggerates,
  fixedWindow,
  workQueue,
  noLimit,
  quotaServer,
  saysNonsense,
  saysNothing,
  tokenBucket,
  virtualClock,
} from '../../lib/testing/index.js';
import type { QuotaServerOptions } from '../../lib/testing/index.js';

/** A client of a server that lets one request in per ten seconds. */
function setUp(options: Partial<QuotaServerOptions> = {}) {
  const clock = virtualClock({ startMonoMs: 5000 });
  const model = fixedWindow({ quota: 1, windowMs: 10_000 });
  const server = quotaServer({ clock, model, rttMs: 100, ...options });
  return { clock, server, api: axios.create({ adapter: server.adapter }) };
}

const errorOf = async (promise: Promise<unknown>): Promise<AxiosError> =>
  await promise.then(
    () => Promise.reject(new Error('expected a rejection')),
    (error: unknown) => error as AxiosError,
  );

describe('a quota server', () => {
  test('answers one round trip later, through the transforms of the instance', async () => {
    const { clock, api } = setUp();
    const response = await clock.until(api.get('/orders/7'));
    expect([response.status, response.data, clock.monoMs()]).toEqual([200, { status: 200 }, 5100]);
  });

  test('turns away with an AxiosError that carries status, header and config', async () => {
    const { clock, api } = setUp();
    await clock.until(api.get('/orders'));
    const error = await clock.until(errorOf(api.get('/orders')));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(error).toMatchObject({ code: 'ERR_BAD_REQUEST', status: 429, config: { url: '/orders' } });
    expect(error.response?.status).toBe(429);
    expect(error.response?.headers['retry-after']).toBe('10');
    expect(error.toJSON()).toMatchObject({ code: 'ERR_BAD_REQUEST', status: 429 });
  });

  test('gives the limit as a response where validateStatus takes it', async () => {
    const { clock, api } = setUp({ model: tokenBucket({ capacity: 1, perSecond: 1, tokens: 0 }) });
    const response = await clock.until(api.get('/', { validateStatus: () => true }));
    expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);
  });

  test('keeps a log of every arrival with what became of it', async () => {
    const { clock, server, api } = setUp();
    const pair = Promise.allSettled([api.get('/a'), api.post('/b')]);
    await clock.advance(50);
    expect([server.log.length, server.accepted, server.rejections]).toEqual([2, 1, 1]);
    await clock.until(pair);
    expect(server.log).toEqual([
      { method: 'GET', url: '/a', arrivedMonoMs: 5050, status: 200 },
      { method: 'POST', url: '/b', arrivedMonoMs: 5050, status: 429, retryAfter: '10' },
    ]);
  });

  test('counts the most arrivals within a span', async () => {
    const { clock, server, api } = setUp({ model: noLimit() });
    for (const pauseMs of [0, 40, 59, 1, 300]) {
      await clock.advance(pauseMs);
      void api.get('/');
    }
    await clock.advance(1000);
    expect([server.mostWithin(100), server.mostWithin(101), server.mostWithin(1000)]).toEqual([3, 4, 5]);
    expect(server.mostWithin(100, 5200)).toBe(1);
  });

  test('works on a request as long as its model says', async () => {
    const { clock, server, api } = setUp({ model: concurrencyLimit({ slots: 1, serviceMs: 700 }) });
    const call = api.get('/');
    await clock.advance(50);
    expect(server.log[0]).not.toHaveProperty('status');
    await clock.until(call);
    expect(clock.monoMs()).toBe(5800);
  });

  test('answers 503 for queued work that a collapse has lost', async () => {
    const model = workQueue({ perSecond: 10, breaks: { abovePerSecond: 5, downMs: 1000 } });
    const { clock, server, api } = setUp({ model });
    const calls = Array.from({ length: 6 }, () => errorOf(api.get('/')));
    const errors = await clock.until(Promise.all(calls));
    expect(errors.map(({ response }) => response?.status)).toEqual(Array(6).fill(503));
    expect([model.collapses, server.rejections]).toEqual([1, 6]);
  });

  test('chooses its model by the request', async () => {
    const tight = fixedWindow({ quota: 0, windowMs: 1000 });
    const model = ({ url }: InternalAxiosRequestConfig) => (url === '/tight' ? tight : noLimit());
    const { clock, api } = setUp({ model });
    const calls = Promise.allSettled([api.get('/tight'), api.get('/free')]);
    expect((await clock.until(calls)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('spreads its round trips when it is told to, the same way for the same seed', async () => {
    const arrivals = async (seed: number): Promise<number[]> => {
      const { clock, server, api } = setUp({ model: noLimit(), rttSpread: 0.2, seed });
      await clock.until(Promise.all(Array.from({ length: 20 }, () => api.get('/'))));
      return server.log.map(({ arrivedMonoMs }) => arrivedMonoMs);
    };
    const first = await arrivals(1);
    expect(new Set(first).size).toBe(20);
    expect([Math.min(...first) >= 5040, Math.max(...first) <= 5060]).toEqual([true, true]);
    expect(await arrivals(1)).toEqual(first);
    expect(await arrivals(2)).not.toEqual(first);
  });
});

describe('an exchange with a quota server', () => {
  test('ends at once when its signal fires in flight, and no timer is left', async () => {
    const { clock, server, api } = setUp();
    const abort = new AbortController();
    const call = errorOf(api.get('/', { signal: abort.signal }));
    await clock.advance(60);
    abort.abort();
    const error = await clock.until(call);
    expect([axios.isCancel(error), error.code, clock.monoMs()]).toEqual([true, 'ERR_CANCELED', 5060]);
    expect(server.log).toHaveLength(1);
    clock.assertIdle();
  });

  test('never arrives when it was cancelled on the way', async () => {
    const { clock, server, api } = setUp();
    const source = axios.CancelToken.source();
    const call = errorOf(api.get('/', { cancelToken: source.token }));
    await clock.advance(10);
    source.cancel();
    expect(axios.isCancel(await clock.until(call))).toBe(true);
    await clock.advance(1000);
    expect(server.log).toEqual([]);
    clock.assertIdle();
  });

  test('is not begun under a signal that has fired', async () => {
    const { clock, server, api } = setUp();
    const config = { headers: axios.AxiosHeaders.from({}), signal: AbortSignal.abort() };
    const error = await errorOf(server.adapter(config) as Promise<unknown>);
    expect(axios.isCancel(error)).toBe(true);
    expect(axios.isCancel(await errorOf(api.get('/', { signal: AbortSignal.abort() })))).toBe(true);
    clock.assertIdle();
  });

  test.each([
    [false, 'ECONNABORTED'],
    [true, 'ETIMEDOUT'],
  ])('ends at its own timeout (clarifyTimeoutError %s: %s)', async (clarifyTimeoutError, code) => {
    const { clock, api } = setUp();
    const call = errorOf(api.get('/', { timeout: 30, transitional: { clarifyTimeoutError } }));
    const error = await clock.until(call);
    expect([error.code, error.message, clock.monoMs()]).toEqual([code, 'timeout of 30ms exceeded', 5030]);
    clock.assertIdle();
  });
});

describe('the words of a quota server', () => {
  const textsOf = async (options: Partial<QuotaServerOptions>, count = 1): Promise<unknown[]> => {
    const { clock, server, api } = setUp({ model: fixedWindow({ quota: 0, windowMs: 3500 }), ...options });
    for (let i = 0; i < count; i += 1) await clock.until(errorOf(api.get('/')));
    return server.log.map(({ retryAfter }) => retryAfter);
  };

  test('are whole seconds, rounded up, unless told otherwise', async () => {
    expect(await textsOf({})).toEqual(['4']);
  });

  test('may be too short, too long or missing', async () => {
    expect(await textsOf({ hint: alwaysSays('1') })).toEqual(['1']);
    expect(await textsOf({ hint: exaggerates(5) })).toEqual(['20']);
    expect(await textsOf({ hint: exaggerates(0.2) })).toEqual(['1']);
    expect(await textsOf({ hint: saysNothing })).toEqual([undefined]);
  });

  test('may be nonsense, another each time', async () => {
    expect(await textsOf({ hint: saysNonsense(['soon', '-1']) }, 3)).toEqual(['soon', '-1', 'soon']);
    expect(new Set(await textsOf({ hint: saysNonsense() }, 10)).size).toBe(10);
  });

  test('may be a date, the next whole second', async () => {
    const { clock, server, api } = setUp();
    const dated = quotaServer({
      clock,
      model: fixedWindow({ quota: 0, windowMs: 3500 }),
      hint: asHttpDate(() => clock.wallEpochMs()),
    });
    await clock.until(errorOf(api.get('/', { adapter: dated.adapter })));
    expect([dated.log[0]?.retryAfter, server.log]).toEqual(['Thu, 01 Jan 2026 00:00:04 GMT', []]);
  });

  test.each([
    ['ratelimit', { ratelimit: '"default";r=0;t=10', 'ratelimit-policy': '"default";q=1;w=10' }],
    [
      'x-ratelimit',
      { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225610' },
    ],
  ] as const)('tell the quota in the dialect %s', async (dialect, headers) => {
    const { clock, api } = setUp({ dialect });
    const response = await clock.until(api.get('/'));
    expect(response.headers).toMatchObject(headers);
  });
});
