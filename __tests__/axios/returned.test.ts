import { describe, expect, test } from '@jest/globals';
import { AxiosError } from 'axios';
import type { InternalAxiosRequestConfig } from 'axios';
import { heed, journalOf } from '../../lib/index';
import { scriptedAdapter } from '../support/scripted-adapter';
import type { Script } from '../support/scripted-adapter';
import { failureOf, worldWith } from '../support/world';
import type { Thrown } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;
const THIRD_TIME_LUCKY: Script = [LIMITED, LIMITED, { status: 200, data: '{"v":1}' }];

describe('what the application gets back', () => {
  test("is a response with the application's own config and adapter", async () => {
    const it = worldWith(THIRD_TIME_LUCKY);
    let requested: InternalAxiosRequestConfig | undefined;
    heed(it.api, it.policy);
    it.api.interceptors.request.use((config) => (requested = config));
    const { config } = await it.clock.until(it.api.get('/things'));
    expect(config.adapter).toBe(it.server.adapter);
    expect(config.url).toBe(requested?.url);
    expect(config.signal).toBeUndefined();
    expect(config.timeout).toBe(requested?.timeout);
  });

  test.each([
    ['a response', [{ status: 200 }]],
    ['an error', [{ status: 404 }]],
  ])('has the same identities on %s as plain axios gives', async (_, script) => {
    const identities = async (heeds: 'heeds' | 'plain'): Promise<unknown[]> => {
      const it = worldWith(script);
      if (heeds === 'heeds') heed(it.api, it.policy);
      let requested: unknown;
      it.api.interceptors.request.use((config) => (requested = config));
      const got: Thrown = await it.clock.until(it.api.get('/things').catch((error: unknown) => error));
      const response = got.response ?? got;
      return [response.config === requested, got.config === requested, got.config === response.config];
    };
    expect(await identities('heeds')).toEqual(await identities('plain'));
    expect((await identities('heeds'))[2]).toBe(true);
  });

  test('has the wire below, not the caller, see a shortened timeout and a signal of its own', async () => {
    const it = worldWith([LIMITED, { status: 404 }]);
    heed(it.api, it.policy);
    const error = await failureOf(
      it.clock,
      it.api.get('/things', { timeout: 60_000, heed: { budget: 5000 } }),
    );
    expect(it.server.sent.map(({ config }) => [config.timeout, config.signal === undefined])).toEqual([
      [5000, false],
      [4000, false],
    ]);
    expect([error.config.timeout, error.config.signal]).toEqual([60_000, undefined]);
    expect(error.config).toBe(error.response.config);
    expect(error.config.adapter).toBe(it.server.adapter);
  });

  test('is an AxiosError of the same copy of axios, with the answer untouched', async () => {
    const it = worldWith([{ status: 503, headers: { 'x-own': '1' }, data: 'sorry' }]);
    heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things'));
    expect(error).toBeInstanceOf(AxiosError);
    expect(error.code).toBe('ERR_BAD_RESPONSE');
    expect([error.response.data, error.response.headers['x-own']]).toEqual(['sorry', '1']);
    expect(error.message).toBe('Request failed with status code 503');
  });

  test('is a refused status where `validateStatus` lets it pass, after as many exchanges as ever', async () => {
    const it = worldWith([{ status: 429, headers: { 'retry-after': '2' } }], { exchanges: 3 });
    heed(it.api, it.policy);
    const response = await it.clock.until(it.api.get('/things', { validateStatus: () => true }));
    expect(response.status).toBe(429);
    expect(it.server.times()).toEqual([0, 2000, 4000]);
    expect(journalOf(response).at(-1)).toMatchObject({ outcome: 'stopped', because: 'exchanges-spent' });
  });

  test('is a limit heeded also where `validateStatus` is null or takes it for a success', async () => {
    for (const validateStatus of [null, () => true]) {
      const it = worldWith([{ status: 429, headers: { 'retry-after': '2' } }, { status: 200 }]);
      heed(it.api, it.policy);
      expect((await it.clock.until(it.api.get('/things', { validateStatus }))).status).toBe(200);
      expect(it.server.times()).toEqual([0, 2000]);
    }
  });

  test('is an error where `validateStatus` refuses a success, sent once', async () => {
    const it = worldWith([{ status: 200 }]);
    heed(it.api, it.policy);
    const error = await failureOf(it.clock, it.api.get('/things', { validateStatus: () => false }));
    expect([error.response.status, error.heed.reason]).toEqual([200, 'not-transient']);
    expect(it.server.sent).toHaveLength(1);
  });

  test('is what `transformResponse` makes of the last answer, when it throws too', async () => {
    const it = worldWith(THIRD_TIME_LUCKY);
    heed(it.api, it.policy);
    const thrown = new Error('not for me');
    const call = it.api.get('/things', {
      transformResponse: () => {
        throw thrown;
      },
    });
    expect(await failureOf(it.clock, call)).toBe(thrown);
    expect(it.server.sent).toHaveLength(3);
  });
});

