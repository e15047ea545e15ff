import { afterEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance, CreateAxiosDefaults } from 'axios';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { constants, createServer as createHttp2Server } from 'node:http2';
import type { Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { heed } from '../../lib/index';
import { EXACT, failure } from '../support/scripted-client';

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(cleanUp.splice(0).map((run) => run()));
});

/** What the answers of both versions have in common. */
interface Answer {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** `refuse` ends an exchange as the protocol's own word for "not processed", or what comes nearest to it. */
type Answering = (answer: Answer, refuse: () => void) => void;

/** A client and a server of one version; the answers in order, the last for ever after. */
async function over(
  version: 1 | 2,
  ...answers: readonly Answering[]
): Promise<{ api: AxiosInstance; arrivals: string[] }> {
  const arrivals: string[] = [];
  const serve: Serve = (method, answer, refuse) => {
    arrivals.push(method);
    (answers[arrivals.length - 1] ?? answers.at(-1))?.(answer, refuse);
  };
  const server = version === 1 ? http1Server(serve) : http2Server(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const api = axios.create({
    adapter: 'http',
    baseURL: `http://127.0.0.1:${port}`,
    httpVersion: version,
  } as CreateAxiosDefaults);
  heed(api, EXACT);
  return { api, arrivals };
}

type Serve = (method: string, answer: Answer, refuse: () => void) => void;

function http1Server(serve: Serve): Server {
  return createServer((request, response) => {
    serve(request.method ?? '', response, () => request.socket.resetAndDestroy());
  });
}

function http2Server(serve: Serve): Http2Server {
  const server = createHttp2Server();
  server.on('request', ({ method, stream }, response) => {
    serve(method, response as unknown as Answer, () => {
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
  });
  // Not every axios closes its sessions, and those that it keeps would keep this process.
  server.on('session', (session) => cleanUp.push(() => session.destroy()));
  return server;
}

const limited: Answering = (answer) => {
  answer.statusCode = 429;
  answer.setHeader('retry-after', '1');
  answer.end();
};
const fine: Answering = (answer) => {
  answer.end('fine');
};
const refusing: Answering = (_answer, refuse) => {
  refuse();
};

// axios knows HTTP/2 from 1.13 on.
const minor = Number(axios.VERSION.split('.')[1]);
const versions: readonly (1 | 2)[] = minor >= 13 ? [1, 2] : [1];

describe.each(versions)('over HTTP/%d', (version) => {
  test('a limit is waited for, also with a POST', async () => {
    const { api, arrivals } = await over(version, limited, fine);
    const startMs = performance.now();
    expect((await api.post('/things', { a: 1 })).data).toBe('fine');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(999);
    expect(arrivals).toEqual(['POST', 'POST']);
  });

  test('a GET is sent again when its connection or its stream was refused', async () => {
    const { api, arrivals } = await over(version, refusing, fine);
    expect((await api.get('/things')).data).toBe('fine');
    expect(arrivals).toEqual(['GET', 'GET']);
  });

  test('a POST is sent again only where the protocol says that it was not processed', async () => {
    const { api, arrivals } = await over(version, refusing);
    const { heed: report } = await failure(api.post('/things', { a: 1 }));
    expect(report).toMatchObject(
      version === 2
        ? { reason: 'exchanges-spent', knowledge: 'not-applied', exchanges: 3 }
        : { reason: 'outcome-unknown', knowledge: 'unknown', exchanges: 1 },
    );
    expect(arrivals).toHaveLength(version === 2 ? 3 : 1);
  });
});
