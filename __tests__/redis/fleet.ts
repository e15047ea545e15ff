import { buildSync } from 'esbuild';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenBucket } from '../../lib/testing/token-bucket';
import type { FleetReport } from './fleet-worker';

type Done = FleetReport & { readonly kind: 'done' };

/** A request as the server has seen it. */
export interface Seen {
  readonly atMs: number;
  readonly process: string;
  readonly status: number | 'hangs';
}

/** The server that all processes call: one bucket for all of them. */
export interface QuotaApi {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Called with each limit. */
  onLimit: () => void;
  /** The first request after the end of a hold is never answered; called with its process. */
  onHang: ((process: string) => void) | undefined;
  close(): Promise<void>;
}

/** Of 20 tokens, that come back at a rate. */
export async function quotaApi(perSecond: number = 20): Promise<QuotaApi> {
  const bucket = tokenBucket({ perSecond, capacity: 20 });
  const seen: Seen[] = [];
  let heldUntilMs = Infinity;
  const beganMs = performance.now();
  const serve = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const atMs = performance.now() - beganMs;
    const process = String(headers['x-process']);
    if (api.onHang !== undefined && atMs >= heldUntilMs) {
      seen.push({ atMs, process, status: 'hangs' });
      api.onHang(process);
      api.onHang = undefined;
      return;
    }
    const admission = bucket.admit(atMs);
    const status = admission.kind === 'accepted' ? 200 : 429;
    seen.push({ atMs, process, status });
    if (admission.kind === 'accepted') response.writeHead(200).end('{}');
    else {
      const seconds = Math.max(1, Math.ceil(admission.waitMs / 1000));
      heldUntilMs = atMs + seconds * 1000;
      response.writeHead(429, { 'retry-after': String(seconds) }).end();
      api.onLimit();
    }
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api: QuotaApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    onLimit: () => undefined,
    onHang: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return api;
}

export interface FleetOptions {
  readonly api: QuotaApi;
  /** Absent: each process for itself. */
  readonly redisUrl?: string;
  readonly processes?: number;
  readonly operations?: number;
  readonly wallAheadMs?: (index: number) => number;
}

export interface Fleet {
  kill(name: string): void;
  /** How those have ended that were not killed. */
  readonly done: Promise<readonly Done[]>;
}

/** The worker as a program, once for a suite. */
export function fleetProgram(): { start(options: FleetOptions): Promise<Fleet>; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'axios-heed-fleet-'));
  const file = join(directory, 'worker.cjs');
  const entryPoints = [join(__dirname, 'fleet-worker.ts')];
  buildSync({
    entryPoints,
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  return {
    start: (options) => start(file, options),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Starts all, and lets them go together once all are ready. */
async function start(file: string, options: FleetOptions): Promise<Fleet> {
  const { api, redisUrl = '', processes = 8, operations = 25, wallAheadMs = () => 0 } = options;
  const workers = new Map<string, ChildProcess>();
  for (let index = 0; index < processes; index += 1) {
    const name = `process-${index}`;
    const env = {
      ...process.env,
      ...{
        FLEET_API: api.url,
        FLEET_REDIS: redisUrl,
        FLEET_NAME: name,
        FLEET_OPERATIONS: String(operations),
      },
      ...{
        FLEET_CLIENT: index % 2 === 0 ? 'node-redis' : 'ioredis',
        FLEET_WALL_AHEAD_MS: String(wallAheadMs(index)),
      },
    };
    workers.set(name, fork(file, { env, execArgv: [] }));
  }
  const all = [...workers.values()];
  await Promise.all(all.map((worker) => report(worker, 'ready')));
  const done = Promise.all(all.map((worker) => report(worker, 'done')));
  for (const worker of all) worker.send('go');
  return {
    kill: (name) => void workers.get(name)?.kill('SIGKILL'),
    done: done.then((reports) => reports.filter((one): one is Done => one?.kind === 'done')),
  };
}

/** Its report of a kind; nothing when it ends without. */
function report(worker: ChildProcess, kind: FleetReport['kind']): Promise<FleetReport | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message: FleetReport) => {
      if (message.kind === kind) resolve(message);
    });
    worker.once('exit', () => resolve(undefined));
  });
}

/** What is counted: rejections after the first, by the operations that were not served yet; and the holds. */
export function figuresOf(
  { seen }: QuotaApi,
  operations: number,
): {
  readonly rejections: number;
  readonly furtherPerUnserved: number;
  readonly holds: number;
  readonly tookMs: number;
} {
  const limits = seen.filter(({ status }) => status === 429);
  const first = seen.findIndex(({ status }) => status === 429);
  const served = seen.slice(0, first).filter(({ status }) => status === 200).length;
  const holds = limits.filter(({ atMs }, at) => atMs - (limits[at - 1]?.atMs ?? -10_000) > 700).length;
  return {
    rejections: limits.length,
    furtherPerUnserved: (limits.length - 1) / (operations - served),
    holds,
    tookMs: (seen.at(-1)?.atMs ?? 0) - (seen[0]?.atMs ?? 0),
  };
}
