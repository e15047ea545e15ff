import { alarmAt } from '../time/clock.js';
import type { CancelTimer, Clock } from '../time/clock.js';
import type { Leg } from './attribution.js';
import { Bulletin } from './bulletin.js';
import { earliest } from './earliest.js';
import { GateBook } from './gate-book.js';
import type { BookContext, BookSettings } from './gate-book.js';
import type { GateLink, LinkedGates, LinkingStore, SharedStore } from './gate-link.js';
import { happeningsOf } from './gate-note.js';
import type { StoreHappening } from './gate-note.js';
import { GatePass } from './gate-pass.js';
import type { GateRecord } from './gate-record.js';
import { asksForLease, isElsewhere } from './gate-state.js';
import type { GateSettings } from './gate-state.js';
import type { TicketDesk } from './gate-ticket.js';
import { Gate } from './gate.js';
import type { PartyGates, Waiter } from './gate.js';
import { StandingOrders } from './standing-orders.js';
import type { Scope } from '../model.js';
import type { Granted } from './ticket.js';
import { answered } from './transition.js';
import { Turnstile } from './turnstile.js';
import type { TurnstileSettings } from './turnstile.js';

/** Puts the parts together: book, turnstile, store, bulletin, and the one timer of them all. */
export class Gatehouse extends Turnstile implements BookContext, TicketDesk, LinkedGates {
  readonly clock: Clock;
  readonly settings: GatehouseSettings;
  tickets: number = 0;
  readonly orders: StandingOrders = new StandingOrders();
  readonly bulletin: Bulletin;
  readonly book: GateBook = new GateBook(this);
  /** Absent: the gates are shared with nobody. */
  readonly link: GateLink | undefined;
  /** Where operations without a scope wait for their own instant; it never refuses. */
  readonly ungated: PartyGates = [new Gate([], [], this)];
  #alarm: { readonly atMonoMs: number; readonly cancel: CancelTimer } | undefined;

  constructor(options: GatehouseOptions) {
    super();
    this.clock = options.clock;
    this.bulletin = new Bulletin(options.clock);
    this.link = (options.store as LinkingStore | undefined)?.linkTo(this);
    this.settings = { ...options, storeTimeoutMs: this.link?.timeoutMs ?? 0 };
  }

  get everywhere(): readonly Gate[] {
    return [...this.book, ...this.ungated];
  }

  /** The gates of some scopes, narrow to wide; the same list for the same gates. */
  gatesOf(scopes: readonly Scope[], known: PartyGates): PartyGates {
    const nowMonoMs = this.clock.monoMs();
    const list = scopes.map((scope) => this.book.inUse(scope, nowMonoMs));
    const [narrowest, ...wider] = list;
    if (narrowest === undefined) return this.book.alive(known, nowMonoMs);
    const shared = narrowest.andWider;
    if (shared?.length === list.length && shared.every((gate, at) => gate === list[at])) return shared;
    return (narrowest.andWider = [narrowest, ...wider]);
  }

  /** A pass from every gate. */
  take(waiter: Waiter): Granted {
    const nowMonoMs = this.clock.monoMs();
    const gates = waiter.gates === this.ungated ? [] : waiter.gates;
    const legs = gates.map((gate) => this.#takeOne(waiter, gate, nowMonoMs));
    return { kind: 'pass', pass: new GatePass(waiter.operation, legs, this) };
  }

  /** After every step: tells what has happened, and sets the timer for what comes next. */
  rest(): void {
    this.bulletin.tell();
    const alarm = this.#alarm;
    const atMonoMs = earliest(this.wakeAtMonoMs, this.bulletin.tellAtMonoMs, this.link?.wakeAtMonoMs);
    // An alarm that is set too early is left: whoever it wakes sets the next.
    if (atMonoMs !== undefined && alarm !== undefined && alarm.atMonoMs <= atMonoMs) return;
    alarm?.cancel();
    const ring = (): void => {
      this.#alarm = undefined;
      this.link?.wake();
      this.wake();
    };
    this.#alarm =
      atMonoMs === undefined ? undefined : { atMonoMs, cancel: alarmAt(this.clock, atMonoMs, ring) };
  }

  note(happening: StoreHappening): void {
    this.bulletin.note(this.ungated[0], happening);
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
    if (link?.ask(gate) !== 'asked') gate.become(answered(gate.record, this.clock.monoMs()));
  }

  #takeOne(waiter: Waiter, gate: Gate, nowMonoMs: number): Leg {
    this.book.use(gate);
    gate.apply({ kind: 'taken', moment: gate.moment(nowMonoMs, waiter.at === gate ? 0 : 1) });
    const { record } = gate;
    const lease = record.state.kind === 'probing' ? record.state.leases : undefined;
    if (lease !== undefined) this.bulletin.note(gate, { event: 'probe' }, waiter.operation);
    return {
      gate,
      epoch: record.epoch,
      lease,
      stalls: record.stalls,
      fresh: waiter.beganMonoMs >= gate.heldUntilLastMonoMs,
      sentMonoMs: nowMonoMs,
    };
  }
}

interface GatehouseSettings extends GateSettings, TurnstileSettings, BookSettings {}

export interface GatehouseOptions extends Omit<GatehouseSettings, 'storeTimeoutMs'> {
  readonly clock: Clock;
  readonly store?: SharedStore | undefined;
}
