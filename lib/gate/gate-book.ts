import type { Bulletin } from './bulletin.js';
import { Gate } from './gate.js';
import type { GateContext, PartyGates } from './gate.js';
import type { GateRecord } from './gate-record.js';
import { Heap } from './heap.js';
import { keyOf, labelOf, labelsOf } from './scope-key.js';
import type { Scope } from '../model.js';

/** What the book needs of the gates around it. */
export interface BookContext extends GateContext {
  readonly bulletin: Bulletin;
  readonly maxGates: number;
  opened(gate: Gate, nowMonoMs: number): void;
  forgotten(gate: Gate): void;
}

/**
 * The gates by their scopes. Whoever asks for one sweeps out what has been idle for a while; when the book
 * is full, the open and longest idle goes first, then a held one that nobody waits at. A gate with waiters
 * or passes in flight stays: their number may exceed the bound by that of the operations under way.
 */
export class GateBook {
  readonly #gates: Map<string, Gate> = new Map();
  readonly #credentials: Map<string, Credential> = new Map();
  readonly #idle: Readonly<Record<Gate['restsAs'], Heap<Gate>>> = {
    open: new Heap('idlePlace', isForgottenBefore),
    held: new Heap('idlePlace', isForgottenBefore),
  };
  readonly #context: BookContext;
  #credentialsSeen: number = 0;

  constructor(context: BookContext) {
    this.#context = context;
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

  /** What the gate of a scope is called, or would be; a credential that no gate knows has the number 0. */
  labelOf(scope: Scope): string {
    return this.find(scope)?.label ?? labelOf(labelsOf(scope, this.#numberOf));
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
  rest(gate: Gate, nowMonoMs: number): void {
    this.use(gate);
    const { record, scope } = gate;
    if (gate.retired || scope.length === 0 || gate.line.size > 0 || record.inFlight > 0) return;
    gate.forgetAtMonoMs = forgetAt(record, nowMonoMs);
    gate.restsAs = record.state.kind === 'open' ? 'open' : 'held';
    this.#idle[gate.restsAs].add(gate);
  }

  /** Keeps a gate from being forgotten, until it is told to rest again. */
  use(gate: Gate): void {
    this.#idle[gate.restsAs].remove(gate);
  }

  /** Forgets whatever has been idle for long enough. */
  sweep(nowMonoMs: number): void {
    for (const idle of Object.values(this.#idle)) {
      for (;;) {
        const gate = idle.first;
        if (gate === undefined || gate.forgetAtMonoMs > nowMonoMs) break;
        this.#forget(gate);
      }
    }
  }

  // Numbers begin at 1: no gate has 0.
  readonly #numberOf = (secret: string): number => this.#credentials.get(secret)?.number ?? 0;

  #open(scope: Scope, nowMonoMs: number): Gate {
    const { open, held } = this.#idle;
    while (this.#gates.size >= this.#context.maxGates) {
      const gate = open.first ?? held.first;
      if (gate === undefined) break;
      this.#forget(gate);
      this.#context.bulletin.note(gate, { event: 'evicted', state: gate.record.state.kind });
    }
    this.#count(scope, 1);
    const gate = new Gate({ scope, labels: labelsOf(scope, this.#numberOf) }, this.#context);
    this.#gates.set(keyOf(scope, this.#numberOf), gate);
    this.#context.opened(gate, nowMonoMs);
    return gate;
  }

  #forget(gate: Gate): void {
    this.use(gate);
    this.#gates.delete(keyOf(gate.scope, this.#numberOf));
    gate.retired = true;
    this.#context.forgotten(gate);
    this.#count(gate.scope, -1);
  }

  /** A credential has its number for as long as a gate knows it. */
  #count(scope: Scope, change: 1 | -1): void {
    for (const { secret, value } of scope) {
      if (!secret) continue;
      const credential = this.#credentials.get(value) ?? { number: (this.#credentialsSeen += 1), gates: 0 };
      credential.gates += change;
      if (credential.gates > 0) this.#credentials.set(value, credential);
      else this.#credentials.delete(value);
    }
  }
}

/** A running number stands for a secret: nothing is derived from it. */
interface Credential {
  readonly number: number;
  gates: number;
}

function forgetAt({ state, rate, quotas }: GateRecord, nowMonoMs: number): number {
  const heldUntilMonoMs = state.kind === 'held' ? state.untilMonoMs : nowMonoMs;
  const untilMonoMs = Math.max(nowMonoMs, heldUntilMonoMs, ...quotas.map((quota) => quota.untilMonoMs));
  return Math.max(untilMonoMs + IDLE_MS, rate?.freshUntilMonoMs ?? 0);
}

const IDLE_MS = 60_000;

function isForgottenBefore(a: Gate, b: Gate): boolean {
  return a.forgetAtMonoMs < b.forgetAtMonoMs;
}
