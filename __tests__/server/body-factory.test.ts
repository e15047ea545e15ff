import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import FormDataPackage from 'form-data';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { loopbacks } from '../support/loopback';
import type { Answerer } from '../support/loopback';
import { settled } from '../support/world';

const POLICY: HeedPolicy = { exchanges: 3, backoff: { first: 20, factor: 2 }, jitter: 0 };
const serve = loopbacks();
const open: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

function client(baseURL: string, config: object): AxiosInstance {
  const api = axios.create({ baseURL, ...config });
  heed(api, POLICY);
  return api;
}

const failsOnce: Answerer = ({ number }, response) => {
  response.writeHead(number === 1 ? 503 : 200, { 'Content-Type': 'text/plain' }).end(String(number));
};

async function fileOf(bytes: Buffer): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'axios-heed-'));
  open.push(() => rm(directory, { recursive: true }));
  const file = join(directory, 'upload');
  await writeFile(file, bytes);
  return file;
}

describe.each(['http', 'fetch'] as const)('with the adapter %s', (adapter) => {
  test.each<[string, () => unknown]>([
    ['a Node stream', () => Readable.from([Buffer.from('ten bytes!')])],
    ['a text', () => 'ten bytes!'],
    ['bytes, later', () => Promise.resolve(Buffer.from('ten bytes!'))],
  ])('BOD-03: %s from a factory arrives twice, whole', async (_, body) => {
    const server = await serve(failsOnce);
    const { value } = await settled(client(server.url, { adapter }).put('/', undefined, { heed: { body } }));
    expect(value?.status).toBe(200);
    expect(server.arrivals.map((arrival) => arrival.body.toString())).toEqual(['ten bytes!', 'ten bytes!']);
  });

  test('the length is that of each body, when texts differ', async () => {
    const server = await serve(failsOnce);
    const texts = ['short', 'much longer', 'x'];
    const heedOptions = { body: () => texts.shift() };
    const headers = { 'Content-Length': '3' };
    await client(server.url, { adapter }).put('/', undefined, { heed: heedOptions, headers });
    expect(
      server.arrivals.map(({ body, headers: seen }) => [body.toString(), seen['content-length']]),
    ).toEqual([
      ['short', '5'],
      ['much longer', '11'],
    ]);
  });

  test('BOD-12: a stream that comes twice is uploaded once, and the status is kept', async () => {
    const server = await serve(failsOnce);
    const shared = Readable.from([Buffer.from('ten bytes!')]);
    const { error } = await settled(
      client(server.url, { adapter }).put('/', undefined, { heed: { body: () => shared } }),
    );
    expect(error).toMatchObject({ response: { status: 503 }, heed: { reason: 'body-not-replayable' } });
    expect(server.arrivals.map((arrival) => arrival.body.toString())).toEqual(['ten bytes!']);
  });

  test('a POST with a key and a stream is stored with the same bytes', async () => {
    const server = await serve(({ number, socket }, response) => {
      if (number === 1) socket.destroy();
      else response.writeHead(201).end();
    });
    const { value } = await settled(
      client(server.url, { adapter }).post('/', undefined, {
        heed: { body: () => Readable.from([Buffer.from('ten bytes!')]), idempotencyKey: 'auto' },
      }),
    );
    expect(value?.status).toBe(201);
    expect(server.arrivals.map((arrival) => arrival.body.toString())).toEqual(['ten bytes!', 'ten bytes!']);
    expect(new Set(server.arrivals.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});

test('a web stream from a factory arrives twice, whole (fetch)', async () => {
  const server = await serve(failsOnce);
  const body = (): ReadableStream => new Blob(['ten bytes!']).stream();
  await client(server.url, { adapter: 'fetch' }).put('/', undefined, { heed: { body } });
  expect(server.arrivals.map((arrival) => arrival.body.toString())).toEqual(['ten bytes!', 'ten bytes!']);
});

test('a form-data package from a factory arrives twice, each with its own boundary', async () => {
  const server = await serve(failsOnce);
  const body = (): FormDataPackage => {
    const form = new FormDataPackage();
    form.append('k', 'v');
    return form;
  };
  await client(server.url, { adapter: 'http' }).put('/', undefined, { heed: { body } });
  for (const { headers, body: bytes } of server.arrivals) {
    const boundary = String(headers['content-type']).split('boundary=')[1];
    expect(bytes.toString()).toContain(`--${String(boundary)}\r\n`);
  }
  expect(server.arrivals).toHaveLength(2);
});

describe('a server that answers before it has read an upload', () => {
  test('leaves no file open, and no socket held', async () => {
    const file = await fileOf(Buffer.alloc(16 * 2 ** 20, 'x'));
    const made: ReturnType<typeof createReadStream>[] = [];
    const body = (): Readable => {
      const stream = createReadStream(file);
      made.push(stream);
      return stream;
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    open.push(() => agent.destroy());
    const api = client(await hasty(503, 503, 413), { adapter: 'http', httpAgent: agent });
    const { error } = await settled(api.put('/', undefined, { heed: { body, budget: 5000 } }));
    expect([error.response?.status, error.heed.reason, made.length]).toEqual([413, 'not-transient', 3]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made.map(({ closed }) => closed)).toEqual([true, true, true]);
    expect(Object.keys(agent.sockets)).toEqual([]);
  });

  test('does not keep the socket that the next exchange needs', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    open.push(() => agent.destroy());
    const api = client(await hasty(503, 503, 413), { adapter: 'http', httpAgent: agent });
    const call = api.put('/', Buffer.alloc(16 * 2 ** 20, 'x'), { heed: { budget: 3000 } });
    const { error } = await settled(call);
    expect([error.response?.status, error.heed.reason, error.heed.exchanges]).toEqual([
      413,
      'not-transient',
      3,
    ]);
  });
});

/** Answers when the head of a request is there, reads no more of it, and keeps the connection. */
async function hasty(...statuses: readonly number[]): Promise<string> {
  const left = [...statuses];
  const server = createServer((socket) => {
    open.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      socket.write(`HTTP/1.1 ${left.shift() ?? 500} Hasty\r\nContent-Length: 2\r\n\r\nno`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