describe('error.config sent again by the application', () => {
  test('is a call of its own: four exchanges and four more, not four times four', async () => {
    const it = worldWith([{ status: 503 }]);
    heed(it.api, it.policy);
    const first = await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(4);
    const second = await failureOf(it.clock, it.api.request(first.config));
    expect(it.server.sent).toHaveLength(8);
    expect(second.heed.operationId).not.toBe(first.heed.operationId);
    expect(second.heed.exchanges).toBe(4);
  });

  test('has its budget anew', async () => {
    const it = worldWith([{ silent: true }]);
    heed(it.api, it.policy);
    const first = await failureOf(it.clock, it.api.get('/things', { heed: { budget: 1000 } }));
    expect([it.clock.monoMs(), first.code]).toEqual([1000, 'ERR_HEED_DEADLINE']);
    const second = await failureOf(it.clock, it.api.request(first.config));
    expect([it.clock.monoMs(), second.code]).toEqual([2000, 'ERR_HEED_DEADLINE']);
    expect(it.server.sent).toHaveLength(2);
  });

  test('keeps its deadline, and is refused once that has passed', async () => {
    const it = worldWith([{ silent: true }]);
    heed(it.api, it.policy);
    const deadline = new Date(it.clock.wallEpochMs() + 1000);
    const first = await failureOf(it.clock, it.api.get('/things', { heed: { deadline } }));
    expect([it.clock.monoMs(), first.code]).toEqual([1000, 'ERR_HEED_DEADLINE']);
    const second = await failureOf(it.clock, it.api.request(first.config));
    expect([it.clock.monoMs(), second.code]).toEqual([1000, 'ERR_HEED_DEADLINE']);
    expect(second.heed).toMatchObject({ reason: 'deadline-passed', exchanges: 0, knowledge: 'not-sent' });
    expect(it.server.sent).toHaveLength(1);
  });

  test('from inside a response interceptor gives the caller its answer', async () => {
    const it = worldWith([{ status: 401 }, { status: 200, data: 'in' }]);
    heed(it.api, it.policy);
    it.api.interceptors.response.use(null, async (error: AxiosError) => {
      error.config?.headers.set('Authorization', 'fresh');
      return it.api.request(error.config!);
    });
    expect((await it.clock.until(it.api.get('/things'))).data).toBe('in');
    expect(it.server.sent.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'fresh']);
  });
});

test('an adapter named in the config of one request is used for it', async () => {
  const it = worldWith([{ status: 500 }]);
  const own = scriptedAdapter(it.clock, [LIMITED, { status: 200 }]);
  heed(it.api, it.policy);
  await it.clock.until(it.api.get('/things', { adapter: own.adapter }));
  expect([own.times(), it.server.sent.length]).toEqual([[0, 1000], 0]);
});

test('each exchange has headers of its own: what an adapter writes into them is not sent again', async () => {
  const it = worldWith([]);
  const seen: unknown[] = [];
  heed(it.api, it.policy);
  const call = it.api.get('/things', {
    headers: { 'X-Own': '1' },
    adapter: (config) => {
      seen.push(config.headers.get('Content-Length'), config.headers.get('X-Own'));
      config.headers.set('Content-Length', '99');
      return it.server.adapter(config);
    },
  });
  expect((await it.clock.until(call)).status).toBe(200);
  const limited = scriptedAdapter(it.clock, [LIMITED, { status: 200 }]);
  const again = it.api.get('/things', {
    headers: { 'X-Own': '1' },
    adapter: (config) => {
      seen.push(config.headers.get('Content-Length'), config.headers.get('X-Own'));
      config.headers.set('Content-Length', '99');
      return limited.adapter(config);
    },
  });
  const { config } = await it.clock.until(again);
  expect(seen.map((value) => value ?? undefined)).toEqual([undefined, '1', undefined, '1', undefined, '1']);
  expect(config.headers.get('Content-Length') ?? undefined).toBeUndefined();
});
