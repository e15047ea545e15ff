import { afterEach, beforeEach, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { getEventListeners } from 'node:events';
import { Agent } from 'node:http';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { heed } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { seededDice } from '../../lib/testing/index';
import { loopback } from '../support/loopback';
import type { Arrival } from '../support/loopback';
import { settled } from '../support/world';
import type { Settled } from '../support/world';

/** What a server may do with a write. Those that store do so before anything goes wrong. */
const DEEDS = [
  ['answers', 40],
  ['resets before it stores', 8],
  ['resets after it has stored', 10],
  ['stalls before it stores', 3],
  ['stalls after it has stored', 3],
  ['stores late', 4],
  ['breaks its answer off', 8],
  ['fails before it stores', 8],
  ['fails after it has stored', 8],
  ['limits', 8],
] as const;
type Deed = (typeof DEEDS)[number][0];

const TIMEOUT_MS = 500;
const LATE_MS = 700;

/** A server that keeps what it was sent, by the path of the write, and knows idempotency keys. */
class Storehouse {
  readonly stored: Map<string, number> = new Map();
  readonly mistakes: string[] = [];
  readonly #roll = seededDice(20260101);
  readonly #byKey: Map<string, { body: string; busy: boolean }> = new Map();

  readonly take = (arrival: Arrival, response: ServerResponse): void => {
    const key = arrival.headers['idempotency-key'];
    const deed = this.#deed();
    if (typeof key === 'string') this.#keyed(key, { arrival, response, deed });
    else this.#do(deed, { arrival, response, store: () => this.#store(arrival) });
  };

  #keyed(
    key: string,
    { arrival, response, deed }: { arrival: Arrival; response: ServerResponse; deed: Deed },
  ): void {
    const body = arrival.body.toString();
    const known = this.#byKey.get(key);
    if (known !== undefined && known.body !== body)
      this.mistakes.push(`${arrival.url}: other bytes for one key`);
    if (known?.busy === true) {
      response.writeHead(409).end();
      return;
    }
    const late = deed === 'stores late';
    const store = (): void => {
      if (known === undefined) this.#store(arrival);
      this.#byKey.set(key, { body, busy: false });
    };
    if (known === undefined && late) this.#byKey.set(key, { body, busy: true });
    this.#do(deed, { arrival, response, store });
  }

  #store({ url }: Arrival): void {
    this.stored.set(url, (this.stored.get(url) ?? 0) + 1);
  }

  #deed(): Deed {
    const all = DEEDS.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.#roll() * all;
    return DEEDS.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'answers';
  }

  #do(
    deed: Deed,
    { arrival, response, store }: { arrival: Arrival; response: ServerResponse; store: () => void },
  ): void {
    if (/^answers|after|breaks/.test(deed)) store();
    switch (deed) {
      case 'answers':
        response.writeHead(201).end('stored');
        return;
      case 'resets before it stores':
      case 'resets after it has stored':
        arrival.socket.destroy();
        return;
      case 'stalls before it stores':
      case 'stalls after it has stored':
        return;
      case 'stores late':
        setTimeout(() => {
          store();
          response.writeHead(201).end('stored');
        }, LATE_MS);
        return;
      case 'breaks its answer off':
        response.writeHead(201, { 'Content-Length': '100' });
        response.write('stored', () => arrival.socket.destroy());
        return;
      case 'fails before it stores':
      case 'fails after it has stored':
        response.writeHead(this.#roll() < 0.5 ? 500 : 503).end();
        return;
      case 'limits':
        response.writeHead(429, { 'Retry-After': '0' }).end();
    }
  }
}

const POLICY: HeedPolicy = {
  // A gate for each write: what is tried here is permission, not pace.
  scopes: [({ url }) => url],
  // A busy machine takes long over a write that is stored late, and each 409 until then is an exchange.
  exchanges: 200,
  backoff: { first: 2, factor: 2, max: 20 },
  allowance: 'none',
  budget: { seconds: 30 },
};

