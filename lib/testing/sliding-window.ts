import { expectOptions } from './expect-options.js';
import type { QuotaLeft, QuotaModel } from './quota-model.js';

/** How many requests in any span of so many ms. */
export interface SlidingWindowOptions {
  readonly quota: number;
  readonly windowMs: number;
  /** Ages of requests that others sent before the start, in ms. @default none */
  readonly agesMs?: readonly number[] | undefined;
}

/** So many requests in any window: a log of the accepted ones, each forgotten when it is a window old. */
export function slidingWindow(options: SlidingWindowOptions): QuotaModel {
  expectOptions('slidingWindow', options, { quota: '0 or more', windowMs: 'above 0', agesMs: 'a list?' });
  const { quota: limit, windowMs, agesMs = [] } = options;
  // A ring of the last `limit` accepted instants: the one about to be overwritten is the oldest that counts.
  const ring = agesMs
    .map((ageMs) => -ageMs)
    .sort((a, b) => a - b)
    .slice(-limit);
  let oldest = 0;
  const quotaAt = (atMs: number): QuotaLeft => {
    const counted = ring.filter((instantMs) => instantMs > atMs - windowMs);
    const resetMs = Math.min(...counted) + windowMs - atMs;
    return { limit, windowMs, remaining: limit - counted.length, resetMs };
  };
  return {
    admit(atMs) {
      const blockingMs = ring.length < limit ? undefined : ring[oldest];
      if (blockingMs !== undefined && blockingMs > atMs - windowMs) {
        return { kind: 'rejected', status: 429, waitMs: blockingMs + windowMs - atMs, quota: quotaAt(atMs) };
      }
      if (ring.length < limit) ring.push(atMs);
      else {
        ring[oldest] = atMs;
        oldest = (oldest + 1) % limit;
      }
      return { kind: 'accepted', serviceMs: 0, quota: quotaAt(atMs) };
    },
  };
}
