import { Gate } from './gate.js';
import type { GateContext } from './gate.js';
import type { GateRecord } from './gate-record.js';
import { Heap } from './heap.js';
import type { HeapOrder } from './heap.js';
import type { PartyGates } from './lines.js';
import { keyOf, labelsOf } from './scope-key.js';
import type { Scope } from './scope-key.js';

interface BookOptions {
  readonly maxGates: number;
  readonly context: GateContext;
  readonly opened: (gate: Gate, nowMonoMs: number) => void;
  readonly evicted: (gate: Gate) => void;
  /** A gate has come or gone. */
  readonly changed: () => void;
}

/**
 * The gates by their scopes. Whoever asks for one sweeps out what has been idle for a while; when the book
 * is full, the open and longest idle goes first, then a held one that nobody waits at. A gate with waiters
 * or passes in flight stays: their number may exceed the bound by that of the operations under way.
 */
export class GateBook {
  readonly #gates: Map<string, Gate> = new Map();
  readonly #credentials: Map<string, Credential> = new Map();
  readonly #openIdle: Heap<Gate> = new Heap(BY_FORGET_AT);
  readonly #heldIdle: Heap<Gate> = new Heap(BY_FORGET_AT);
  readonly #options: BookOptions;
  #credentialsSeen = 0;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#gates.size;
  }

  [Symbol.iterator](): IterableIterator<Gate> {
    return this.#gates.values();
  }

  find(scope: Scope): Gate | undefined {
    return this.#gates.get(keyOf(scope, this.#numberOf));
  }

  /** The gate of a scope, made when there is none; not to be forgotten until it is told to rest. */
  inUse(scope: Scope, nowMonoMs: number): Gate {
    this.sweep(nowMonoMs);
    const gate = this.find(scope) ?? this.#open(scope, nowMonoMs);
    this.use(gate);
    return gate;
  }

  /** The same gates; for one that has been forgotten meanwhile, the present one of its scope. */
  alive(gates: PartyGates, nowMonoMs: number): PartyGates {
    if (!gates.some(({ retired }) => retired)) return gates;
    const [narrowest, ...wider] = gates;
    const present = (gate: Gate): Gate => (gate.retired ? this.inUse(gate.scope, nowMonoMs) : gate);
    return [present(narrowest), ...wider.map(present)];
  }

  /** Keeps track of what may be forgotten: told whenever a gate has been used. */
  rest(gate: Gate, nowMonoMs: number, waiters: 'none' | 'some'): void {
    this.use(gate);
    if (gate.retired || gate.scope.length === 0 || waiters === 'some' || gate.record.inFlight > 0) return;
    gate.forgetAtMonoMs = forgetAt(gate.record, nowMonoMs);
    const { kind } = gate.record.state;
    (kind === 'open' ? this.#openIdle : this.#heldIdle).add(gate);
    gate.restsAs = kind === 'open' ? 'open' : 'held';
  }

  /** Keeps a gate from being forgotten, until it is told to rest again. */
  use(gate: Gate): void {
    if (gate.idlePlace !== undefined)
      (gate.restsAs === 'open' ? this.#openIdle : this.#heldIdle).remove(gate);
  }

  /** Forgets whatever has been idle for long enough. */
  sweep(nowMonoMs: number): void {
    for (const idle of [this.#openIdle, this.#heldIdle]) {
      for (;;) {
        const gate = idle.first;
        if (gate === undefined || gate.forgetAtMonoMs > nowMonoMs) break;
        this.#forget(gate);
      }
    }
  }

  readonly #numberOf = (secret: string): number => this.#credentials.get(secret)?.number ?? NO_CREDENTIAL;

  #open(scope: Scope, nowMonoMs: number): Gate {
    while (this.#gates.size >= this.#options.maxGates) {
      const gate = this.#openIdle.first ?? this.#heldIdle.first;
      if (gate === undefined) break;
      this.#forget(gate);
      this.#options.evicted(gate);
    }
    for (const secret of secretsOf(scope)) this.#hire(secret);
    const gate = new Gate({ scope, labels: labelsOf(scope, this.#numberOf) }, this.#options.context);
    this.#gates.set(keyOf(scope, this.#numberOf), gate);
    this.#options.opened(gate, nowMonoMs);
    this.#options.changed();
    return gate;
  }

  #forget(gate: Gate): void {
    this.use(gate);
    this.#gates.delete(keyOf(gate.scope, this.#numberOf));
    gate.retired = true;
    this.#options.changed();
    for (const secret of secretsOf(gate.scope)) this.#dismiss(secret);
  }

  #hire(secret: string): void {
    const credential = this.#credentials.get(secret);
    if (credential !== undefined) {
      credential.gates += 1;
      return;
    }
    this.#credentialsSeen += 1;
    this.#credentials.set(secret, { number: this.#credentialsSeen, gates: 1 });
  }

  #dismiss(secret: string): void {
    const credential = this.#credentials.get(secret);
    if (credential === undefined) return;
    credential.gates -= 1;
    if (credential.gates === 0) this.#credentials.delete(secret);
  }
}

/** A running number stands for a secret: nothing is derived from it. */
interface Credential {
  readonly number: number;
  gates: number;
}

// Numbers begin at 1: no gate has this one.
const NO_CREDENTIAL = 0;

function secretsOf(scope: Scope): readonly string[] {
  return scope.filter(({ secret }) => secret).map(({ value }) => value);
}

function forgetAt({ state, rate, quotas }: GateRecord, nowMonoMs: number): number {
  const heldUntilMonoMs = state.kind === 'held' ? state.untilMonoMs : nowMonoMs;
  const untilMonoMs = Math.max(nowMonoMs, heldUntilMonoMs, ...quotas.map((quota) => quota.untilMonoMs));
  return Math.max(untilMonoMs + IDLE_MS, rate?.freshUntilMonoMs ?? 0);
}

const IDLE_MS = 60_000;

const BY_FORGET_AT: HeapOrder<Gate> = {
  isBefore: (a, b) => a.forgetAtMonoMs < b.forgetAtMonoMs,
  placeOf: (gate) => gate.idlePlace,
  setPlace: (gate, place) => {
    gate.idlePlace = place;
  },
};
