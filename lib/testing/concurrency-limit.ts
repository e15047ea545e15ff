import { expectOptions } from './expect-options.js';
import type { QuotaModel } from './quota-model.js';

/** How many at a time, and how long each takes. */
export interface ConcurrencyLimitOptions {
  readonly slots: number;
  /** How long one request occupies its slot. */
  readonly serviceMs: number;
}

/** So many requests at work at a time; one more is turned away until the first of them is done. */
export function concurrencyLimit(options: ConcurrencyLimitOptions): QuotaModel {
  expectOptions('concurrencyLimit', options, { slots: 'above 0', serviceMs: '0 or more' });
  const { slots, serviceMs } = options;
  let endsMs: readonly number[] = [];
  return {
    admit(atMs) {
      endsMs = endsMs.filter((endMs) => endMs > atMs);
      const [firstEndMs] = endsMs;
      if (firstEndMs !== undefined && endsMs.length >= slots) {
        return { kind: 'rejected', status: 429, waitMs: firstEndMs - atMs };
      }
      endsMs = [...endsMs, atMs + serviceMs];
      return { kind: 'accepted', serviceMs };
    },
  };
}
