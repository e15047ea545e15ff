import { afterEach } from '@jest/globals';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as it arrived, its body read to the end. */
export interface Arrival {
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly socket: Socket;
}

export type Answerer = (arrival: Arrival, response: ServerResponse) => void;

/** A real server on the loopback interface, for adapters that need one. */
export interface Loopback {
  readonly url: string;
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  close(): Promise<void>;
}

/** Starts to listen, on a free port unless one is given; each request is answered once its body is there. */
export async function loopback(answer: Answerer, port: number = 0): Promise<Loopback> {
  const arrivals: Arrival[] = [];
  const server = createServer(((request, response) => {
    const chunks: Buffer[] = [];
    const atMs = performance.now();
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers, socket } = request;
      const arrival = {
        number: arrivals.length + 1,
        atMs,
        method,
        url,
        headers,
        body: Buffer.concat(chunks),
        socket,
      };
      arrivals.push(arrival);
      answer(arrival, response);
    });
  }) satisfies RequestListener);
  await listening(server, port);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    arrivals,
    close: () => closed(server),
  };
}

/** Starts servers for the tests of a suite, and closes them after each. */
export function loopbacks(): typeof loopback {
  const open: Loopback[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ close }) => close()));
  });
  return async (answer, port) => {
    const server = await loopback(answer, port);
    open.push(server);
    return server;
  };
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const { port, close } = await loopback(() => undefined);
  await close();
  return port;
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
