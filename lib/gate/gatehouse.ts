import { alarmAt } from '../time/clock.js';
import type { CancelTimer, Clock } from '../time/clock.js';
import { attribute } from './attribution.js';
import { Bulletin } from './bulletin.js';
import { earliest } from './earliest.js';
import { GateBook } from './gate-book.js';
import type { BookContext } from './gate-book.js';
import type { GateLink, LinkedGates, LinkingStore, SharedStore } from './gate-link.js';
import { happeningsOf } from './gate-note.js';
import type { StoreHappening } from './gate-note.js';
import { GatePass } from './gate-pass.js';
import type { Leg, PassDesk } from './gate-pass.js';
import type { GateRecord } from './gate-record.js';
import { isElsewhere } from './gate-state.js';
import type { GateSettings, GateState } from './gate-state.js';
import type { TicketDesk } from './gate-ticket.js';
import { Gate } from './gate.js';
import type { PartyGates, Waiter } from './gate.js';
import { StandingOrders } from './standing-orders.js';
import type { Scope } from '../model.js';
import type { Answer, Pass } from './ticket.js';
import { Turnstile } from './turnstile.js';
import type { TurnstileContext } from './turnstile.js';

export interface GatehouseOptions extends Omit<GateSettings, 'storeTimeoutMs'> {
  readonly clock: Clock;
  readonly maxQueued: number;
  readonly maxGates: number;
  readonly store?: SharedStore | undefined;
}

/** Puts the parts together: book, turnstile, store, bulletin, and the one timer of them all. */
export class Gatehouse implements BookContext, TurnstileContext, PassDesk, TicketDesk, LinkedGates {
  readonly clock: Clock;
  readonly settings: GateSettings;
  readonly maxQueued: number;
  readonly maxGates: number;
  waiters: number = 0;
  tickets: number = 0;
  readonly orders: StandingOrders = new StandingOrders();
  readonly bulletin: Bulletin;
  readonly book: GateBook = new GateBook(this);
  readonly turnstile: Turnstile = new Turnstile(this);
  /** Absent: the gates are shared with nobody. */
  readonly link: GateLink | undefined;
  /** Where operations without a scope wait for their own instant; it never refuses. */
  readonly ungated: PartyGates = [new Gate({ scope: [], labels: [] }, this)];
  #alarm: { readonly atMonoMs: number; readonly cancel: CancelTimer } | undefined;

  constructor({ clock, maxQueued, maxGates, store, ...settings }: GatehouseOptions) {
    this.clock = clock;
    this.maxQueued = maxQueued;
    this.maxGates = maxGates;
    this.bulletin = new Bulletin(clock);
    this.link = (store as LinkingStore | undefined)?.linkTo(this);
    this.settings = { ...settings, storeTimeoutMs: this.link?.timeoutMs ?? 0 };
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

  settle(gates: Iterable<Gate>): void {
    this.turnstile.settle(gates);
  }

  /** After every step: tells what has happened, and sets the timer for what comes next. */
  rest(): void {
    this.bulletin.tell();
    const alarm = this.#alarm;
    const { turnstile, bulletin, link } = this;
    const atMonoMs = earliest(turnstile.wakeAtMonoMs, bulletin.tellAtMonoMs, link?.wakeAtMonoMs);
    // An alarm that is set too early is left: whoever it wakes sets the next.
    if (atMonoMs !== undefined && alarm !== undefined && alarm.atMonoMs <= atMonoMs) return;
    alarm?.cancel();
    this.#alarm = atMonoMs === undefined ? undefined : { atMonoMs, cancel: this.#alarmAt(atMonoMs) };
  }

  note(happening: StoreHappening): void {
    this.bulletin.note(this.ungated[0], happening);
  }

  opened(gate: Gate, nowMonoMs: number): void {
    this.link?.opened(gate);
    const order = this.orders.of(gate.scope, nowMonoMs);
    if (order !== undefined) gate.apply({ ...order, kind: 'closed', because: 'by-hand' });
    this.bulletin.changes += 1;
  }

  forgotten(gate: Gate): void {
    this.link?.forgotten(gate);
    this.bulletin.changes += 1;
  }

  waiting(change: 1 | -1): void {
    this.waiters += change;
    this.bulletin.changes += 1;
  }

  changed(gate: Gate, before: GateRecord): void {
    const { bulletin, link } = this;
    const { state } = before;
    bulletin.changes += 1;
    if (state.kind === 'held' && !isElsewhere(state)) gate.heldUntilLastMonoMs = state.untilMonoMs;
    if (!bulletin.isUnread) for (const one of happeningsOf(before, gate.record)) bulletin.note(gate, one);
    link?.changed(gate, before);
    if (!asksForLease(gate.record.state) || asksForLease(state)) return;
    if (link?.ask(gate) !== 'asked') gate.apply({ kind: 'unanswered', nowMonoMs: this.clock.monoMs() });
  }

  #alarmAt(atMonoMs: number): CancelTimer {
    return alarmAt(this.clock, atMonoMs, () => {
      this.#alarm = undefined;
      this.link?.wake();
      this.turnstile.wake();
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

function asksForLease(state: GateState): boolean {
  return state.kind === 'asking' && state.about === 'lease';
}
