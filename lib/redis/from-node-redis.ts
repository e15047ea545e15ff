import { byDigestOrText, unnoticed } from './redis-port.js';
import type { RedisPort } from './redis-port.js';

/** The commands of `redis` (node-redis, `@redis/client`) that are used; version 5 and later fit. */
export interface NodeRedisLike {
  /** EVALSHA: rejects with NOSCRIPT where the server does not know the script. */
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** EVAL. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What is used of a node-redis client for subscriptions. */
export interface NodeRedisSubscriber {
  /** SUBSCRIBE, with whom to tell. */
  subscribe(channel: string, listener: (message: string) => unknown): Promise<void>;
  /** UNSUBSCRIBE, of this listener alone. */
  unsubscribe(channel: string, listener: (message: string) => unknown): Promise<void>;
}

/**
 * Two clients of node-redis, connected: one for commands, one for subscriptions (`client.duplicate()`). Both stay
 * yours: give each an `error` listener, and close them when you are done.
 */
export function fromNodeRedis(client: NodeRedisLike, subscriber: NodeRedisSubscriber): RedisPort {
  return {
    run: ({ text, digest }, keys, args) => {
      const options = { keys: [...keys], arguments: [...args] };
      return byDigestOrText(
        () => client.evalSha(digest, options),
        () => client.eval(text, options),
      );
    },
    subscribe: (channel, listener) => {
      const entry = (message: string): void => listener(message);
      unnoticed(subscriber.subscribe(channel, entry));
      return () => {
        unnoticed(subscriber.unsubscribe(channel, entry));
      };
    },
  };
}
