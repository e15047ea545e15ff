import { expect, test } from '@jest/globals';
import axios from 'axios';
import { heed } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import type { Loopback } from '../support/loopback';

const serve = loopbacks();

const HEADERS = { Authorization: 'Bearer t1', 'X-Api-Key': 'k1' };

interface TwoHosts {
  readonly a: Loopback;
  readonly b: Loopback;
}

/** A host that redirects to another one, but for its second request; and that one, which is in trouble. */
async function redirecting(more: Readonly<Record<string, string>>): Promise<TwoHosts> {
  const b = await serve((_, response) => response.writeHead(503, { 'Retry-After': '1' }).end());
  const a = await serve(({ number }, response) => {
    // `localhost` is another host than 127.0.0.1.
    const location = `http://localhost:${b.port}/y`;
    if (number === 2) response.end('direct');
    else response.writeHead(307, { location, ...more }).end();
  });
  return { a, b };
}

/** What came to the other host, by axios-heed; and, last, what axios alone sends there. */
async function sentOn({ a, b }: TwoHosts): Promise<readonly unknown[]> {
  // The second request is answered directly.
  for (let n = a.arrivals.length; n < 3; n += 1) {
    await axios.get(`${a.url}/x`, { adapter: 'http', headers: HEADERS, validateStatus: () => true });
  }
  return b.arrivals.map(({ method, url, headers }) => [method, url, headers]);
}

test('SEC-03: a repeat after a redirect starts at the URL of the caller, and adds no credentials', async () => {
  const hosts = await redirecting({});
  const api = axios.create({ baseURL: hosts.a.url, adapter: 'http', headers: HEADERS });
  heed(api, { exchanges: 3, backoff: { first: 20 }, jitter: 0 });
  expect((await api.get('/x')).data).toBe('direct');
  expect([hosts.a.arrivals.length, hosts.b.arrivals.length]).toEqual([2, 1]);
  const [heeded, plain] = await sentOn(hosts);
  expect(heeded).toEqual(plain);
  expect(JSON.stringify(heeded)).not.toContain('Bearer');
});

test('SEC-03: a redirect that is followed later adds no credentials, on no exchange', async () => {
  const hosts = await redirecting({ 'Retry-After': '1' });
  const api = axios.create({ baseURL: hosts.a.url, adapter: 'http', headers: HEADERS });
  heed(api, { exchanges: 3, backoff: { first: 20 }, jitter: 0 });
  await api.get('/x', { validateStatus: () => true });
  const sent = await sentOn(hosts);
  expect(sent.length).toBeGreaterThanOrEqual(2);
  expect(sent).toEqual(sent.map(() => sent.at(-1)));
  expect(JSON.stringify(sent)).not.toContain('Bearer');
});
