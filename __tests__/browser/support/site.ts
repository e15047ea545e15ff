import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Where pages come from: an origin that is not the API's. Every path is the same page but `/elsewhere`. */
export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

export async function site(): Promise<Site> {
  const program = await bundled();
  const server = createServer(({ url = '' }, response) => {
    const isProgram = url === '/program.js';
    response.writeHead(200, { 'content-type': isProgram ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isProgram ? program : url === '/elsewhere' ? ELSEWHERE : PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'page-program.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** Counts timers and listeners before anything else runs. */
const BOOKS = `
  const pending = new Set();
  const { setTimeout: set, clearTimeout: clear } = window;
  window.setTimeout = (run, ms, ...given) => {
    const id = set(() => { pending.delete(id); run(...given); }, ms);
    pending.add(id);
    return id;
  };
  window.clearTimeout = (id) => { pending.delete(id); clear(id); };
  window.pendingTimers = () => pending.size;
  const listeners = new Map();
  const { addEventListener: add, removeEventListener: remove } = window;
  const count = (event, change) => listeners.set(event, (listeners.get(event) ?? 0) + change);
  window.addEventListener = (event, ...rest) => { count(event, 1); add.call(window, event, ...rest); };
  window.removeEventListener = (event, ...rest) => { count(event, -1); remove.call(window, event, ...rest); };
  window.listening = (event) => listeners.get(event) ?? 0;
  window.shown = [];
  add.call(window, 'pageshow', ({ persisted }) => window.shown.push(persisted));
`;
const head = '<!doctype html><link rel="icon" href="data:,"><title>heed</title>';
const PAGE = `${head}<script>${BOOKS}</script><script src="/program.js"></script>`;
const ELSEWHERE = `${head}elsewhere`;
