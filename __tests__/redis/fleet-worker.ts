// One process of a fleet: waits for the word, sends its operations, and reports. Bundled and run by fleet.ts.
import { createClient } from '@redis/client';
import axios from 'axios';
import { Redis } from 'ioredis';
import { heed } from '../../lib/index';
import type { Clock, JournalEntry } from '../../lib/index';
import { fromIoredis, fromNodeRedis, redisStore } from '../../lib/redis/index';
import type { RedisPort } from '../../lib/redis/index';

const {
  FLEET_API = '',
  FLEET_REDIS = '',
  FLEET_CLIENT = '',
  FLEET_NAME = '',
  FLEET_WALL_AHEAD_MS = '0',
} = process.env;
const operations = Number(process.env['FLEET_OPERATIONS']);

// Patient: eight processes at work share whatever cores the suite has left.
const STORE_OPTIONS = { secret: 'the key of the fleet', timeoutMs: 500 };

/** A wall clock that goes wrong by as much as it is told to. */
const clock: Clock = {
  wallEpochMs: () => Date.now() + Number(FLEET_WALL_AHEAD_MS),
  monoMs: () => performance.now(),
  setTimer: (delayMs, fire) => {
    const timer = setTimeout(fire, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
  roll: () => Math.random(),
};

async function main(): Promise<void> {
  const connected = FLEET_REDIS === '' ? undefined : await connect();
  const entries: JournalEntry[] = [];
  const api = axios.create({
    baseURL: FLEET_API,
    headers: { 'x-process': FLEET_NAME, Authorization: 'Bearer shared' },
  });
  heed(api, {
    clock,
    exchanges: 50,
    maxHint: 60_000,
    onEntry: (entry) => entries.push(entry),
    ...(connected === undefined ? {} : { store: redisStore(connected.port, STORE_OPTIONS) }),
  });
  tell({ kind: 'ready' });
  await new Promise<void>((resolve) => process.once('message', () => resolve()));
  const results = await Promise.allSettled(Array.from({ length: operations }, () => api.get('/items/7')));
  const of = (event: JournalEntry['event']): number =>
    entries.filter((entry) => entry.event === event).length;
  tell({
    kind: 'done',
    succeeded: results.filter(({ status }) => status === 'fulfilled').length,
    probes: of('gate-probe'),
    storeFailures: of('gate-store-failed'),
    storeRecoveries: of('gate-store-recovered'),
  });
  connected?.close();
  process.disconnect();
}

function tell(report: FleetReport): void {
  process.send?.(report);
}

export type FleetReport =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'done';
      readonly succeeded: number;
      readonly probes: number;
      readonly storeFailures: number;
      readonly storeRecoveries: number;
    };

interface Connected {
  readonly port: RedisPort;
  readonly close: () => void;
}

async function connect(): Promise<Connected> {
  const ignore = (): void => undefined;
  if (FLEET_CLIENT === 'ioredis') {
    const client = new Redis(FLEET_REDIS, { lazyConnect: true });
    const subscriber = client.duplicate();
    for (const one of [client, subscriber]) one.on('error', ignore);
    await Promise.all([client.connect(), subscriber.connect()]);
    return {
      port: fromIoredis(client, subscriber),
      close: () => [client, subscriber].forEach((one) => one.disconnect()),
    };
  }
  const client = createClient({ url: FLEET_REDIS });
  const subscriber = client.duplicate();
  for (const one of [client, subscriber]) one.on('error', ignore);
  await Promise.all([client.connect(), subscriber.connect()]);
  return {
    port: fromNodeRedis(client, subscriber),
    close: () => [client, subscriber].forEach((one) => one.destroy()),
  };
}

void main();