interface Write {
  readonly path: string;
  readonly keyed: boolean;
  readonly end: Settled<unknown>;
}

const faults: string[] = [];
const note = (fault: unknown): void => void faults.push(String(fault));

beforeEach(() => {
  faults.length = 0;
  streams.length = 0;
  process.on('unhandledRejection', note);
  process.on('warning', note);
});

afterEach(async () => {
  await close();
  process.off('unhandledRejection', note);
  process.off('warning', note);
});

const streams: Readable[] = [];
let close = (): Promise<void> => Promise.resolve();

/** One in three bodies is a stream, made by a factory. */
function write(api: AxiosInstance, number: number, signal: AbortSignal): Promise<Write> {
  const path = `/writes/${number}`;
  const keyed = number % 2 === 0;
  const key = keyed ? { idempotencyKey: 'auto' } : {};
  const body = (): Readable => {
    const stream = Readable.from([Buffer.from(`body of ${number}`)]);
    streams.push(stream);
    return stream;
  };
  const call: Promise<unknown> =
    number % 3 === 0
      ? api.post(path, undefined, { signal, heed: { ...key, body } })
      : api.post(path, { number }, { signal, heed: key });
  return settled(call).then((end) => ({ path, keyed, end }));
}

async function writeAll(api: AxiosInstance, count: number, signal: AbortSignal): Promise<readonly Write[]> {
  const writes: Write[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      writes.push(await write(api, next, signal));
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  return writes;
}

const DOUBTS = ['outcome-unknown', 'answer-lost'];

/** What a caller was told, held against what the server has. */
function faultOf({ path, keyed, end }: Write, stored: ReadonlyMap<string, number>): string | undefined {
  const times = stored.get(path) ?? 0;
  const told = end.error === undefined ? 'success' : String(end.error.heed?.reason ?? end.error);
  const fault = `${path}: stored ${times} times, told ${told}`;
  if (keyed) return times === 1 && told === 'success' ? undefined : `${fault}, with a key`;
  if (times > 1) return fault;
  if (told === 'success' || told === 'answer-lost') return times === 1 ? undefined : fault;
  if (DOUBTS.includes(told)) return undefined;
  return fault;
}

test.each([
  ['http', 2000],
  ['fetch', 300],
])(
  'through %s %d writes are stored once at most, once exactly with a key, and every caller learns the truth',
  async (adapter, count) => {
    const before = resources();
    const house = new Storehouse();
    const server = await loopback(house.take);
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    close = async () => {
      agent.destroy();
      await server.close();
    };
    const { signal } = new AbortController();
    const api = axios.create({ baseURL: server.url, adapter, timeout: TIMEOUT_MS, httpAgent: agent });
    const heeding = heed(api, POLICY);

    const writes = await writeAll(api, count, signal);

    expect(writes.map((one) => faultOf(one, house.stored)).filter((fault) => fault !== undefined)).toEqual(
      [],
    );
    expect(house.mistakes).toEqual([]);
    expect(writes).toHaveLength(count);
    const told = writes.map(({ end }) => end.error?.heed.reason ?? 'success');
    expect(new Set(told)).toEqual(new Set(['success', ...DOUBTS].slice(0, adapter === 'http' ? 3 : 2)));

    expect(heeding.snapshot().waiting).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(Object.keys(agent.sockets)).toEqual([]);
    await until(() => streams.every(({ destroyed }) => destroyed));
    expect(streams.length).toBeGreaterThanOrEqual(count / 3 - 1);
    await close();
    await until(() => resources() <= before);
    expect(faults).toEqual([]);
  },
  40_000,
);

/** Sockets and timers that keep the process alive. */
function resources(): number {
  return process.getActiveResourcesInfo().filter((name) => /^(TCP|Timeout|Immediate)/.test(name)).length;
}

async function until(holds: () => boolean): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`still there: ${process.getActiveResourcesInfo().join(', ')}`);
}
