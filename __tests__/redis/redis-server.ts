import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A real Redis server of one suite's own: a private port, nothing on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops it in its tracks, as a machine that is swapping does; and lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Kills it and starts another, empty one on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error in one line when there is no redis-server */
export async function redisServer(): Promise<RedisServer> {
  const program = programPath();
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'axios-heed-redis-'));
  let child = await started(program, port, directory);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    ...{ port, url: `redis://127.0.0.1:${port}` },
    signal: (signal) => void child.kill(signal),
    restart: async () => {
      await kill();
      child = await started(program, port, directory);
    },
    close: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** By the script that installs it: a module, which this process cannot load. */
function programPath(): string {
  const file = pathToFileURL(join(__dirname, '../../scripts/obtain.mjs')).href;
  const ask = `import(${JSON.stringify(file)}).then(({ pathOf }) => process.stdout.write(pathOf('redis-server') ?? ''))`;
  const path = spawnSync(process.execPath, ['-e', ask], { encoding: 'utf8' }).stdout;
  if (path === '') throw new Error('Missing: redis-server. Install it, or name it in REDIS_SERVER.');
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function started(program: string, port: number, directory: string): Promise<ChildProcess> {
  const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory];
  const child = spawn(program, ['--port', String(port), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('redis-server ended before it was ready')));
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Ready to accept connections')) resolve();
    });
  });
  return child;
}
