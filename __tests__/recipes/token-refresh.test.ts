import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from 'axios-heed';
import type { Heeding } from 'axios-heed';
import { withTokens } from '../../examples/recipes/token-refresh';
import { loopback } from '../support/loopback';
import type { Arrival, Loopback } from '../support/loopback';

const servers: Loopback[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface World {
  readonly api: AxiosInstance;
  readonly heeding: Heeding;
  readonly server: Loopback;
  /** How many tokens have been fetched. */
  readonly fetched: () => number;
}

/** A server that takes the tokens it is told to, and answers `status` to those who have one. */
async function world(
  isGood: (token: string, arrival: Arrival) => boolean,
  statusFor: (arrival: Arrival) => number = () => 200,
): Promise<World> {
  const server = await loopback((arrival, response) => {
    const token = String(arrival.headers.authorization).replace('Bearer ', '');
    const status = isGood(token, arrival) ? statusFor(arrival) : 401;
    response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end('{}');
  });
  servers.push(server);
  let fetched = 0;
  const api = axios.create({ baseURL: server.url });
  const fetchToken = async (): Promise<string> => `t${(fetched += 1)}`;
  const heeding = withTokens(api, { fetchToken, user: 'ann' });
  return { api, heeding, server, fetched: () => fetched };
}

const tokensOf = ({ arrivals }: Loopback): readonly (string | undefined)[] =>
  arrivals.map(({ headers }) => headers.authorization);

describe('the recipe of a token that expires', () => {
  test('fetches a token once for all that find theirs refused', async () => {
    const { api, server, fetched } = await world((token) => token === 't2');
    const calls = Array.from({ length: 10 }, (_, id) => api.get(`/orders/${id}`));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect([fetched(), server.arrivals.length]).toEqual([2, 20]);
  });

  test('fetches none for one who comes late with the old token', async () => {
    const late: (() => void)[] = [];
    const server = await loopback(({ url, headers }, response) => {
      const good = headers.authorization === 'Bearer t2';
      const answer = (): void => void response.writeHead(good ? 200 : 401).end();
      if (url === '/late' && !good) late.push(answer);
      else answer();
    });
    servers.push(server);
    let fetched = 0;
    const api = axios.create({ baseURL: server.url });
    withTokens(api, { fetchToken: async () => `t${(fetched += 1)}`, user: 'ann' });
    const lateCall = api.get('/late');
    while (late.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await api.get('/orders');
    late[0]?.();
    await expect(lateCall).resolves.toMatchObject({ status: 200 });
    expect(fetched).toBe(2);
  });

  test('a 401 in spite of a fresh token is final', async () => {
    const { api, server } = await world(() => false);
    await expect(api.get('/orders')).rejects.toMatchObject({ status: 401 });
    expect(tokensOf(server)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  test('whoever waited goes with the token of then, not with that of before', async () => {
    let refused = false;
    const { api, server } = await world(
      (token, { url }) => url !== '/expired' || token === 't2',
      ({ url }) => {
        if (url !== '/busy' || refused) return 200;
        refused = true;
        return 429;
      },
    );
    const waiting = api.get('/busy');
    while (server.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await api.get('/expired');
    await waiting;
    expect(tokensOf(server)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t2']);
    expect(server.arrivals.at(-1)?.url).toBe('/busy');
  });

  test('counted by token, as is the default, a hold would be forgotten with the token', async () => {
    const { server } = await world(
      () => true,
      ({ number }) => (number === 1 ? 429 : 200),
    );
    const api = axios.create({ baseURL: server.url });
    heed(api);
    const first = api.get('/orders', { headers: { Authorization: 'Bearer old' } });
    while (server.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const startMs = performance.now();
    await api.get('/orders', { headers: { Authorization: 'Bearer new' } });
    expect(performance.now() - startMs).toBeLessThan(500);
    await first;
  });

  test('a hold outlives the token, because limits are counted by user', async () => {
    const { api, heeding, server } = await world((token, { url }) => url !== '/expired' || token === 't2');
    await api.get('/orders');
    const startMs = performance.now();
    heeding.hold({ by: 'token', value: 'ann' }, Date.now() + 600, 'maintenance');
    await api.get('/expired');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(590);
    expect(new Set(heeding.snapshot().gates.map(({ scope }) => scope[1]?.label))).toEqual(
      new Set(['token#1']),
    );
    expect(tokensOf(server).at(-1)).toBe('Bearer t2');
  });
});
