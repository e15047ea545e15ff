import type { Scope } from './scope-key.js';

/**
 * Gates shared with others: other processes, other tabs. A store carries news of holds and says who may
 * probe when one is over; where it is slow or silent, each client goes by what it knows itself.
 */
export interface GateStore {
  /** Tells the others. Never throws; what comes of a promise is not waited for. */
  publish(news: GateNews): void | Promise<void>;
  /** Calls `listener` with the news of others; returns how to stop. */
  subscribe(listener: (news: GateNews) => void): () => void;
  /** Asks for the right to probe after a hold. At once where nobody else is to be asked. */
  lease(scope: Scope, epoch: number): GateLease | Promise<GateLease>;
}

export type GateLease = 'granted' | 'taken';

/** Instants are wall time: processes share no other. */
export type GateNews =
  | {
      readonly kind: 'held';
      readonly scope: Scope;
      readonly untilEpochMs: number;
    }
  | { readonly kind: 'released'; readonly scope: Scope };

/** The store of a client that shares its gates with nobody. */
export function memoryStore(): GateStore {
  return {
    publish: () => undefined,
    subscribe: () => () => undefined,
    lease: () => 'granted',
  };
}
