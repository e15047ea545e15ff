/** What the store needs of a Redis client; `fromNodeRedis` and `fromIoredis` make it of yours. */
export interface RedisPort {
  /** Runs a script on the server, by its digest where the server knows it. */
  run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Calls `listener` with every message of the channel; returns how to stop. */
  subscribe(channel: string, listener: (message: string) => void): () => void;
}

/** A Lua script for EVAL and EVALSHA. */
export interface RedisScript {
  readonly text: string;
  /** SHA-1 of the text, in hex, as the server names it. */
  readonly digest: string;
}

/** By digest first; the server forgets scripts when it is restarted, and says so. */
export async function byDigestOrText<Reply>(
  byDigest: () => Promise<Reply>,
  byText: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await byDigest();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return await byText();
    throw error;
  }
}

/** A client that cannot be reached is noticed by its commands: a subscription is made again by the client. */
export function unnoticed(promise: unknown): void {
  Promise.resolve(promise).catch(() => undefined);
}
