import type { Clock } from '../time/clock.js';
import type { GateNote } from './gate-note.js';
import { GateTicket } from './gate-ticket.js';
import type { TicketDesk } from './gate-ticket.js';
import type { Gate } from './gate.js';
import { Gatehouse } from './gatehouse.js';
import type { Scope, ScopeSelector } from './scope-key.js';
import { SnapshotKeeper } from './snapshot.js';
import type { GatesSnapshot } from './snapshot.js';
import { isPartOf } from './standing-orders.js';
import type { GateStore } from './store.js';
import type { Answer, Ticket, TicketFacts } from './ticket.js';

export interface GatesOptions {
  readonly clock: Clock;
  /** 0 is exact. */
  readonly jitter: number;
  /** Own backoff of the k-th failure in a row (from 1), before jitter. */
  readonly backoffMs: (k: number) => number;
  /** Passes in flight of one gate. Absent: no bound. */
  readonly concurrency?: number | undefined;
  /** Waiters in all. */
  readonly maxQueued: number;
  readonly maxGates: number;
  /** No single answer holds a gate longer. */
  readonly maxHoldMs: number;
  readonly store: GateStore;
  /** How long the store may take to say who probes. @default 500 */
  readonly storeTimeoutMs?: number | undefined;
}

/** All gates of a client, or of several: who may send now, who waits, and for what. */
export class Gates {
  readonly #house: Gatehouse;
  readonly #snapshots: SnapshotKeeper;
  readonly #desk: TicketDesk;

  constructor(options: GatesOptions) {
    const { jitter, backoffMs, concurrency, maxHoldMs, storeTimeoutMs = 500, ...rest } = options;
    const settings = { jitter, backoffMs: safely(backoffMs), concurrency, maxHoldMs, storeTimeoutMs };
    this.#house = new Gatehouse({ ...rest, settings });
    this.#snapshots = new SnapshotKeeper(this.#house);
    this.#desk = deskOf(this.#house);
  }

  /** One for each operation: its number is its place in every queue, for life. */
  ticket(facts: TicketFacts): Ticket {
    return new GateTicket(this.#house.nextTicket(), facts, this.#desk);
  }

  /** What an exchange without a pass has met: only its limits have an effect. */
  overhear(scopes: readonly Scope[], answer: Answer): void {
    this.#house.settle(this.#house.attribution.overhear(scopes, answer));
  }

  /**
   * Holds by hand: every gate that has the part, those yet to come included, or the narrowest of the scopes.
   * Never shortens a hold.
   */
  hold(target: ScopeSelector | readonly Scope[], untilEpochMs: number, why: string): void {
    const { clock, book, orders } = this.#house;
    const nowMonoMs = clock.monoMs();
    const untilMonoMs = nowMonoMs + untilEpochMs - clock.wallEpochMs();
    if (isSelector(target)) orders.add({ selector: target, untilMonoMs, why }, nowMonoMs);
    const gates = isSelector(target)
      ? this.#gatesWith(target)
      : target.slice(0, 1).map((scope) => book.inUse(scope, nowMonoMs));
    if (untilMonoMs > nowMonoMs) {
      for (const gate of gates) gate.apply({ kind: 'closed', untilMonoMs, because: 'by-hand', why });
    }
    this.#house.settle(gates);
  }

  /** Ends holds by hand, whoever asked for them: the one thing that shortens a hold. A probe goes next. */
  release(target: ScopeSelector | readonly Scope[]): void {
    const { clock, book, orders, store, notes } = this.#house;
    if (isSelector(target)) orders.revoke(target);
    const gates = isSelector(target)
      ? this.#gatesWith(target)
      : target.flatMap((scope) => book.find(scope) ?? []);
    for (const gate of gates) {
      if (gate.heldUntilMonoMs(clock.monoMs()) === undefined) continue;
      gate.apply({ kind: 'released', nowMonoMs: clock.monoMs() });
      notes.add(gate, { event: 'released-by-hand' });
      store.publish(gate, 'released');
    }
    this.#house.settle(gates);
  }

  /** The same object until something changes. */
  snapshot(): GatesSnapshot {
    return this.#snapshots.take();
  }

  /** Tells the listener of changes, at most ten times a second; returns how to stop. */
  subscribe(listener: () => void): () => void {
    return this.#house.bulletin.subscribe(listener);
  }

  /** Tells the listener what happens at the gates, in order; returns how to stop. */
  onNote(listener: (note: GateNote) => void): () => void {
    return this.#house.notes.listen(listener);
  }

  /** Settles every waiter of an owner as refused: `detached`. */
  detach(owner: object): void {
    this.#house.turnstile.detach(owner);
    this.#house.rest();
  }

  #gatesWith(selector: ScopeSelector): readonly Gate[] {
    return [...this.#house.book].filter(({ scope }) => isPartOf(selector, scope));
  }
}

function deskOf(house: Gatehouse): TicketDesk {
  return {
    find: (scope) => house.book.find(scope),
    gatesOf: (scopes, known) => house.gatesOf(scopes, known),
    enter: (ticket, gates, terms) => {
      const entered = house.turnstile.enter(ticket, gates, terms);
      house.rest();
      return entered;
    },
    leave: (ticket) => {
      house.turnstile.leave(ticket);
      house.rest();
    },
  };
}

/** A backoff of the caller that throws, or gives no number, must not keep a pass from coming back. */
function safely(backoffMs: (k: number) => number): (k: number) => number {
  return (k) => {
    try {
      const ms = backoffMs(k);
      return Number.isFinite(ms) && ms >= 0 ? ms : FALLBACK_BACKOFF_MS;
    } catch {
      return FALLBACK_BACKOFF_MS;
    }
  };
}

const FALLBACK_BACKOFF_MS = 1000;

function isSelector(target: ScopeSelector | readonly Scope[]): target is ScopeSelector {
  return !Array.isArray(target);
}
