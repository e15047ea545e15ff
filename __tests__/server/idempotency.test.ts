import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { closedPort, loopbacks } from '../support/loopback';
import type { Answerer } from '../support/loopback';
import { settled } from '../support/world';

const POLICY: HeedPolicy = { exchanges: 3, backoff: { first: 200, factor: 2 }, jitter: 0 };
const serve = loopbacks();

function client(baseURL: string, config: object): AxiosInstance {
  const api = axios.create({ baseURL, ...config });
  heed(api, POLICY);
  return api;
}

describe.each(['http', 'fetch'] as const)('with the adapter %s', (adapter) => {
  test('IDM-01: a POST that was read before the socket broke is stored once', async () => {
    const server = await serve(({ socket }) => socket.destroy());
    const { error } = await settled(client(server.url, { adapter }).post('/rows', { a: 1 }));
    expect(error.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', exchanges: 1 });
    expect(server.arrivals).toHaveLength(1);
  });

  test('IDM-02: a POST to a closed port is sent once somebody listens there', async () => {
    const port = await closedPort();
    const api = client(`http://127.0.0.1:${port}`, { adapter });
    const call = settled(api.post('/rows', { a: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const server = await serve((_, response) => response.writeHead(201).end('{}'), port);
    const { value, error } = await call;
    expect(error).toBeUndefined();
    expect([value?.status, server.arrivals.length]).toEqual([201, 1]);
  });

  test('IDM-06: a POST that timed out after connecting is not sent again', async () => {
    const server = await serve((_, response) => {
      setTimeout(() => response.writeHead(201).end('{}'), 400);
    });
    const { error } = await settled(client(server.url, { adapter, timeout: 100 }).post('/rows', [1, 2, 3]));
    expect(error.code).toBe(adapter === 'http' ? 'ECONNABORTED' : 'ETIMEDOUT');
    expect(error.heed).toMatchObject({ reason: 'outcome-unknown', exchanges: 1 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.arrivals).toHaveLength(1);
  });

  test('IDM-07: a POST with a key is sent again with that key', async () => {
    const server = await serve(({ number, socket }, response) => {
      if (number === 1) socket.destroy();
      else response.writeHead(201).end('{}');
    });
    const api = client(server.url, { adapter });
    const { value } = await settled(api.post('/rows', { a: 1 }, { headers: { 'Idempotency-Key': 'k-1' } }));
    expect(value?.status).toBe(201);
    expect(server.arrivals.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
  });

  test('IDM-22: a GET whose answer broke off is sent again and comes back whole', async () => {
    const server = await serve(breaksOffOnce);
    const { value } = await settled(client(server.url, { adapter }).get('/rows'));
    expect([value?.data, server.arrivals.length]).toEqual(['Hello World', 2]);
  });

  test('IDM-22: a POST whose answer broke off is not sent again', async () => {
    const server = await serve(breaksOffOnce);
    const { error } = await settled(client(server.url, { adapter }).post('/rows', { a: 1 }));
    expect(error.heed.reason).toBe(adapter === 'http' ? 'answer-lost' : 'outcome-unknown');
    expect(server.arrivals).toHaveLength(1);
  });
});

test('IDM-19: a body larger than maxBodyLength is not repeated and keeps its code', async () => {
  const server = await serve((_, response) => response.end());
  const api = client(server.url, { adapter: 'http', maxBodyLength: 10 });
  const long = { text: 'x'.repeat(100) };
  const plain = await settled(axios.put(server.url, long, { adapter: 'http', maxBodyLength: 10 }));
  const startMs = performance.now();
  const { error } = await settled(api.put('/rows', long));
  expect(error).toMatchObject({ code: plain.error.code, heed: { reason: 'not-transient', exchanges: 1 } });
  expect(performance.now() - startMs).toBeLessThan(150);
  expect(server.arrivals).toEqual([]);
});

test('IDM-19: an invalid URL is not repeated and keeps its code', async () => {
  const plain = await settled(axios.get('http://[', { adapter: 'http' }));
  const startMs = performance.now();
  const { error } = await settled(client('http://[', { adapter: 'http' }).get(''));
  expect([error.code, error.message]).toEqual([plain.error.code, plain.error.message]);
  expect(performance.now() - startMs).toBeLessThan(150);
});

const breaksOffOnce: Answerer = ({ number, socket }, response) => {
  if (number > 1) {
    response.end('Hello World');
    return;
  }
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('H');
  setTimeout(() => socket.destroy(), 20);
};
