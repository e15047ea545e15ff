import { expect, test } from '@jest/globals';
import axios from 'axios';
import { heed } from '../../lib/index';
import { loopbacks } from '../support/loopback';

const serve = loopbacks();

test('SEC-03: a repeat after a redirect starts at the URL of the caller, and adds no credentials', async () => {
  const b = await serve((_, response) => response.writeHead(503, { 'Retry-After': '1' }).end());
  const a = await serve(({ number }, response) => {
    // `localhost` is another host than 127.0.0.1.
    const location = `http://localhost:${b.port}/y`;
    if (number === 2) response.end('direct');
    else response.writeHead(307, { location }).end();
  });
  const headers = { Authorization: 'Bearer t1', 'X-Own': '1' };
  const api = axios.create({ baseURL: a.url, adapter: 'http', headers });
  heed(api, { exchanges: 3, backoff: { first: 20 }, jitter: 0 });
  expect((await api.get('/x')).data).toBe('direct');
  expect([a.arrivals.length, b.arrivals.length]).toEqual([2, 1]);
  await axios.get(`${a.url}/x`, { adapter: 'http', headers, validateStatus: () => true });
  const [heeded, plain] = b.arrivals.map((arrival) => Object.keys(arrival.headers).sort());
  expect(heeded).toEqual(plain);
  expect(heeded).not.toContain('authorization');
});
