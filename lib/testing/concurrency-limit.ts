import type { QuotaModel } from './quota-model.js';

export interface ConcurrencyLimitOptions {
  readonly slots: number;
  /** How long one request occupies its slot. */
  readonly serviceMs: number;
}

/** So many requests at work at a time; one more is turned away until the first of them is done. */
export function concurrencyLimit({ slots, serviceMs }: ConcurrencyLimitOptions): QuotaModel {
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
