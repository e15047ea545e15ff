import { alarmAt } from '../time/clock.js';
import type { CancelTimer, Clock } from '../time/clock.js';
import { attribute, overhear } from './attribution.js';
import { Bulletin } from './bulletin.js';
import { GateBook } from './gate-book.js';
import type { BookContext } from './gate-book.js';
import { happeningsOf } from './gate-note.js';
import { GatePass } from './gate-pass.js';
import type { Leg, PassDesk } from './gate-pass.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings } from './gate-state.js';
import type { TicketDesk } from './gate-ticket.js';
import { Gate } from './gate.js';
import type { PartyGates, Waiter } from './gate.js';
import { StandingOrders } from './standing-orders.js';
import { StoreLink } from './store-link.js';
import type { GateStore } from './store.js';
import type { Scope } from '../model.js';
import type { Answer, Entered, Pass, Refused, Waiting } from './ticket.js';
import { Turnstile } from './turnstile.js';
import type { TurnstileContext } from './turnstile.js';

export interface GatehouseOptions extends GateSettings {
  readonly clock: Clock;
  readonly maxQueued: number;
  readonly maxGates: number;
  readonly store: GateStore;
}

/** Puts the parts together: book, turnstile, store, bulletin, and the one timer of them all. */
export class Gatehouse implements BookContext, TurnstileContext, PassDesk, TicketDesk {
  readonly clock: Clock;
  readonly settings: GateSettings;
  readonly maxQueued: number;
  readonly maxGates: number;
  waiters: number = 0;
  readonly orders: StandingOrders = new StandingOrders();
  readonly bulletin: Bulletin;
  readonly book: GateBook = new GateBook(this);
  readonly turnstile: Turnstile = new Turnstile(this);
  readonly store: StoreLink;
  /** Where operations without a scope wait for their own instant; it never refuses. */
  readonly ungated: PartyGates = [new Gate({ scope: [], labels: [] }, this)];
  #alarm: { readonly atMonoMs: number; readonly cancel: CancelTimer } | undefined;
  #tickets: number = 0;

  constructor({ clock, maxQueued, maxGates, store, ...settings }: GatehouseOptions) {
    this.clock = clock;
    this.settings = settings;
    this.maxQueued = maxQueued;
    this.maxGates = maxGates;
    this.bulletin = new Bulletin(clock);
    this.store = new StoreLink({
      ...{ clock, store },
      told: (gate) => this.settle([gate]),
      failed: (call) => this.bulletin.note(this.ungated[0], { event: 'store-failed', call }),
      recovered: () => this.bulletin.note(this.ungated[0], { event: 'store-recovered' }),
      ignored: (because) => this.bulletin.note(this.ungated[0], { event: 'store-ignored', because }),
    });
  }

  /** The number of a new ticket. */
  nextNumber(): number {
    this.#tickets += 1;
    return this.#tickets;
  }

  find(scope: Scope): Gate | undefined {
    return this.book.find(scope);
  }

  /** The gates of some scopes, narrow to wide; the same list for the same gates. */
  gatesOf(scopes: readonly Scope[], known: PartyGates): PartyGates {
    const nowMonoMs = this.clock.monoMs();
    const [narrowest, ...wider] = scopes.map((scope) => this.book.inUse(scope, nowMonoMs));
    if (narrowest === undefined) return this.book.alive(known, nowMonoMs);
    const list: PartyGates = [narrowest, ...wider];
    const shared = narrowest.andWider;
    if (shared?.length === list.length && shared.every((gate, at) => gate === list[at])) return shared;
    narrowest.andWider = list;
    return list;
  }

  /** The same for who only wants to know them. */
  visit(scopes: readonly Scope[]): PartyGates {
    const gates = this.gatesOf(scopes, this.ungated);
    for (const gate of gates) this.book.rest(gate, this.clock.monoMs());
    return gates;
  }

  enter(waiter: Waiter, notBeforeMonoMs: number | undefined): Entered | Waiting {
    const entered = this.turnstile.enter(waiter, notBeforeMonoMs);
    this.rest();
    return entered;
  }

