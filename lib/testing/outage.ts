import { expectOptions } from './expect-options.js';
import type { QuotaModel } from './quota-model.js';

/** How long it is down, and what follows. */
export interface OutageOptions {
  /** How long the server is down, from its start. */
  readonly forMs: number;
  /** What it counts afterwards. */
  readonly then: QuotaModel;
}

/** A server that answers 503 for a while and then becomes another one. */
export function outage(options: OutageOptions): QuotaModel {
  expectOptions('outage', options, { forMs: '0 or more', then: 'an object' });
  const { forMs, then } = options;
  return {
    admit: (atMs) =>
      atMs < forMs ? { kind: 'rejected', status: 503, waitMs: forMs - atMs } : then.admit(atMs),
    finish: (admission, atMs) => then.finish?.(admission, atMs) ?? admission,
  };
}
