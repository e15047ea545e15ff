import type { Clock } from '../time/clock.js';
import type { GateState } from './gate-state.js';
import type { Gate } from './gate.js';
import type { GateLease, GateNews, GateStore } from './store.js';

interface StoreLinkOptions {
  readonly clock: Clock;
  readonly store: GateStore;
  /** An answer that came later. */
  readonly leased: (gate: Gate, outcome: GateLease) => void;
  readonly heard: (news: GateNews) => void;
  readonly failed: (call: StoreCall, gate: Gate | undefined) => void;
}

export type StoreCall = 'lease' | 'publish' | 'subscribe';

/** The one place that talks to the store. Whatever the store does, nothing is thrown from here. */
export class StoreLink {
  readonly #options: StoreLinkOptions;

  constructor(options: StoreLinkOptions) {
    this.#options = options;
    try {
      options.store.subscribe((news) => options.heard(news));
    } catch {
      options.failed('subscribe', undefined);
    }
  }

  /** Asks who may probe; a store that fails does not keep anybody from it. */
  ask(gate: Gate): GateLease | 'later' {
    const { store, leased, failed } = this.#options;
    try {
      const lease = store.lease(gate.scope, gate.record.epoch);
      if (typeof lease === 'string') return lease;
      lease.then(
        (outcome) => leased(gate, outcome),
        () => {
          failed('lease', gate);
          leased(gate, 'granted');
        },
      );
      return 'later';
    } catch {
      failed('lease', gate);
      return 'granted';
    }
  }

  /** Tells the others of a hold that this client met, or ended by hand. */
  publish(gate: Gate, news: 'held' | 'released'): void {
    const { store, failed } = this.#options;
    try {
      const published = store.publish(this.#newsOf(gate, news));
      published?.catch(() => failed('publish', gate));
    } catch {
      failed('publish', gate);
    }
  }

  #newsOf({ scope, record }: Gate, kind: 'held' | 'released'): GateNews {
    const { clock } = this.#options;
    if (kind === 'released') return { kind, scope };
    return {
      kind,
      scope,
      untilEpochMs: clock.wallEpochMs() + untilOf(record.state, clock) - clock.monoMs(),
    };
  }
}

function untilOf(state: GateState, clock: Clock): number {
  return state.kind === 'held' ? state.untilMonoMs : clock.monoMs();
}
