import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import { heed } from '../../lib/index';
import type { Heeding, HeedPolicy, JournalEntry } from '../../lib/index';
import { redisStore } from '../../lib/redis/index';
import type { RedisPort } from '../../lib/redis/index';
import { storeOver } from '../../lib/redis/redis-store';
import { answers, loopbackServer, saysNothing } from '../support/loopback-server';
import type { LoopbackServer, LoopbackStep } from '../support/loopback-server';
import { ownProgram } from '../support/own-process';
import { CLIENTS } from './redis-clients';
import type { Connected } from './redis-clients';
import { redisServer } from './redis-server';
import type { RedisServer } from './redis-server';

const SECRET = 'the key of all processes';
const CREDENTIAL = 'Bearer sk-very-secret-4711';

let redis: RedisServer;
beforeAll(async () => {
  redis = await redisServer();
});
afterAll(() => redis.close());

describe.each(Object.entries(CLIENTS))('a store in a real Redis, by %s', (_, connect) => {
  let connected: Connected;
  const open: (() => void | Promise<void>)[] = [];

  beforeEach(async () => {
    connected = await connect(redis.url);
    await connected.command('FLUSHALL');
    await connected.command('CONFIG', 'RESETSTAT');
    open.push(() => connected.close());
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  const serverOf = async (...steps: readonly LoopbackStep[]): Promise<LoopbackServer> => {
    const server = await loopbackServer(...steps);
    open.push(() => server.close());
    return server;
  };

  interface Client {
    readonly api: AxiosInstance;
    readonly heeding: Heeding;
    readonly entries: readonly JournalEntry[];
  }

  /** One more process, as far as the store can tell. */
  const client = async (baseURL: string, port?: RedisPort, policy: HeedPolicy = {}): Promise<Client> => {
    const own = port ?? (await anotherPort());
    const entries: JournalEntry[] = [];
    const api = axios.create({ baseURL, headers: { Authorization: CREDENTIAL } });
    const store = redisStore(own, { secret: SECRET });
    const heeding = heed(api, { store, jitter: 0, onEntry: (entry) => entries.push(entry), ...policy });
    open.push(() => heeding.detach());
    return { api, heeding, entries };
  };
  const anotherPort = async (): Promise<RedisPort> => {
    const another = await connect(redis.url);
    open.push(() => another.close());
    return another.port;
  };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
  const limitedFor = (seconds: number): LoopbackStep => answers(429, { 'retry-after': String(seconds) });

  test('MPR-01: what one process learns of a limit holds another that comes later (a tenth of the times)', async () => {
    const server = await serverOf(limitedFor(3), answers(200));
    const [first, second] = [await client(server.url), await client(server.url)];
    await first.api.get('/a', { heed: { exchanges: 1 } }).catch(() => undefined);
    await pause(500);
    await second.api.get('/a');
    expect((server.requests[1]?.atMs ?? 0) - (server.requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(2990);
    expect(server.requests).toHaveLength(2);
  });

  test('MPR-03: a store that answers after five seconds costs its time limit and no more', async () => {
    const server = await serverOf(answers(200));
    const slow: RedisPort = {
      ...connected.port,
      run: (script, keys, args) => pause(5000).then(() => connected.port.run(script, keys, args)),
    };
    const { api, entries } = await client(server.url, slow);
    const beganMs = performance.now();
    await api.get('/a', { heed: { deadline: Date.now() + 1000 } });
    expect(performance.now() - beganMs).toBeLessThan(300);
    expect(entries.filter(({ event }) => event === 'gate-store-failed')).toHaveLength(1);
    await pause(5000);
  });

  test('MPR-05: when the process that probes is gone, another probes once its lease is over', async () => {
    const server = await serverOf(limitedFor(1), saysNothing, answers(200));
    const mortal = await connect(redis.url);
    const [first, second] = [await client(server.url, mortal.port), await client(server.url)];
    await first.api.get('/a', { heed: { exchanges: 1 } }).catch(() => undefined);
    const controller = new AbortController();
    const probe = first.api.get('/a', { signal: controller.signal }).catch(() => undefined);
    for (let tries = 0; server.requests.length < 2 && tries < 100; tries += 1) await pause(50);
    expect(server.requests).toHaveLength(2);
    // Nothing more comes from it: what was sent is never answered, and its connections are gone.
    mortal.close();
    const waiting = Promise.all([second.api.get('/a'), second.api.get('/a'), second.api.get('/a')]);
    await waiting;
    const probedMs = server.requests[1]?.atMs ?? 0;
    expect((server.requests[2]?.atMs ?? 0) - probedMs).toBeGreaterThan(4000);
    expect((server.requests[2]?.atMs ?? 0) - probedMs).toBeLessThan(5500);
    controller.abort();
    await probe;
  });

  test('MPR-07: a shorter hold of one process does not shorten a longer one of another (a tenth of the times)', async () => {
    const server = await serverOf(limitedFor(6), answers(200));
    const [first, second] = [await client(server.url), await client(server.url)];
    await first.api.get('/a', { heed: { exchanges: 1 } }).catch(() => undefined);
    await pause(100);
    second.heeding.hold({ url: '/a', headers: { Authorization: CREDENTIAL } }, Date.now() + 500, 'shorter');
    await pause(900);
    await Promise.all([first.api.get('/a'), second.api.get('/a')]);
    const [limit, ...later] = server.requests.map(({ atMs }) => atMs);
    expect(later).toHaveLength(2);
    expect(Math.min(...later) - (limit ?? 0)).toBeGreaterThanOrEqual(5990);
  });

  test('hears nothing per exchange while gates are open', async () => {
    const server = await serverOf(answers(200));
    const { api } = await client(server.url);
    await api.get('/a');
    await connected.command('CONFIG', 'RESETSTAT');
    for (let i = 0; i < 100; i += 1) await api.get('/a');
    const stats = String(await connected.command('INFO', 'commandstats'));
    const commands = [...stats.matchAll(/cmdstat_([^:|]+)/g)].map(([, name]) => name);
    expect(commands.filter((name) => name !== 'config' && name !== 'info')).toEqual([]);
    expect(stats).toContain('cmdstat_config');
  });

  test('asks once for each scope that it meets', async () => {
    const server = await serverOf(answers(200));
    const { api } = await client(server.url);
    await Promise.all(Array.from({ length: 50 }, () => api.get('/a')));
    const stats = String(await connected.command('INFO', 'commandstats'));
    const calls = [...stats.matchAll(/cmdstat_(evalsha|eval):calls=(\d+)/g)].reduce(
      (sum, [, , n]) => sum + Number(n),
      0,
    );
    // By digest, and by text where the server does not know it yet: two scopes by default.
    expect(calls).toBeLessThanOrEqual(4);
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  test('goes on after the server has forgotten its scripts', async () => {
    const server = await serverOf(limitedFor(1), answers(200));
    const [first, second] = [await client(server.url), await client(server.url)];
    await first.api.get('/b', { heed: { exchanges: 1 } }).catch(() => undefined);
    await connected.command('SCRIPT', 'FLUSH');
    await second.api.get('/b');
    expect(gapMs(server)).toBeGreaterThanOrEqual(990);
  });

  test('keeps and sends nothing secret, and everything with an end', async () => {
    const monitor = await anotherPort();
    const heard: string[] = [];
    open.push(monitor.subscribe('axios-heed:news', (message) => heard.push(message)));
    const server = await serverOf(limitedFor(2), answers(200));
    const { api, heeding } = await client(server.url);
    await pause(50);
    await api.get('/orders?apiKey=sk-in-the-query', { heed: { exchanges: 1 } }).catch(() => undefined);
    heeding.hold({ by: 'origin', value: server.url }, Date.now() + 3000, 'sk-in-the-reason');
    await pause(200);
    const keys = (await connected.command('KEYS', '*')) as string[];
    const dumped: string[] = [...keys, ...heard];
    for (const key of keys) {
      const isHash = (await connected.command('TYPE', key)) === 'hash';
      const content = await connected.command(...(isHash ? ['HGETALL', key] : ['ZRANGE', key, '0', '-1']));
      dumped.push(JSON.stringify(content));
      const leftMs = Number(await connected.command('PTTL', key));
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(64_000);
    }
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(keys.every((key) => /^axios-heed:\{[^{}]+\}:(gate|members)$/.test(key))).toBe(true);
    expect(heard.length).toBeGreaterThanOrEqual(1);
    const text = dumped.join('\n');
    for (const secret of [
      'sk-',
      'very-secret',
      '4711',
      Buffer.from(CREDENTIAL).toString('base64url'),
      SECRET,
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test('does not share a scope with a credential without a key of yours, and says so once', async () => {
    const server = await serverOf(limitedFor(1), answers(200));
    const { api, entries } = await client(server.url, connected.port, { store: redisStore(connected.port) });
    await api.get('/a', { heed: { exchanges: 1 } }).catch(() => undefined);
    await pause(50);
    expect(await connected.command('KEYS', '*')).toEqual([]);
    const ignored = entries.filter(({ event }) => event === 'gate-store-ignored');
    expect(ignored).toMatchObject([{ because: 'no-secret' }]);
  });

  test('ignores what others publish on its channel', async () => {
    const server = await serverOf(answers(200));
    const { api, entries } = await client(server.url);
    await api.get('/a');
    for (const nonsense of ['', '{', 'null', '{"name":1}', '{"name":"a","word":{"gate":{"kind":"held"}}}'])
      await connected.command('PUBLISH', 'axios-heed:news', nonsense);
    await pause(50);
    await api.get('/a');
    expect(entries.filter(({ event }) => event === 'gate-store-ignored')).toHaveLength(1);
  });

  test('hears no more after detach()', async () => {
    const server = await serverOf(answers(200));
    const { api, heeding } = await client(server.url);
    await api.get('/a');
    expect(await subscribers()).toBe(1);
    heeding.detach();
    await pause(50);
    expect(await subscribers()).toBe(0);
  });

  const subscribers = async (): Promise<number> => {
    const reply = (await connected.command('PUBSUB', 'NUMSUB', 'axios-heed:news')) as unknown[];
    return Number(Array.isArray(reply) ? reply[1] : Object.values(reply)[0]);
  };

  test('comes back by itself when the server was killed and is started again', async () => {
    const own = await redisServer();
    open.push(() => own.close());
    const [one, two] = [await connect(own.url), await connect(own.url)];
    open.push(
      () => one.close(),
      () => two.close(),
    );
    const server = await serverOf(answers(200), limitedFor(3), answers(200));
    const [first, second] = [await client(server.url, one.port), await client(server.url, two.port)];
    await first.api.get('/a');
    await second.api.get('/a', { heed: { exchanges: 1 } }).catch(() => undefined);
    await own.restart();
    await pause(500);
    first.heeding.hold({ url: '/a', headers: { Authorization: CREDENTIAL } }, Date.now() + 4000, 'once more');
    await pause(1500);
    await second.api.get('/a');
    expect(gapMs(server)).toBeGreaterThanOrEqual(3500);
  });
});

function gapMs({ requests }: LoopbackServer): number {
  const [before, last] = requests.slice(-2);
  return (last?.atMs ?? 0) - (before?.atMs ?? 0);
}

test.each([
  ['an empty secret', { secret: '' }],
  ['a time that is none', { timeoutMs: Number.NaN }],
])('%s is refused', (_, options) => {
  const port: RedisPort = { run: () => Promise.resolve(), subscribe: () => () => undefined };
  expect(() => redisStore(port, options)).toThrow(TypeError);
});

test('names of scopes are safe in keys, bounded, and equal for equal scopes only', () => {
  const port: RedisPort = { run: () => Promise.resolve(), subscribe: () => () => undefined };
  const nameOf = (value: string, secret = false): string => {
    const named = storeOver(port, { secret: SECRET }).nameOf([{ by: 'tenant', value, secret }]);
    return named.kind === 'shared' ? named.name : named.kind;
  };
  const odd = ['a;b', 'a%3bb', '{a}', 'a b', 'x'.repeat(5000), `${'x'.repeat(4999)}y`, '', 'a'];
  expect(new Set([...odd.map((value) => nameOf(value)), nameOf('a', true)]).size).toBe(odd.length + 1);
  for (const value of odd) expect(nameOf(value)).toMatch(/^tenant=[^\s{};]{0,300}$/);
});

test('a process ends by itself once its clients are closed', async () => {
  const program = ownProgram(`
    import axios from 'axios';
    import { createClient } from '@redis/client';
    import { heed } from 'axios-heed';
    import { fromNodeRedis, redisStore } from './lib/redis/index.ts';
    const client = createClient({ url: process.env.REDIS_URL });
    const subscriber = client.duplicate();
    const main = async () => {
      await Promise.all([client.connect(), subscriber.connect()]);
      const api = axios.create({ adapter: (config) => Promise.resolve({ data: 1, status: 200, statusText: '', headers: {}, config }) });
      heed(api, { store: redisStore(fromNodeRedis(client, subscriber)) });
      await api.get('https://a.example/');
      await client.close();
      await subscriber.close();
      console.log('closed');
    };
    main();
  `);
  const { output, exitCode, lingeredMs } = await program.run({ REDIS_URL: redis.url });
  program.remove();
  expect([output.trim(), exitCode]).toEqual(['closed', 0]);
  expect(lingeredMs).toBeLessThan(2000);
});
