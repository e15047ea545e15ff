import { expect, test } from '@jest/globals';
import axios from 'axios';
import { heed } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import { failure } from '../support/scripted-client';

const serve = loopbacks();

test.each([
  ['http', 'get'],
  ['http', 'post'],
  ['fetch', 'get'],
  ['fetch', 'post'],
] as const)(
  'TLS with a server that speaks none is begun once, by %s, and nothing was sent: %s',
  async (adapter, method) => {
    const server = await serve((_, response) => response.end());
    const api = axios.create({ adapter, baseURL: `https://127.0.0.1:${server.port}` });
    heed(api, { backoff: { first: 5 }, jitter: 0 });
    const { heed: report } = await failure(api.request({ url: '/', method }));
    expect(report).toMatchObject({ reason: 'not-transient', knowledge: 'not-sent', exchanges: 1 });
    expect(report.retryable).toBe(false);
  },
);

test.each([
  ['a scheme that nobody speaks', 'foo://127.0.0.1/'],
  ['a file', 'file:///nothing'],
  ['a port that browsers block', 'http://127.0.0.1:6000/'],
])('fetch goes to no such target, and is asked once: %s', async (_, url) => {
  const api = axios.create({ adapter: 'fetch' });
  heed(api, { backoff: { first: 5 }, jitter: 0 });
  const { heed: report } = await failure(api.post(url, {}));
  expect(report).toMatchObject({ reason: 'not-transient', knowledge: 'not-sent', exchanges: 1 });
});
