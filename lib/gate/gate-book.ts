import type { Bulletin } from './bulletin.js';
import { IDLE_MS } from './figures.js';
import { Gate } from './gate.js';
import type { GateContext, PartyGates } from './gate.js';
import type { GateLink } from './gate-link.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings } from './gate-state.js';
import { Heap } from './heap.js';
import { keyOf, labelOf, labelsOf } from './scope-key.js';
import type { StandingOrders } from './standing-orders.js';
import type { Scope } from '../model.js';

/** What the book needs of the gates around it. */
export interface BookContext extends GateContext {
  readonly bulletin: Bulletin;
  readonly settings: BookSettings & GateSettings;
  readonly orders: StandingOrders;
  readonly link: GateLink | undefined;
}

export interface BookSettings {
  readonly maxGates: number;
}

/**
 * The gates by their scopes. Whoever asks for one sweeps out what has been idle for a while; when the book
 * is full, the open and longest idle goes first, then a held one that nobody waits at. A gate with waiters
 * or passes in flight stays: their number may exceed the bound by that of the operations under way.
 */
export class GateBook {
  readonly #gates: Map<string, Gate> = new Map();
  readonly #credentials: Map<string, Credential> = new Map();
  readonly #idleOpen: Heap<Gate> = new Heap('idlePlace', isForgottenBefore);
  readonly #idleHeld: Heap<Gate> = new Heap('idlePlace', isForgottenBefore);
  readonly #context: BookContext;
  #credentialsSeen: number = 0;

  constructor(context: BookContext) {
    this.#context = context;
  }

  [Symbol.iterator](): IterableIterator<Gate> {
    return this.#gates.values();
  }

  find(scope: Scope): Gate | undefined {
    return this.#gates.get(this.#keyOf(scope));
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
    if (!gates.some((gate) => gate.retired)) return gates;
    const present = gates.map((gate) => (gate.retired ? this.inUse(gate.scope, nowMonoMs) : gate));
    return present as [Gate, ...Gate[]];
  }

  /** Keeps track of what may be forgotten: told whenever a gate has been used. */
  rest(gate: Gate, nowMonoMs: number): void {
    this.use(gate);
    const { record } = gate;
    if (gate.retired || gate.scope.length === 0 || gate.line.size > 0 || record.inFlight > 0) return;
    gate.forgetAtMonoMs = forgetAt(record, nowMonoMs);
    gate.idleAmong = record.state.kind === 'open' ? this.#idleOpen : this.#idleHeld;
    gate.idleAmong.add(gate);
  }

  /** Keeps a gate from being forgotten, until it is told to rest again. */
  use(gate: Gate): void {
    gate.idleAmong?.remove(gate);
  }

  /** Forgets whatever has been idle for long enough. */
  sweep(nowMonoMs: number): void {
    for (const idle of [this.#idleOpen, this.#idleHeld]) {
      for (;;) {
        const gate = idle.first;
        if (gate === undefined || gate.forgetAtMonoMs > nowMonoMs) break;
        this.#forget(gate);
      }
    }
  }

  // Numbers begin at 1: no gate has 0.
  readonly #numberOf = (secret: string): number => this.#credentials.get(secret)?.number ?? 0;

  #keyOf(scope: Scope): string {
    return keyOf(scope, this.#numberOf);
  }

  #open(scope: Scope, nowMonoMs: number): Gate {
    while (this.#gates.size >= this.#context.settings.maxGates) {
      const gate = this.#idleOpen.first ?? this.#idleHeld.first;
      if (gate === undefined) break;
      this.#forget(gate);
      this.#context.bulletin.note(gate, { event: 'evicted', state: gate.record.state.kind });
    }
    this.#count(scope, 1);
    const gate = new Gate(scope, labelsOf(scope, this.#numberOf), this.#context);
    this.#gates.set(this.#keyOf(scope), gate);
    this.#context.link?.opened(gate);
    const order = this.#context.orders.of(scope, nowMonoMs);
    if (order !== undefined) gate.apply(order);
    this.#context.bulletin.changes += 1;
    return gate;
  }

  #forget(gate: Gate): void {
    this.use(gate);
    this.#gates.delete(this.#keyOf(gate.scope));
    gate.retired = true;
    this.#context.link?.forgotten(gate);
    this.#context.bulletin.changes += 1;
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
  const untils = quotas.map((quota) => quota.untilMonoMs);
  if (state.kind === 'held') untils.push(state.untilMonoMs);
  return Math.max(Math.max(nowMonoMs, ...untils) + IDLE_MS, rate?.freshUntilMonoMs ?? 0);
}

function isForgottenBefore(a: Gate, b: Gate): boolean {
  return a.forgetAtMonoMs < b.forgetAtMonoMs;
}
