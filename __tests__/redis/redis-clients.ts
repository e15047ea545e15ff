import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { fromIoredis } from '../../lib/redis/from-ioredis';
import { fromNodeRedis } from '../../lib/redis/from-node-redis';
import type { RedisPort } from '../../lib/redis/redis-port';

/** The two clients that are supported, as an application would make them. */
export const CLIENTS = { 'node-redis': nodeRedis, ioredis } as const;

export interface Connected {
  readonly port: RedisPort;
  command(...words: readonly string[]): Promise<unknown>;
  close(): void;
}

async function nodeRedis(url: string): Promise<Connected> {
  const client = createClient({ url, socket: { reconnectStrategy: 50 } });
  const subscriber = client.duplicate();
  for (const one of [client, subscriber]) one.on('error', () => undefined);
  await Promise.all([client.connect(), subscriber.connect()]);
  return {
    port: fromNodeRedis(client, subscriber),
    command: (...words) => client.sendCommand(words),
    close: () => {
      client.destroy();
      subscriber.destroy();
    },
  };
}

async function ioredis(url: string): Promise<Connected> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
  const subscriber = client.duplicate();
  for (const one of [client, subscriber]) one.on('error', () => undefined);
  await Promise.all([client.connect(), subscriber.connect()]);
  return {
    port: fromIoredis(client, subscriber),
    command: (name = '', ...args) => client.call(name, ...args),
    close: () => {
      client.disconnect();
      subscriber.disconnect();
    },
  };
}
