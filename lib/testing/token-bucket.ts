import { expectOptions } from './expect-options.js';
import type { QuotaModel } from './quota-model.js';

/** How many tokens the bucket holds, and how fast it refills. */
export interface TokenBucketOptions {
  readonly capacity: number;
  readonly perSecond: number;
  /** Tokens at the start. @default capacity */
  readonly tokens?: number | undefined;
}

/** A bucket of tokens that refills steadily; every request takes one, an empty bucket answers 429. */
export function tokenBucket(options: TokenBucketOptions): QuotaModel {
  expectOptions('tokenBucket', options, {
    capacity: '0 or more',
    perSecond: 'above 0',
    tokens: '0 or more?',
  });
  const { capacity, perSecond, tokens = capacity } = options;
  let level = tokens;
  let refilledAtMs = 0;
  const fillMs = (missing: number): number => (missing / perSecond) * 1000;
  return {
    admit(atMs) {
      level = Math.min(capacity, level + ((atMs - refilledAtMs) * perSecond) / 1000);
      refilledAtMs = atMs;
      if (level < 1) {
        const waitMs = fillMs(1 - level);
        const quota = { limit: capacity, windowMs: fillMs(capacity), remaining: 0, resetMs: waitMs };
        return { kind: 'rejected', status: 429, waitMs, quota };
      }
      level -= 1;
      const remaining = Math.floor(level);
      const quota = {
        limit: capacity,
        windowMs: fillMs(capacity),
        remaining,
        resetMs: fillMs(capacity - level),
      };
      return { kind: 'accepted', serviceMs: 0, quota };
    },
  };
}
