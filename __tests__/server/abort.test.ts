import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import type { Loopback } from '../support/loopback';
import { settled } from '../support/world';

const serve = loopbacks();

function client({ url }: Loopback, config: object): AxiosInstance {
  const api = axios.create({ baseURL: url, ...config });
  heed(api, { exchanges: 3, backoff: { first: 10 }, jitter: 0 });
  return api;
}

describe.each(['http', 'fetch'] as const)('with the adapter %s', (adapter) => {
  test.each([
    ['without a deadline', undefined],
    ['with a deadline', { budget: 5000 }],
  ])("ABT-08: the caller's own timeout signal ends the call, %s", async (_, options) => {
    const server = await serve(({ url }, response) => {
      if (url === '/warm') response.end();
    });
    // The first request of a process loads the adapter, which may take longer than the signal lasts.
    await axios.get(`${server.url}/warm`, { adapter });
    const startMs = performance.now();
    const { error } = await settled(
      client(server, { adapter }).get('/', { signal: AbortSignal.timeout(120), heed: options }),
    );
    const tookMs = performance.now() - startMs;
    expect([error.code, axios.isCancel(error)]).toEqual(['ERR_CANCELED', true]);
    expect(tookMs).toBeGreaterThanOrEqual(119);
    expect(tookMs).toBeLessThan(290);
    expect(server.arrivals.map(({ url }) => url)).toEqual(['/warm', '/']);
  });
});
