import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { Script } from '../support/scripted-adapter';
import { attach, failureOf, rejecting, worldWith } from '../support/world';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;
const THIRD_TIME_LUCKY: Script = [LIMITED, LIMITED, { status: 200, data: '{"v":1}' }];

describe.each(['before', 'after'] as const)(
  "the application's interceptors, registered %s heed()",
  (when) => {
    test('run once for 429, 429, 200, and so do its transforms', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const runs = { request: 0, response: 0, error: 0, transformRequest: 0, transformResponse: 0 };
      const set = (): void => {
        it.api.interceptors.request.use((config) => {
          runs.request += 1;
          return config;
        });
        it.api.interceptors.response.use(
          (response) => {
            runs.response += 1;
            return response;
          },
          (error: unknown) => {
            runs.error += 1;
            return rejecting(error);
          },
        );
      };
      attach(it, set, when);
      const call = it.api.put(
        '/things/7',
        { a: 1 },
        {
          transformRequest: (data: unknown) => {
            runs.transformRequest += 1;
            return JSON.stringify(data);
          },
          transformResponse: (data: string) => {
            runs.transformResponse += 1;
            return JSON.parse(data) as unknown;
          },
        },
      );
      expect((await it.clock.until(call)).data).toEqual({ v: 1 });
      expect(it.server.sent).toHaveLength(3);
      expect(runs).toEqual({ request: 1, response: 1, error: 0, transformRequest: 1, transformResponse: 1 });
    });

    test('see one error for an operation that fails, and no success', async () => {
      const it = worldWith([{ status: 503 }]);
      const runs = { response: 0, error: 0 };
      const set = (): void => {
        it.api.interceptors.response.use(
          (response) => {
            runs.response += 1;
            return response;
          },
          (error: unknown) => {
            runs.error += 1;
            return rejecting(error);
          },
        );
      };
      attach(it, set, when);
      expect((await failureOf(it.clock, it.api.get('/things'))).response.status).toBe(503);
      expect(it.server.sent).toHaveLength(4);
      expect(runs).toEqual({ response: 0, error: 1 });
    });

    test('may hand on the data alone: the caller gets it, not `undefined` of it', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      attach(it, () => it.api.interceptors.response.use(({ data }) => data), when);
      expect(await it.clock.until(it.api.get('/things'))).toEqual({ v: 1 });
    });

    test('see the body as the caller gave it, and may change the URL without its growing', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const seen: string[] = [];
      const set = (): void => {
        it.api.interceptors.request.use((config) => {
          seen.push(typeof config.data);
          return Object.assign(config, { url: `${config.url ?? ''}?p` });
        });
      };
      attach(it, set, when);
      await it.clock.until(it.api.put('/things', { a: 1 }));
      expect(seen).toEqual(['object']);
      expect(it.server.sent.map(({ url, data }) => [url, data])).toEqual(
        Array.from({ length: 3 }, () => ['https://api.test/things?p', '{"a":1}']),
      );
    });

    test.each([
      ['an Error', new Error('x')],
      ['a text', 'text'],
      ['undefined', undefined],
      ['a cancel of old', Object.assign(new axios.Cancel('enough'), { own: 1 })],
    ])('may throw %s, and the caller gets that very value', async (_, thrown) => {
      const it = worldWith([{ status: 200 }]);
      const set = (): void => {
        it.api.interceptors.request.use(() => rejecting(thrown));
      };
      attach(it, set, when);
      expect(await failureOf(it.clock, it.api.get('/things'))).toBe(thrown);
      expect(it.server.sent).toEqual([]);
      it.clock.assertIdle();
    });

    test.each([
      ['an Error', new Error('x')],
      ['a text', 'text'],
      ['undefined', undefined],
    ])('may throw %s on the way back, and the caller gets that very value', async (_, thrown) => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const set = (): void => {
        it.api.interceptors.response.use(() => rejecting(thrown));
      };
      attach(it, set, when);
      expect(await failureOf(it.clock, it.api.get('/things'))).toBe(thrown);
      expect(it.server.sent).toHaveLength(3);
    });

    test('a request interceptor that is asynchronous delays sending and nothing else', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const set = (): void => {
        it.api.interceptors.request.use(async (config) => {
          await new Promise<void>((resolve) => it.clock.setTimer(50, resolve));
          return config;
        });
      };
      attach(it, set, when);
      await it.clock.until(it.api.get('/things'));
      expect(it.server.times()).toEqual([50, 1050, 2050]);
    });

    test('a token that one of them sets goes with every exchange', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const set = (): void => {
        it.api.interceptors.request.use((config) => {
          config.headers.set('Authorization', 'Bearer t1');
          return config;
        });
      };
      attach(it, set, when);
      await it.clock.until(it.api.get('/things'));
      expect(it.server.sent.map(({ headers }) => headers['authorization'])).toEqual(
        Array.from({ length: 3 }, () => 'Bearer t1'),
      );
    });

    test('what one of them took away does not come back with the defaults', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      Object.assign(it.api.defaults, { auth: { username: 'u', password: 'p' }, params: { key: 'k' } });
      it.api.defaults.headers.common['X-Default'] = 'd';
      const set = (): void => {
        it.api.interceptors.request.use((config) => {
          config.headers.delete('X-Default');
          delete config.auth;
          delete config.params;
          return config;
        });
      };
      attach(it, set, when);
      await it.clock.until(it.api.get('/things'));
      const seen = it.server.sent.map(({ config, headers }) => [
        config.auth,
        config.params,
        headers['x-default'],
      ]);
      expect(seen).toEqual(Array.from({ length: 3 }, () => [undefined, undefined, undefined]));
    });

    test('may be synchronous, conditional and ejected', async () => {
      const it = worldWith(THIRD_TIME_LUCKY);
      const ran: string[] = [];
      const set = (): void => {
        const use = (name: string, runWhen: () => boolean): number =>
          it.api.interceptors.request.use(
            (config) => {
              ran.push(name);
              return config;
            },
            undefined,
            { synchronous: true, runWhen },
          );
        use('always', () => true);
        use('never', () => false);
        it.api.interceptors.request.eject(use('ejected', () => true));
      };
      attach(it, set, when);
      await it.clock.until(it.api.get('/things'));
      expect(ran).toEqual(['always']);
      expect(it.server.sent).toHaveLength(3);
    });
  },
);