  leave(waiter: Waiter): void {
    this.turnstile.leave(waiter);
    this.rest();
  }

  /** A pass from every gate. */
  take(waiter: Waiter): Pass {
    const nowMonoMs = this.clock.monoMs();
    const legs = waiter.gates === this.ungated ? [] : waiter.gates;
    return new GatePass(
      waiter.operation,
      legs.map((gate) => this.#takeOne(waiter, gate, nowMonoMs)),
      this,
    );
  }

  /** A pass comes back. */
  report({ operation, legs }: GatePass, answer: Answer): void {
    this.settle(this.bulletin.of(operation, () => attribute(this, legs, answer)));
  }

  overhear(scopes: readonly Scope[], answer: Answer, operation: string | undefined): void {
    this.settle(this.bulletin.of(operation, () => overhear(this, scopes, answer)));
  }

  /** Lets go whoever may, then tells whoever listens. */
  settle(gates: Iterable<Gate>): void {
    this.turnstile.settle(gates);
    this.rest();
  }

  /** After every step: tells what has happened, and sets the timer for what comes next. */
  rest(): void {
    this.bulletin.tell();
    const alarm = this.#alarm;
    const atMonoMs = earlierOf(
      earlierOf(this.turnstile.wakeAtMonoMs, this.bulletin.tellAtMonoMs),
      this.store.wakeAtMonoMs,
    );
    // An alarm that is set too early is left: whoever it wakes sets the next.
    if (atMonoMs !== undefined && alarm !== undefined && alarm.atMonoMs <= atMonoMs) return;
    alarm?.cancel();
    this.#alarm = atMonoMs === undefined ? undefined : { atMonoMs, cancel: this.#alarmAt(atMonoMs) };
  }

  refused({ operation }: Waiter, gate: Gate, { because }: Refused): void {
    this.bulletin.note(gate, { event: 'refused', because }, operation);
  }

  opened(gate: Gate, nowMonoMs: number): void {
    this.store.opened(gate);
    const order = this.orders.of(gate.scope, nowMonoMs);
    if (order !== undefined) gate.apply({ ...order, kind: 'closed', because: 'by-hand' });
    this.bulletin.changes += 1;
  }

  evicted(gate: Gate): void {
    this.bulletin.note(gate, { event: 'evicted', state: gate.record.state.kind });
  }

  forgotten(gate: Gate): void {
    this.store.forgotten(gate);
    this.bulletin.changes += 1;
  }

  waiting(change: 1 | -1): void {
    this.waiters += change;
    this.bulletin.changes += 1;
  }

  roll(): number {
    return this.clock.roll();
  }

  askForLease(gate: Gate): void {
    if (this.store.ask(gate) === 'local') gate.apply({ kind: 'unanswered', nowMonoMs: this.clock.monoMs() });
  }

  changed(gate: Gate, before: GateRecord): void {
    const { bulletin } = this;
    bulletin.changes += 1;
    if (before.state.kind === 'held' && before.state.because !== 'probe-elsewhere') {
      gate.heldUntilLastMonoMs = before.state.untilMonoMs;
    }
    if (!bulletin.isUnread) for (const one of happeningsOf(before, gate.record)) bulletin.note(gate, one);
    this.store.changed(gate, before);
  }

  #alarmAt(atMonoMs: number): CancelTimer {
    return alarmAt(this.clock, atMonoMs, () => {
      this.#alarm = undefined;
      this.store.wake();
      this.turnstile.wake();
      this.rest();
    });
  }

  #takeOne({ at, operation, beganMonoMs }: Waiter, gate: Gate, nowMonoMs: number): Leg {
    this.book.use(gate);
    gate.apply({ kind: 'taken', moment: gate.moment(nowMonoMs, at === gate ? 0 : 1) });
    const { state, epoch, stalls } = gate.record;
    const lease = state.kind === 'probing' ? state.leases : undefined;
    if (lease !== undefined) this.bulletin.note(gate, { event: 'probe' }, operation);
    const fresh = beganMonoMs >= gate.heldUntilLastMonoMs;
    return { gate, epoch, lease, stalls, fresh, sentMonoMs: nowMonoMs };
  }
}

function earlierOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
