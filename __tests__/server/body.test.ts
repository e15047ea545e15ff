import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { Readable } from 'node:stream';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import type { Answerer, Arrival, Loopback } from '../support/loopback';
import { settled } from '../support/world';

const POLICY: HeedPolicy = { exchanges: 3, backoff: { first: 20, factor: 2 }, jitter: 0 };
const serve = loopbacks();

function client({ url }: Loopback, config: object): AxiosInstance {
  const api = axios.create({ baseURL: url, ...config });
  heed(api, POLICY);
  return api;
}

const failsOnce: Answerer = ({ number }, response) => {
  response.writeHead(number === 1 ? 503 : 200, { 'Content-Type': 'text/plain' }).end(String(number));
};

describe.each(['http', 'fetch'] as const)('with the adapter %s', (adapter) => {
  test('BOD-01: a transformed body arrives twice with the same 13 bytes', async () => {
    const server = await serve(failsOnce);
    const transformRequest = (d: unknown): string => JSON.stringify({ w: d });
    await client(server, { adapter }).put('/', { a: 1 }, { transformRequest });
    expect(server.arrivals.map(({ body }) => body.toString())).toEqual(['{"w":{"a":1}}', '{"w":{"a":1}}']);
  });

  test('BOD-03: a stream is uploaded once, never empty', async () => {
    const server = await serve(failsOnce);
    const { error } = await settled(
      client(server, { adapter }).put('/', Readable.from([Buffer.from('ten bytes!')])),
    );
    expect(error).toMatchObject({ response: { status: 503 }, heed: { reason: 'body-not-replayable' } });
    expect(server.arrivals.map(({ body }) => body.toString())).toEqual(['ten bytes!']);
  });

  test.each([
    ['a Buffer', () => Buffer.from([0x00, 0xff, 0x7b, 0x22])],
    ['a Uint8Array', () => new Uint8Array([0x00, 0xff, 0x7b, 0x22])],
    ['URLSearchParams', () => new URLSearchParams({ a: '1' })],
  ])('BOD-06: %s arrives twice with the same bytes and type', async (_, make) => {
    const server = await serve(failsOnce);
    const data = make();
    const headers = data instanceof URLSearchParams ? {} : { 'Content-Type': 'application/octet-stream' };
    await client(server, { adapter }).put('/', data, { headers });
    const [first, second] = server.arrivals;
    expect(first?.body).toEqual(Buffer.from(data instanceof URLSearchParams ? 'a=1' : data));
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
    expect(second?.headers['content-length']).toBe(first?.headers['content-length']);
  });

  test.each(['text', 'arraybuffer'] as const)(
    'BOD-10: what a broken answer began is not kept (%s)',
    async (responseType) => {
      const server = await serve(({ number, socket }, response) => {
        if (number > 1) {
          response.end('Hello World');
          return;
        }
        response.writeHead(200, { 'Content-Length': '11' });
        response.write('H');
        setTimeout(() => socket.destroy(), 20);
      });
      const { data } = await client(server, { adapter }).get('/', { responseType });
      expect(Buffer.from(data).toString()).toBe('Hello World');
      expect(server.arrivals).toHaveLength(2);
    },
  );
});

// The fetch adapter of axios sends FormData with the default Content-Type of a PUT, heeded or not.
test('BOD-05: FormData has on each exchange the boundary that its Content-Type names', async () => {
  const server = await serve(failsOnce);
  const form = new FormData();
  form.set('k', 'v');
  form.set('file', new Blob(['ten bytes!']), 'f');
  await client(server, { adapter: 'http' }).put('/', form);
  expect(server.arrivals).toHaveLength(2);
  for (const arrival of server.arrivals) expect(await parts(arrival)).toEqual({ k: 'v', file: 'ten bytes!' });
});

/** The parts of a multipart body, read by the platform with the boundary that the header names. */
async function parts({ body, headers }: Arrival): Promise<Record<string, string>> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const found: Record<string, string> = {};
  for (const [name, value] of form) found[name] = typeof value === 'string' ? value : await value.text();
  return found;
}
