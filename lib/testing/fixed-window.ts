import { expectOptions } from './expect-options.js';
import type { QuotaModel } from './quota-model.js';

/** How many requests in how many ms, and where the first window stands. */
export interface FixedWindowOptions {
  readonly quota: number;
  readonly windowMs: number;
  /** How much of the first window has passed at the start. @default 0 */
  readonly elapsedMs?: number | undefined;
  /** How much of the first window's quota others have used. @default 0 */
  readonly used?: number | undefined;
}

/** So many requests per window, all windows one after the other; the count starts anew at each. */
export function fixedWindow(options: FixedWindowOptions): QuotaModel {
  expectOptions('fixedWindow', options, {
    ...{ quota: '0 or more', windowMs: 'above 0', elapsedMs: '0 or more?', used: '0 or more?' },
  });
  const { quota: limit, windowMs, elapsedMs = 0, used = 0 } = options;
  let window = 0;
  let count = used;
  return {
    admit(atMs) {
      const current = Math.floor((atMs + elapsedMs) / windowMs);
      if (current !== window) count = 0;
      window = current;
      const resetMs = (current + 1) * windowMs - (atMs + elapsedMs);
      if (count >= limit) {
        const quota = { limit, windowMs, remaining: 0, resetMs };
        return { kind: 'rejected', status: 429, waitMs: resetMs, quota };
      }
      count += 1;
      const quota = { limit, windowMs, remaining: limit - count, resetMs };
      return { kind: 'accepted', serviceMs: 0, quota };
    },
  };
}
