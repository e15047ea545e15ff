import { beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runInNewContext } from 'node:vm';
import { consumer } from './consumer';

const program = `
import axios from 'axios';
import { heed } from 'axios-heed';

const sent = [];
const adapter = async (config) => {
  sent.push({ atMs: elapsedMs(), key: config.headers.get('Idempotency-Key') });
  const headers = { 'retry-after': '1', date: '' };
  const response = { data: 'ok', status: sent.length === 1 ? 429 : 200, statusText: '', headers, config };
  if (response.status === 200) return response;
  throw new axios.AxiosError('limited', 'ERR_BAD_REQUEST', config, {}, response);
};
const api = axios.create({ baseURL: 'https://api.example.com', adapter });
const heeding = heed(api, { jitter: 0, budget: 5000 });
export const get = async () => {
  const { data } = await api.get('/things');
  return { data, times: sent.map(({ atMs }) => atMs), gates: heeding.snapshot().gates.map(({ gate }) => gate) };
};
export const abort = async () => {
  const controller = new AbortController();
  const call = api.get('/things', { signal: controller.signal }).catch(({ code }) => code);
  controller.abort();
  return call;
};
export const post = async () => {
  const call = api.post('/things', { a: 1 }, { heed: { idempotencyKey: 'auto' } });
  return call.then(() => sent.map(({ key }) => key), ({ code, message }) => ({ code, message }));
};
`;

/** The signals of ten years ago: no reason, and nothing to combine them by. */
class OldSignal {
  readonly #listeners: Set<() => void> = new Set();
  aborted: boolean = false;

  addEventListener(_event: string, listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_event: string, listener: () => void): void {
    this.#listeners.delete(listener);
  }

  fire(): void {
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
  }
}

class OldAbortController {
  readonly signal: OldSignal = new OldSignal();

  abort(): void {
    this.signal.fire();
  }
}

/** As React Native had it for years: the text, and nothing that was read from it. */
class UnreadUrl {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get origin(): string {
    throw new Error('URL.origin is not implemented');
  }

  get href(): string {
    return this.#text;
  }
}

const TAKEN_AWAY = `
for (const name of ['at', 'findLast', 'toSorted', 'with']) delete Array.prototype[name];
for (const name of ['at', 'replaceAll']) delete String.prototype[name];
for (const name of ['hasOwn', 'groupBy']) delete Object[name];
for (const name of ['any', 'withResolvers', 'try']) delete Promise[name];
delete globalThis.WeakRef;
Date.now = wallEpochMs;
`;

/** A world whose time goes on by its timers alone; with the first of them its wall clock steps back an hour. */
function oldWorld(more: object = {}): object {
  const startEpochMs = Date.UTC(2026, 0, 1);
  let elapsedMs = 0;
  let stepMs = 0;
  return {
    console,
    URL: UnreadUrl,
    URLSearchParams,
    AbortController: OldAbortController,
    TextEncoder,
    wallEpochMs: () => startEpochMs + elapsedMs - stepMs,
    elapsedMs: () => elapsedMs,
    setTimeout: (run: () => void, ms: number) =>
      setImmediate(() => {
        stepMs = 3_600_000;
        elapsedMs += ms;
        run();
      }),
    clearTimeout: (timer: NodeJS.Immediate) => {
      clearImmediate(timer);
    },
    ...more,
  };
}

let bundle = '';
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: consumer },
    absWorkingDir: consumer,
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundled',
    target: 'es2022',
    logLevel: 'silent',
  });
  bundle = outputFiles[0]?.text ?? '';
});

function run(call: string, more?: object): unknown {
  return runInNewContext(`${TAKEN_AWAY}\n${bundle}\nbundled.${call}()`, oldWorld(more));
}

describe('where there is no performance, no crypto, no modern signal and no URL that is read', () => {
  test('a limit is waited for, though the wall clock steps back', async () => {
    expect(await run('get')).toEqual({
      data: 'ok',
      // What had passed when the clock stepped back nobody can tell: it is waited for again.
      times: [0, 2000],
      gates: expect.arrayContaining([expect.stringContaining('https://api.example.com')]),
    });
  });

  test('an abort is obeyed', async () => {
    expect(await run('abort')).toBe('ERR_CANCELED');
  });

  test('a key that is to be made is refused in plain words', async () => {
    expect(await run('post')).toEqual({
      code: 'ERR_HEED_OPTIONS',
      message: expect.stringContaining('`crypto`'),
    });
  });

  test('a key is made of random bytes alone', async () => {
    const crypto = { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xab) };
    const key = 'ab'.repeat(16);
    expect(await run('post', { crypto })).toEqual([key, key]);
  });
});
