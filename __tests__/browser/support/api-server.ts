import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoopbackStep } from '../../support/loopback-server';

/** What arrived for one path; preflights are told apart from requests. */
export interface Arrival {
  readonly atMs: number;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  /** When its answer was over, or its connection gone. */
  closedAtMs?: number;
  /** Its answer was not over by then. */
  wasCut?: boolean;
}

/** The API of another origin: every path plays a script of its own, its last step for ever after. */
export interface ApiServer {
  readonly url: string;
  /** Gives a path a script; returns its URL. */
  script(path: string, ...steps: readonly LoopbackStep[]): string;
  requests(path: string): readonly Arrival[];
  preflights(path: string): readonly Arrival[];
  /** Ms between requests that follow each other. */
  gaps(path: string): readonly number[];
  close(): Promise<void>;
}

/** Shown to pages: the body and the CORS-safelisted fields. */
export const OPEN = { 'access-control-allow-origin': '*', 'content-type': 'application/json' } as const;
/** Shown to pages: the two fields that this package reads, too. */
export const EXPOSING = { ...OPEN, 'access-control-expose-headers': 'Retry-After, Date' } as const;

export async function apiServer(): Promise<ApiServer> {
  const scripts = new Map<string, readonly LoopbackStep[]>();
  const arrivals = new Map<string, Arrival[]>();
  const server = createServer((request, response) => {
    const path = pathOf(request);
    const seen = arrivals.get(path) ?? [];
    arrivals.set(path, seen);
    seen.push(arrivalOf(request, response));
    if (request.method === 'OPTIONS') {
      allow(request, response);
      return;
    }
    const number = seen.filter(isRequest).length;
    const steps = scripts.get(path) ?? [];
    const step = steps[number - 1] ?? steps.at(-1) ?? notFound;
    request.resume().on('end', () => {
      step(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests = (path: string): readonly Arrival[] => (arrivals.get(path) ?? []).filter(isRequest);
  return {
    url,
    script: (path, ...steps) => {
      scripts.set(path, steps);
      return url + path;
    },
    requests,
    preflights: (path) => (arrivals.get(path) ?? []).filter((arrival) => !isRequest(arrival)),
    gaps: (path) => {
      const seen = requests(path);
      return seen.slice(1).map(({ atMs }, at) => atMs - (seen[at]?.atMs ?? 0));
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*/, '');
}

function isRequest({ method }: Arrival): boolean {
  return method !== 'OPTIONS';
}

function arrivalOf({ method = '', headers }: IncomingMessage, response: ServerResponse): Arrival {
  const arrival: Arrival = { atMs: performance.now(), method, headers };
  response.on('close', () => {
    arrival.closedAtMs = performance.now();
    arrival.wasCut = !response.writableFinished;
  });
  return arrival;
}

/** Whatever is asked for, and nothing of it is remembered: every request that needs a preflight sends one. */
function allow({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers['access-control-request-headers'] ?? '*';
  response.writeHead(asked.includes('x-refused') ? 403 : 204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': asked,
    'access-control-max-age': '0',
  });
  response.end();
}

const notFound: LoopbackStep = (response) => {
  response.writeHead(404, OPEN).end();
};
