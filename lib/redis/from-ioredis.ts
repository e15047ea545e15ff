import { byDigestOrText, unnoticed } from './redis-port.js';
import type { RedisPort } from './redis-port.js';

/** The commands of `ioredis` that are used. */
export interface IoredisLike {
  /** EVALSHA: rejects with NOSCRIPT where the server does not know the script. */
  evalsha(digest: string, keyCount: number, ...args: string[]): Promise<unknown>;
  /** EVAL. */
  eval(script: string, keyCount: number, ...args: string[]): Promise<unknown>;
}

/** What is used of an ioredis client for subscriptions. */
export interface IoredisSubscriber {
  /** SUBSCRIBE. */
  subscribe(channel: string): Promise<unknown>;
  /** UNSUBSCRIBE. */
  unsubscribe(channel: string): Promise<unknown>;
  /** Messages of every channel come here. */
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  /** The opposite of `on`. */
  off(event: 'message', listener: (channel: string, message: string) => void): unknown;
}

/**
 * Two clients of ioredis: one for commands, one for subscriptions (`client.duplicate()`). Both stay yours: give
 * each an `error` listener, and `quit()` them when you are done.
 */
export function fromIoredis(client: IoredisLike, subscriber: IoredisSubscriber): RedisPort {
  return {
    run: ({ text, digest }, keys, args) =>
      byDigestOrText(
        () => client.evalsha(digest, keys.length, ...keys, ...args),
        () => client.eval(text, keys.length, ...keys, ...args),
      ),
    subscribe: (channel, listener) => {
      const entry = (from: string, message: string): void => {
        if (from === channel) listener(message);
      };
      subscriber.on('message', entry);
      unnoticed(subscriber.subscribe(channel));
      return () => {
        subscriber.off('message', entry);
        unnoticed(subscriber.unsubscribe(channel));
      };
    },
  };
}
