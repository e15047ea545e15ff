import type { Clock } from '../time/clock.js';
import { attribute } from './attribution.js';
import type { SharedStore } from './gate-link.js';
import type { GateNote } from './gate-note.js';
import { GateTicket } from './gate-ticket.js';
import type { Gate } from './gate.js';
import { Gatehouse } from './gatehouse.js';
import type { Scope } from '../model.js';
import type { ScopeSelector } from './scope-key.js';
import { snapshotOf } from './snapshot.js';
import type { GatesSnapshot } from './snapshot.js';
import { isPartOf } from './standing-orders.js';
import { waitingAt } from './waiting-operation.js';
import type { WaitingOperation } from './waiting-operation.js';
import { standstillOf } from './standstill.js';
import type { Standstill } from './standstill.js';
import { letGo } from './transition.js';
import type { Answer, EnterTerms, Refused, Ticket, TicketFacts } from './ticket.js';

export interface GatesOptions {
  readonly clock: Clock;
  /** 0 is exact. */
  readonly jitter: number;
  /** Own backoff of the k-th failure in a row (from 1), before jitter. Never throws. */
  readonly backoffMs: (k: number) => number;
  /** Passes in flight of one gate. Absent: no bound. */
  readonly concurrency?: number | undefined;
  /** Waiters in all. */
  readonly maxQueued: number;
  readonly maxGates: number;
  /** No single answer holds a gate longer. */
  readonly maxHoldMs: number;
  /** Absent: shared with nobody. */
  readonly store?: SharedStore | undefined;
}

/** All gates of a client, or of several: who may send now, who waits, and for what. */
export class Gates {
  readonly #house: Gatehouse;
  readonly #owners: WeakSet<object> = new WeakSet();
  #ownerCount: number = 0;
  #last: { readonly snapshot: GatesSnapshot; readonly changes: number } | undefined;

  constructor(options: GatesOptions) {
    this.#house = new Gatehouse(options);
  }

  /** One for each operation: its number is its place in every queue, for life. */
  ticket(facts: TicketFacts): Ticket {
    const { owner } = facts;
    if (!this.#owners.has(owner)) {
      this.#owners.add(owner);
      this.#ownerCount += 1;
      this.#house.link?.open();
    }
    return new GateTicket(facts, this.#house);
  }

  /** What an exchange without a pass has met: only its limits have an effect. */
  overhear(scopes: readonly Scope[], answer: Answer, operation?: string): void {
    attribute(this.#house, { operation, scopes }, answer);
  }

  /** What would hold up an operation that entered now. Nothing is taken. */
  standing(scopes: readonly Scope[], terms: EnterTerms): Refused | Standstill | undefined {
    const house = this.#house;
    const { book } = house;
    const nowMonoMs = house.clock.monoMs();
    // A hold by hand that is older than its gate begins with the gate.
    for (const scope of scopes)
      if (house.orders.of(scope, nowMonoMs) !== undefined) book.rest(book.inUse(scope, nowMonoMs), nowMonoMs);
    house.rest();
    return standstillOf(this.#found(scopes), terms, house);
  }

  /** What the gates of these scopes are called, whether there are any yet or not. */
  labelsOf(scopes: readonly Scope[]): readonly string[] {
    return scopes.map((scope) => this.#house.book.labelOf(scope));
  }

  /**
   * Holds by hand: every gate that has the part, those yet to come included, or the narrowest of the scopes.
   * Never shortens a hold.
   */
  hold(target: ScopeSelector | readonly Scope[], untilEpochMs: number, why: string): void {
    const house = this.#house;
    const { clock } = house;
    const nowMonoMs = clock.monoMs();
    const untilMonoMs = nowMonoMs + untilEpochMs - clock.wallEpochMs();
    const hold = { kind: 'closed', untilMonoMs, because: 'by-hand', why } as const;
    if (isSelector(target)) house.orders.add({ selector: target, hold }, nowMonoMs);
    const gates = isSelector(target)
      ? this.#gatesWith(target)
      : target.slice(0, 1).map((scope) => house.book.inUse(scope, nowMonoMs));
    if (untilMonoMs > nowMonoMs) for (const gate of gates) gate.apply(hold);
    house.settle(gates);
  }

  /** Ends holds by hand, whoever asked for them: the one thing that shortens a hold. A probe goes next. */
  release(target: ScopeSelector | readonly Scope[]): void {
    const house = this.#house;
    if (isSelector(target)) house.orders.revoke(target);
    const gates = isSelector(target) ? this.#gatesWith(target) : this.#found(target);
    const nowMonoMs = house.clock.monoMs();
    for (const gate of gates) {
      if (gate.heldUntilMonoMs(nowMonoMs) === undefined) continue;
      gate.become(letGo(gate.record, nowMonoMs));
      house.link?.letGo(gate);
    }
    house.settle(gates);
  }

  /** The same object until something changes. */
  snapshot(): GatesSnapshot {
    const house = this.#house;
    house.book.sweep(house.clock.monoMs());
    const { changes } = house.bulletin;
    if (this.#last?.changes !== changes) this.#last = { snapshot: snapshotOf(house), changes };
    return this.#last.snapshot;
  }

  /** The operations of an owner that wait, gate by gate, in the order in which they go. */
  waiting(owner: object): readonly WaitingOperation[] {
    const house = this.#house;
    return house.everywhere.flatMap((gate) => waitingAt(gate, owner, house));
  }

  /** Tells the listener of changes, at most ten times a second; returns how to stop. */
  subscribe(listener: () => void): () => void {
    return this.#house.bulletin.subscribe(listener);
  }

  /** Tells them of what is none of the gates' doing: somebody waits elsewhere, or does no more. */
  changed(): void {
    this.#house.bulletin.changes += 1;
    this.#house.rest();
  }

  /** Tells the listener what happens at the gates, in order; returns how to stop. */
  onNote(listener: (note: GateNote) => void): () => void {
    return this.#house.bulletin.read(listener);
  }

  /** Settles every waiter of an owner as refused: `detached`. */
  detach(owner: object): void {
    const house = this.#house;
    house.detach(owner);
    // Whoever comes later has the store listened to again.
    if (this.#owners.delete(owner)) this.#ownerCount -= 1;
    if (this.#ownerCount === 0) house.link?.close();
    house.rest();
  }

  #found(scopes: readonly Scope[]): readonly Gate[] {
    return scopes.flatMap((scope) => this.#house.book.find(scope) ?? []);
  }

  #gatesWith(selector: ScopeSelector): readonly Gate[] {
    return [...this.#house.book].filter((gate) => isPartOf(selector, gate.scope));
  }
}

function isSelector(target: ScopeSelector | readonly Scope[]): target is ScopeSelector {
  return !Array.isArray(target);
}
