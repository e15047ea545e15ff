import { describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import type * as firstCopy from '../../lib/index';
import { heed, journalOf } from '../../lib/index';
import { failureOf, settled, worldWith } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;

describe('one instance', () => {
  test('takes the same policy object twice and gives the first handle: no nested loops', async () => {
    const it = worldWith([{ status: 503 }], { exchanges: 3 });
    const handles = [heed(it.api, it.policy), heed(it.api, it.policy), heed(it.api, it.policy)];
    expect(new Set(handles).size).toBe(1);
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(3);
  });

  test('refuses another policy, and names both', () => {
    const it = worldWith([]);
    heed(it.api, it.policy);
    expect(() => heed(it.api, { budget: 5 })).toThrow(
      expect.objectContaining({
        code: 'ERR_HEED_OPTIONS',
        message: expect.stringMatching(/\{ jitter, backoff, clock \}.*\{ budget \}/),
      }),
    );
  });

  test('heeds again by a second heed() when the application has cleared its interceptors', async () => {
    const it = worldWith([{ status: 503 }], { exchanges: 2 });
    const handle = heed(it.api, it.policy);
    it.api.interceptors.request.clear();
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(1);
    expect(heed(it.api, it.policy)).toBe(handle);
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(3);
    handle.detach();
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(4);
  });

  test('leaves an interceptor alone that the application put in the place of ours', async () => {
    const it = worldWith([{ status: 200 }]);
    const handle = heed(it.api, it.policy);
    it.api.interceptors.request.clear();
    let seen = 0;
    it.api.interceptors.request.use((config) => {
      seen += 1;
      return config;
    });
    handle.detach();
    await it.clock.until(it.api.get('/things'));
    expect(seen).toBe(1);
  });

  test('takes another policy after detach(), and a detached handle does not take that away', async () => {
    const it = worldWith([{ status: 503 }]);
    const first = heed(it.api, it.policy);
    first.detach();
    const second = { ...it.policy, exchanges: 2 };
    const handle = heed(it.api, second);
    first.detach();
    expect(heed(it.api, second)).toBe(handle);
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(2);
  });

  test('attached by two copies of the package is still attached once', async () => {
    const it = worldWith([{ status: 503 }], { exchanges: 2 });
    const other = secondCopy();
    const handle = heed(it.api, it.policy);
    expect(other.heed).not.toBe(heed);
    expect(other.heed(it.api, it.policy)).toBe(handle);
    expect(() => other.heed(it.api, {})).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS' }));
    const error = await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(2);
    expect([other.isHeedError(error), other.journalOf(error).length > 0]).toEqual([true, true]);
  });

  test('leaves a request alone that another heeding instance has wrapped already', async () => {
    const it = worldWith([{ status: 503 }], { exchanges: 3 });
    const outer = axios.create({ baseURL: 'https://api.test', adapter: it.server.adapter });
    // Registered first, so it runs last: what it hands on carries the wrapper of `outer`.
    outer.interceptors.request.use(async (config) => {
      await it.api.request(config).catch(() => undefined);
      return Promise.reject(new Error('sent elsewhere'));
    });
    heed(it.api, it.policy);
    heed(outer, { ...it.policy, exchanges: 2 });
    await failureOf(it.clock, outer.get('/things'));
    expect(it.server.sent).toHaveLength(2);
  });

  test('goes bare after detach(): one exchange, the error as axios gives it', async () => {
    const it = worldWith([{ status: 503 }]);
    const heeding = heed(it.api, it.policy);
    heeding.detach();
    const error = await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(1);
    expect(error.heed).toBeUndefined();
    expect(journalOf(error)).toEqual([]);
  });

  test('rejects its waiters at detach(), and lets what is in flight end as it ends', async () => {
    const it = worldWith(({ url }) =>
      url.endsWith('/held')
        ? { status: 429, headers: { 'retry-after': '30' } }
        : { status: 200, afterMs: 500 },
    );
    const heeding = heed(it.api, it.policy);
    const told = settled(it.api.get('/held'));
    const flying = settled(it.api.get('/flying'));
    await it.clock.advance(100);
    const held = settled(it.api.get('/held'));
    await it.clock.advance(100);
    heeding.detach();
    const [first, second] = await it.clock.until(Promise.all([told, held]));
    expect(it.clock.monoMs()).toBe(200);
    // The first has an answer of the server to give, the second has none.
    expect(first.error).toMatchObject({ response: { status: 429 }, heed: { reason: 'detached' } });
    expect(second.error).toMatchObject({
      code: 'ERR_HEED_DETACHED',
      isAxiosError: true,
      config: { url: '/held' },
    });
    expect((await it.clock.until(flying)).value?.status).toBe(200);
    expect(it.server.sent).toHaveLength(2);
    it.clock.assertIdle();
  });

  test('made by `new Axios()` is refused with the reason', () => {
    const bare = new axios.Axios({});
    expect(() => heed(bare as AxiosInstance)).toThrow(/`new Axios\(\)` has no `create`/);
    expect(() => heed(bare as AxiosInstance)).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS' }));
  });

  test.each([undefined, null, 5, {}, () => undefined])('is refused when it is none: %p', (found) => {
    expect(() => heed(found as never)).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS' }));
  });

  test('may be the default one, and is as before after detach()', async () => {
    const it = worldWith([LIMITED, { status: 200 }, { status: 503 }]);
    const heeding = heed(axios, it.policy);
    const config = { adapter: it.server.adapter, url: 'https://api.test/things' };
    try {
      expect((await it.clock.until(axios.get(config.url, config))).status).toBe(200);
      expect(it.server.times()).toEqual([0, 1000]);
    } finally {
      heeding.detach();
    }
    expect((await failureOf(it.clock, axios(config))).response.status).toBe(503);
    expect(it.server.sent).toHaveLength(3);
  });

  test('does not pass its heeding on to what instance.create() makes of it', async () => {
    const it = worldWith([{ status: 503 }]);
    heed(it.api, it.policy);
    const child = (it.api as typeof axios).create({});
    await failureOf(it.clock, child.get('/things'));
    expect(it.server.sent).toHaveLength(1);
    heed(child, { ...it.policy, exchanges: 2 });
    await failureOf(it.clock, child.get('/things'));
    expect(it.server.sent).toHaveLength(3);
  });

  test('hands its default options on: `heed` in the defaults counts where a request has none', async () => {
    const it = worldWith([{ status: 503 }]);
    heed(it.api, it.policy);
    Object.assign(it.api.defaults, { heed: { exchanges: 2 } });
    await failureOf(it.clock, it.api.get('/things'));
    expect(it.server.sent).toHaveLength(2);
    await failureOf(it.clock, it.api.get('/things', { heed: false }));
    expect(it.server.sent).toHaveLength(3);
  });
});

/** The package once more, as a second version of it in one process would be. */
function secondCopy(): typeof firstCopy {
  const loaded: (typeof firstCopy)[] = [];
  jest.isolateModules(() => {
    loaded.push(jest.requireActual('../../lib/index'));
  });
  return loaded[0]!;
}
