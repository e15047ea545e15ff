import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real server on this machine that plays its script, one step a request, and the last step for ever after. */
export async function loopbackServer(...steps: readonly LoopbackStep[]): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  const sockets = { open: 0, most: 0 };
  const server = createServer((request, response) => {
    void serve(request, response);
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const atMs = performance.now();
    const step = steps[requests.length] ?? steps.at(-1);
    const seen: SeenRequest = {
      atMs,
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
    };
    requests.push(seen);
    response.on('close', () => {
      seen.closedAtMs = performance.now();
    });
    for await (const chunk of request) seen.body += String(chunk);
    step?.(response, request);
  };
  server.on('connection', (socket) => {
    sockets.open += 1;
    sockets.most = Math.max(sockets.most, sockets.open);
    socket.on('close', () => {
      sockets.open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sockets,
    close: () => closed(server),
  };
}

export type LoopbackStep = (response: ServerResponse, request: IncomingMessage) => void;

export interface LoopbackServer {
  readonly url: string;
  /** What arrived, in order. */
  readonly requests: readonly SeenRequest[];
  readonly sockets: { readonly open: number; readonly most: number };
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  body: string;
  /** When its answer was over, or its connection gone. */
  closedAtMs?: number;
}

/** Ms between the requests that follow each other. */
export function gapsOf({ requests }: LoopbackServer): readonly number[] {
  return requests.slice(1).map(({ atMs }, at) => atMs - (requests[at]?.atMs ?? 0));
}

/** Status, headers, and a whole body. */
export function answers(
  status: number,
  headers: Readonly<Record<string, string | string[]>> = {},
  body: string | Buffer = '',
): LoopbackStep {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Status and headers, a part of the body, and then the end of the connection. */
export function breaksOff(status: number, headers: Readonly<Record<string, string>> = {}): LoopbackStep {
  return (response) => {
    response.writeHead(status, { 'content-length': '100', ...headers });
    response.write('x', () => {
      setTimeout(() => response.destroy(), 20);
    });
  };
}

/** Status and headers, a part of the body, and then nothing more. */
export function stalls(status: number, headers: Readonly<Record<string, string>> = {}): LoopbackStep {
  return (response) => {
    response.writeHead(status, { 'content-length': '100', ...headers });
    response.write('x');
  };
}

/** Never a word. */
export const saysNothing: LoopbackStep = () => undefined;

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
