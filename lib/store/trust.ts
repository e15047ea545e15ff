import type { LinkedGates } from '../gate/gate-link.js';
import { LEAST_LEASE_MS } from '../gate/gate-record.js';
import type { GateWord } from './gate-store.js';
import { keptMs } from './shared-gate.js';
import type { SharedGate } from './shared-gate.js';
import { alone } from './told.js';

/** How far gates go by what a store says. Of what they do not heed each kind is noted once. */
export class Trust {
  readonly #gates: LinkedGates;
  readonly #ignored: Set<IgnoredBecause> = new Set();

  constructor(gates: LinkedGates) {
    this.#gates = gates;
  }

  /** Whether a gate goes by the store: for a while not, once that has kept it waiting as long as any hint may. */
  heeds(shared: SharedGate): boolean {
    const nowMonoMs = this.#gates.clock.monoMs();
    if (nowMonoMs < shared.aloneUntilMonoMs) return false;
    if (keptMs(shared, nowMonoMs) < this.#mostKeptMs) return true;
    this.ignore('wait-without-end');
    shared.aloneUntilMonoMs = nowMonoMs + this.#mostKeptMs;
    shared.gate.become(alone(shared.gate.record, nowMonoMs));
    return false;
  }

  /** How much longer a store may hold it. */
  maxHoldMs(shared: SharedGate): number {
    return this.#mostKeptMs - keptMs(shared, this.#gates.clock.monoMs());
  }

  /** Whether it asks who may probe. Nothing that is answered makes it ask without end. */
  asks(shared: SharedGate): boolean {
    if (!this.heeds(shared)) return false;
    if (shared.asks.take(this.#gates.clock.monoMs())) return true;
    this.ignore('asks-without-end');
    return false;
  }

  /** Whoever is always told that others are probing probes himself. */
  withoutEndlessLease(shared: SharedGate, word: GateWord): GateWord {
    const nowMonoMs = this.#gates.clock.monoMs();
    const sinceMonoMs = shared.elsewhereSinceMonoMs ?? nowMonoMs;
    const isProbed = word.gate.kind === 'probed';
    shared.elsewhereSinceMonoMs = isProbed ? sinceMonoMs : undefined;
    if (!isProbed || nowMonoMs - sinceMonoMs < MOST_LEASES * LEAST_LEASE_MS) return word;
    this.ignore('lease-without-end');
    return { ...word, gate: { kind: 'unknown' } };
  }

  ignore(because: IgnoredBecause): void {
    if (this.#ignored.has(because)) return;
    this.#ignored.add(because);
    this.#gates.note({ event: 'store-ignored', because });
  }

  get #mostKeptMs(): number {
    return Math.min(this.#gates.settings.maxHoldMs, DAY_MS);
  }
}

/** A lease is for whoever asks for it: in any other answer it would be given back, and offered again. */
export function withoutLease(word: GateWord): GateWord {
  return word.gate.kind === 'yours' ? { ...word, gate: { kind: 'unknown' } } : word;
}

type IgnoredBecause =
  'unreadable' | 'no-secret' | 'lease-without-end' | 'asks-without-end' | 'wait-without-end';

const MOST_LEASES = 3;
const DAY_MS = 86_400_000;
