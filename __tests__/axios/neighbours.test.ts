import { describe, expect, jest, test } from '@jest/globals';
import { setupCache } from 'axios-cache-interceptor';
import type { AxiosCacheInstance } from 'axios-cache-interceptor';
import MockAdapter from 'axios-mock-adapter';
import axiosRetry from 'axios-retry';
import type { Script } from '../support/scripted-adapter';
import { attach, failureOf, worldWith } from '../support/world';
import type { World } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;
const THIRD_TIME_LUCKY: Script = [LIMITED, LIMITED, { status: 200, data: '{"v":1}' }];

describe.each(['before', 'after'] as const)('registered %s heed()', (when) => {
  test('axios-mock-adapter answers the exchanges, and its history counts them', async () => {
    const it = worldWith([{ status: 500 }]);
    const set = (): void => {
      const mock = new MockAdapter(it.api);
      mock
        .onPut('/things')
        .replyOnce(429, '', { 'retry-after': '1' })
        .onPut('/things')
        .replyOnce(429, '', { 'retry-after': '1' })
        .onPut('/things')
        .reply(200, { v: 1 });
      Object.assign(it, { mock });
    };
    attach(it, set, when);
    const response = await it.clock.until(it.api.put('/things', { a: 1 }));
    const { mock } = it as World & { mock: MockAdapter };
    expect(response.data).toEqual({ v: 1 });
    expect(mock.history.put.map(({ data }) => data as string)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect(it.clock.monoMs()).toBe(2000);
    expect(it.server.sent).toEqual([]);
  });

  test.each(['networkErrorOnce', 'timeoutOnce', 'abortRequestOnce'] as const)(
    'a %s of axios-mock-adapter is a failure that may heal',
    async (kind) => {
      const it = worldWith([{ status: 500 }]);
      let mock!: MockAdapter;
      attach(
        it,
        () => {
          mock = new MockAdapter(it.api);
          mock.onGet('/things')[kind]();
          mock.onGet('/things').reply(200, 'ok');
        },
        when,
      );
      expect((await it.clock.until(it.api.get('/things'))).data).toBe('ok');
      expect(mock.history.get).toHaveLength(2);
    },
  );

  test('with axios-cache-interceptor two equal calls are one operation, and a third none at all', async () => {
    const it = worldWith(THIRD_TIME_LUCKY);
    let api!: AxiosCacheInstance;
    attach(
      it,
      () => {
        api = setupCache(it.api, { interpretHeader: false, storage: undefined as never });
      },
      when,
    );
    const pair = await it.clock.until(Promise.all([api.get('/things'), api.get('/things')]));
    const third = await it.clock.until(api.get('/things'));
    expect([...pair, third].map(({ data, cached }) => [data, cached])).toEqual([
      [{ v: 1 }, false],
      [{ v: 1 }, true],
      [{ v: 1 }, true],
    ]);
    expect(it.server.sent).toHaveLength(3);
  });

  test('beside axios-retry the tries multiply, and one warning says so', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const it = worldWith([{ status: 503 }], { exchanges: 2 });
    attach(it, () => axiosRetry(it.api, { retries: 1, retryDelay: () => 0 }), when);
    // axios-retry sleeps on the platform's own timers.
    const immediately = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void) => {
      void Promise.resolve().then(run);
    }) as never);
    await failureOf(it.clock, it.api.get('/things'));
    await failureOf(it.clock, it.api.get('/things'));
    immediately.mockRestore();
    expect(it.server.sent).toHaveLength(8);
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('`axios-retry`')]);
  });
});
