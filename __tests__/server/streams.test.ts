import { afterEach, describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { getEventListeners, once } from 'node:events';
import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import { heed } from '../../lib/index';
import { answers, gapsOf, loopbackServer, saysNothing, stalls } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';
import { EXACT, failure } from '../support/scripted-client';

const servers: LoopbackServer[] = [];
const agents: Agent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function started(...steps: LoopbackStep[]): Promise<LoopbackServer> {
  const server = await loopbackServer(...steps);
  servers.push(server);
  return server;
}

function heeding(adapter: string, server: LoopbackServer): AxiosInstance {
  const api = axios.create({ adapter, baseURL: server.url });
  heed(api, EXACT);
  return api;
}

function oneSocket(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

/** A stream of either kind as Node's, which makes an error of an abort in both. */
function nodeStream(data: unknown): Readable {
  return data instanceof Readable ? data : Readable.fromWeb(data as Parameters<typeof Readable.fromWeb>[0]);
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Two parts, the second of them later. */
function inTwoParts(pauseMs: number): LoopbackStep {
  return (response) => {
    response.writeHead(200);
    response.write('first ');
    setTimeout(() => response.end('second'), pauseMs);
  };
}

// More than sockets buffer: the server is done with it only when it is read, or dropped.
const LARGE = Buffer.alloc(8 * 2 ** 20);

describe.each(['http', 'fetch'])('streams over the %s adapter', (adapter) => {
  test('an unread answer is released before the wait, so that its connection is free', async () => {
    const server = await started(answers(429, { 'retry-after': '1' }, LARGE), answers(200, {}, 'fine'));
    const response = await heeding(adapter, server).get('/things', { responseType: 'stream' });
    expect(await textOf(nodeStream(response.data))).toBe('fine');
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
    const [first, second] = server.requests;
    expect(first?.closedAtMs).toBeLessThan((second?.atMs ?? 0) - 500);
  });

  test.each([{}, { heed: { budget: 5000 } }, { timeout: 4000 }])(
    'the caller can end one that was handed over: %j',
    async (config) => {
      const server = await started(stalls(200));
      const controller = new AbortController();
      const { data } = await heeding(adapter, server).get('/things', {
        responseType: 'stream',
        signal: controller.signal,
        ...config,
      });
      const stream = nodeStream(data);
      await once(stream, 'data');
      const failed = once(stream, 'error');
      controller.abort();
      expect(await failed).toEqual([expect.any(Error)]);
      await until(() => server.requests[0]?.closedAtMs !== undefined);
    },
  );

  test('the deadline ends with the hand-over, and cuts no stream', async () => {
    const server = await started(inTwoParts(600));
    const response = await heeding(adapter, server).get('/things', {
      responseType: 'stream',
      heed: { budget: 300 },
    });
    expect(await textOf(nodeStream(response.data))).toBe('first second');
  });

  test('the deadline ends one that never began', async () => {
    const server = await started(saysNothing);
    const startMs = performance.now();
    const error = await failure(
      heeding(adapter, server).get('/things', {
        responseType: 'stream',
        timeout: 5000,
        heed: { budget: 200 },
      }),
    );
    expect(performance.now() - startMs).toBeLessThan(700);
    expect(error).toMatchObject({ code: 'ERR_HEED_DEADLINE', heed: { reason: 'deadline-passed' } });
  });

  test('one that was handed over after a wait is whole, too', async () => {
    const server = await started(answers(503), inTwoParts(400));
    const response = await heeding(adapter, server).get('/things', {
      responseType: 'stream',
      heed: { budget: 500 },
    });
    expect(await textOf(nodeStream(response.data))).toBe('first second');
  });

  test('no AbortController is made without a deadline and a signal', async () => {
    const server = await started(answers(503), answers(200, {}, 'fine'));
    const api = heeding(adapter, server);
    const Original = AbortController;
    const made = jest.spyOn(globalThis, 'AbortController').mockImplementation(() => new Original());
    await api.get('/things');
    expect(server.requests).toHaveLength(2);
    expect(made).not.toHaveBeenCalled();
    await api.get('/things', { heed: { budget: 5000 } });
    expect(made).toHaveBeenCalled();
  });

  test('nothing is left on the signal of the caller when all is over', async () => {
    const server = await started(answers(503), answers(200, {}, 'fine'));
    const { signal } = new AbortController();
    const api = heeding(adapter, server);
    await api.get('/things', { signal, heed: { budget: 5000 } });
    await api.get('/things', { signal });
    const streamed = await api.get('/things', { signal, responseType: 'stream', heed: { budget: 5000 } });
    await textOf(nodeStream(streamed.data));
    if (adapter === 'http') await until(() => (streamed.data as Readable).closed);
    // A web stream tells nobody when it ends.
    expect(getEventListeners(signal, 'abort')).toHaveLength(adapter === 'http' ? 0 : 1);
  });

  test('the signal of the caller goes through as it is without a deadline', async () => {
    const server = await started(answers(200, {}, 'fine'));
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const api = axios.create({ baseURL: server.url });
    heed(api, EXACT);
    const inner = axios.create({ adapter });
    await api.get('/things', {
      signal,
      adapter: (config) => {
        seen.push(config.signal);
        return inner.request({ ...config, adapter });
      },
    });
    expect(seen).toEqual([signal]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  const startMs = performance.now();
  while (!holds()) {
    if (performance.now() - startMs > 2000) throw new Error(`not within 2 s: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a pool of one socket', () => {
  test('BOD-08: is free again before the wait ends, though nobody read the first answer', async () => {
    const body = Buffer.alloc(64 * 1024);
    const server = await started(answers(429, { 'retry-after': '1' }, body), answers(200, {}, 'fine'));
    const response = await heeding('http', server).get('/things', {
      responseType: 'stream',
      httpAgent: oneSocket(),
    });
    expect(gapsOf(server)[0]).toBeGreaterThanOrEqual(999);
    expect(gapsOf(server)[0]).toBeLessThanOrEqual(1400);
    expect(await textOf(response.data as Readable)).toBe('fine');
    expect(server.sockets.most).toBe(1);
    const [first, second] = server.requests;
    expect(first?.closedAtMs).toBeLessThan(second?.atMs ?? 0);
  });

  test('NOD-04: is not held by an operation that waits', async () => {
    const server = await started(answers(429, { 'retry-after': '2' }), answers(200, {}, 'fine'));
    const httpAgent = oneSocket();
    const api = heeding('http', server);
    const waiting = api.get('/one', { httpAgent });
    await until(() => server.requests[0]?.closedAtMs !== undefined);
    const startMs = performance.now();
    await api.get('/two', { httpAgent });
    expect(performance.now() - startMs).toBeLessThan(500);
    expect(server.requests.map(({ url }) => url)).toEqual(['/one', '/two']);
    expect((await waiting).data).toBe('fine');
    expect(server.requests.map(({ url }) => url)).toEqual(['/one', '/two', '/one']);
  });
});
