import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { heed, journalOf } from '../../lib/index';
import { answers, loopbackServer } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';

const servers: LoopbackServer[] = [];
async function serve(...steps: readonly LoopbackStep[]): Promise<LoopbackServer> {
  const server = await loopbackServer(...steps);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Headers, a part of the body, and then a reset. */
const resets =
  (status: number): LoopbackStep =>
  (response) => {
    response.writeHead(status, { 'retry-after': '1', 'content-length': '100' });
    response.write('x', () => {
      setTimeout(() => {
        response.socket?.resetAndDestroy();
      }, 20);
    });
  };

describe('over the http adapter', () => {
  test('a refusal whose body is cut by a reset still says when to come back', async () => {
    const server = await serve(resets(429), answers(200));
    const api = axios.create({ baseURL: server.url, adapter: 'http' });
    heed(api, { jitter: 0 });
    const response = await api.post('/orders', { n: 1 });
    expect(response.status).toBe(200);
    const [first, second] = server.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1000);
    expect(journalOf(response)).toContainEqual(
      expect.objectContaining({ event: 'observation', end: 'cut-answer', knowledge: 'not-applied' }),
    );
  });

  test('a held redirect to another host is not given the credentials of a hook', async () => {
    const abroad = await serve(answers(200));
    const home = await serve(answers(302, { 'retry-after': '1', location: `${abroad.url}/elsewhere` }));
    const api = axios.create({ baseURL: home.url.replace('127.0.0.1', 'localhost'), adapter: 'http' });
    heed(api, {
      jitter: 0,
      beforeExchange: () => ({ headers: { Authorization: 'Bearer SECRET', 'X-Trace': '7' } }),
    });
    await api.get('/orders', { headers: { Authorization: 'Bearer SECRET' } });
    expect(abroad.requests.map(({ headers }) => [headers.authorization, headers['x-trace']])).toEqual([
      [undefined, '7'],
    ]);
  });

  test('a held redirect leads to no other scheme than those of the web', async () => {
    const home = await serve(answers(302, { 'retry-after': '1', location: 'data:text/plain,forged' }));
    const api = axios.create({ baseURL: home.url, adapter: 'http' });
    heed(api, { exchanges: 2, jitter: 0 });
    await expect(api.get('/orders')).rejects.toMatchObject({ isAxiosError: true });
  });
});
