import { afterEach, describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed, journalOf } from '../../lib/index';
import type { ObservationEvent } from '../../lib/index';
import { answers, gapsOf, loopbackServer, saysNothing, stalls } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';
import { EXACT, failure } from '../support/scripted-client';

const servers: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function page(...steps: LoopbackStep[]): Promise<{ api: AxiosInstance; server: LoopbackServer }> {
  const server = await loopbackServer(...steps);
  servers.push(server);
  const api = axios.create({ adapter: 'xhr', baseURL: server.url });
  heed(api, EXACT);
  return { api, server };
}

function observations(responseOrError: unknown): readonly ObservationEvent[] {
  return journalOf(responseOrError).flatMap((entry) => (entry.event === 'observation' ? [entry] : []));
}

const open = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
const exposing = { ...open, 'access-control-expose-headers': 'Retry-After, Date' };
const fine = answers(200, open, '{"a":1}');

describe('the xhr adapter in a page, across origins', () => {
  test('waits as long as the server asks, where the page may see the header', async () => {
    const { api, server } = await page(answers(429, { ...exposing, 'retry-after': '1' }), fine);
    const response = await api.get('/things');
    expect(response.data).toEqual({ a: 1 });
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
    expect(gapsOf(server)[0]).toBeLessThanOrEqual(1400);
    expect(observations(response)[0]).toMatchObject({ status: 429, hint: { kind: 'hint', delayMs: 1000 } });
  });

  test('takes a hidden header for one that cannot be seen, not for none, and paces itself', async () => {
    const hidden = answers(429, { ...open, 'retry-after': '1' });
    const { api, server } = await page(hidden, hidden, fine);
    const response = await api.get('/things');
    const [first, second] = gapsOf(server);
    expect(first).toBeGreaterThanOrEqual(199);
    expect(second).toBeGreaterThanOrEqual(399);
    expect(first).toBeLessThan(900);
    expect(observations(response)[0]?.hint).toEqual({ kind: 'silent', because: 'not-visible' });
  });

  test('says that the server sent none where the page may see its Date', async () => {
    const { api } = await page(answers(429, exposing), fine);
    const response = await api.get('/things');
    expect(observations(response)[0]?.hint).toEqual({ kind: 'silent', because: 'missing' });
  });

  test('adds no header of its own, so a simple request stays without preflight', async () => {
    const { api, server } = await page(answers(503, open), fine);
    await api.get('/things');
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(server.requests[1]?.headers).toEqual(server.requests[0]?.headers);
  });

  test('cannot tell why a connection failed, so it repeats a GET and no POST', async () => {
    // jsdom tells its console of every connection that fails.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { api, server } = await page(fine);
    await server.close();
    const got = await failure(api.get('/things', { heed: { exchanges: 2 } }));
    expect(got.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'unknown', exchanges: 2 });
    const posted = await failure(api.post('/things', 'text', { headers: { 'content-type': 'text/plain' } }));
    expect(posted.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', exchanges: 1 });
  });

  test('sends again after a timeout, and calls its deadline a deadline', async () => {
    const { api, server } = await page(saysNothing, stalls(200, open));
    const policy = { exchanges: 2, budget: 800 };
    const error = await failure(api.get('/things', { timeout: 100, heed: { exchanges: 2 } }));
    expect(observations(error).map(({ end }) => end)).toEqual(['timeout', 'timeout']);
    expect(server.requests).toHaveLength(2);
    const cut = await failure(api.get('/things', { heed: policy }));
    expect(cut.code).toBe('ERR_HEED_DEADLINE');
    expect(observations(cut).map(({ end }) => end)).toEqual(['deadline']);
  });
});
