import { describe, expect, test } from '@jest/globals';
import { describeHold } from '../../lib/describe/index';
import axios from 'axios';
import type { AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { heed } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';

const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;

// Each of these was seen to lose an answer, a pass or a secret once.
describe('what callers and their adapters give', () => {
  test.each([
    [{ cancel: '/jobs/7/cancel' }],
    [{ destroy: null }],
    [{ cancel: null }],
    [{ destroy: true, on: 1 }],
  ])('a refusal whose data is %j is let go of, and the gate lives on', async (data) => {
    const { api, ended, heeding } = scriptedClient([{ ...LIMITED, data }, { status: 200 }], {
      ...EXACT,
      concurrency: 1,
    });
    expect((await ended(api.get('/jobs'))).status).toBe(200);
    expect(heeding.snapshot().gates.map(({ inFlight, waiting }) => inFlight + waiting)).toEqual([0, 0]);
  });

  test('`signal: null` is no signal, with a budget and without', async () => {
    for (const own of [{}, { heed: { budget: 60_000 } }]) {
      const { get } = scriptedClient([LIMITED, { status: 200 }], { ...EXACT, concurrency: 1 });
      expect((await get({ signal: null as never, ...own })).status).toBe(200);
    }
  });

  test('a URL object and a null URL go where they lead', async () => {
    const { api, ended, server } = scriptedClient([{ status: 200 }]);
    await ended(api.get(new URL('https://api.example.com/orders/7') as never));
    await ended(api.request({ url: null as never }));
    expect(server.sent).toHaveLength(2);
  });

  test.each<[AxiosRequestConfig['heed'] | { bogus: number }, number, string | undefined]>([
    [{ exchanges: 1 }, 1, undefined],
    [false, 1, undefined],
    [{ bogus: 1 }, 0, 'ERR_HEED_OPTIONS'],
    [{ route: 5 as never }, 0, 'ERR_HEED_OPTIONS'],
    [null as never, 0, 'ERR_HEED_OPTIONS'],
  ])('options that an interceptor registered before heed() sets count: %j', async (own, sent, code) => {
    const { server, clock } = scriptedClient([{ status: 503 }]);
    const api = axios.create({ baseURL: 'https://api.example.com', adapter: server.adapter });
    api.interceptors.request.use((config) => Object.assign(config, { heed: own }));
    heed(api, { ...EXACT, clock });
    const error: unknown = await clock.until(api.get('/orders').catch((reason: unknown) => reason));
    expect(server.sent).toHaveLength(sent);
    expect((error as { readonly code?: string }).code).toBe(code ?? 'ERR_BAD_RESPONSE');
  });

  test('a frozen config from an interceptor is copied, not written to', async () => {
    const { api, ended } = scriptedClient([{ status: 200 }]);
    api.interceptors.request.use((config: InternalAxiosRequestConfig) => Object.freeze({ ...config }));
    expect((await ended(api.get('/orders'))).status).toBe(200);
  });

  test.each([
    ' https://user:S3CRET@api.example.com',
    'https:\n//user:S3CRET@api.example.com',
    'https:///user:S3CRET@api.example.com',
    'https:/user:S3CRET@api.example.com',
    'https:\\\\user:S3CRET@api.example.com',
  ])('a password in the oddly written URL %j is shown nowhere', async (baseURL) => {
    const { api, ended, entries, heeding } = scriptedClient([{ status: 500 }]);
    const { error } = await ended(api.get('/orders', { baseURL }));
    const shown = JSON.stringify([entries, heeding.snapshot(), error?.heed]);
    expect(shown).not.toContain('S3CRET');
    expect(error?.heed.message).toContain('/orders');
  });

  // Whoever has a deadline and a signal got the TypeError of a call to `true`.
  test.each([{ once: true }, { getReader: 1 }, { pipe: 'x', next: 2 }])(
    'an answer whose data is %j is an answer',
    async (data) => {
      const { get } = scriptedClient([{ status: 200, data }]);
      const { error, data: given } = await get({
        signal: new AbortController().signal,
        heed: { budget: 1000 },
      });
      expect([error, given]).toEqual([undefined, data]);
    },
  );

  test('a hold needs an instant', () => {
    const { heeding } = scriptedClient([]);
    // From the year 275,760 on no `Date` can show it.
    const beyond = [8.64e15 + 1, Number.MAX_SAFE_INTEGER, -Number.MAX_VALUE];
    for (const until of [NaN, Infinity, new Date(NaN), undefined, { seconds: 60 }, ...beyond]) {
      expect(() => {
        heeding.hold({ by: 'origin', value: 'https://api.example.com' }, until as never, 'maintenance');
      }).toThrow(/a hold `until` to be a valid Date or milliseconds since 1970/);
    }
  });

  test('the last instant of all can be held for, and described', () => {
    const { heeding } = scriptedClient([]);
    heeding.hold({ url: 'https://api.example.com/a' }, new Date(8.64e15), 'for good');
    expect(describeHold(heeding.snapshot())?.sentence).toMatch(/^Busy. Next try in \d+ years$/);
  });

  test('a listener that fails later is no unhandled rejection', async () => {
    const { heeding, get } = scriptedClient([LIMITED, { status: 200 }]);
    heeding.subscribe(() => Promise.reject(new Error('no')) as never);
    expect((await get()).status).toBe(200);
  });
});
