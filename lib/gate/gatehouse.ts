import type { Clock } from '../time/clock.js';
import { Alarm } from './alarm.js';
import { Attribution } from './attribution.js';
import { Bulletin } from './bulletin.js';
import { GateBook } from './gate-book.js';
import { happeningsOf } from './gate-note.js';
import { GatePass } from './gate-pass.js';
import type { Leg } from './gate-pass.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings, GateState, HoldCause } from './gate-state.js';
import { Gate } from './gate.js';
import type { GateContext } from './gate.js';
import { Lines } from './lines.js';
import type { Party, PartyGates } from './lines.js';
import { NoteBoard } from './note-board.js';
import { StandingOrders } from './standing-orders.js';
import { StoreLink } from './store-link.js';
import type { GateNews, GateStore } from './store.js';
import type { Scope } from './scope-key.js';
import type { Answer, Pass } from './ticket.js';
import { Turnstile } from './turnstile.js';

export interface GatehouseOptions {
  readonly clock: Clock;
  readonly settings: GateSettings;
  readonly maxQueued: number;
  readonly maxGates: number;
  readonly store: GateStore;
}

/** Puts the parts together: book, lines, turnstile, store, notes, and the one timer of them all. */
export class Gatehouse implements GateContext {
  readonly clock: Clock;
  readonly settings: GateSettings;
  readonly orders: StandingOrders = new StandingOrders();
  readonly bulletin: Bulletin = new Bulletin();
  readonly lines: Lines = new Lines(() => this.bulletin.change());
  readonly notes: NoteBoard;
  readonly book: GateBook;
  readonly turnstile: Turnstile;
  readonly attribution: Attribution;
  readonly store: StoreLink;
  /** Where operations without a scope wait for their own instant; it never refuses. */
  readonly ungated: Gate;
  readonly #alarm: Alarm;
  #tickets = 0;

  constructor({ clock, settings, maxQueued, maxGates, store }: GatehouseOptions) {
    const { lines } = this;
    this.clock = clock;
    this.settings = settings;
    this.notes = new NoteBoard(clock);
    this.ungated = new Gate({ scope: [], labels: [] }, this);
    this.book = new GateBook({
      ...{ maxGates, context: this },
      opened: (gate, nowMonoMs) => this.#obeyOrders(gate, nowMonoMs),
      changed: () => this.bulletin.change(),
      evicted: (gate) => this.notes.add(gate, { event: 'evicted', state: gate.record.state.kind }),
    });
    this.turnstile = new Turnstile({
      ...{ clock, lines, book: this.book, maxQueued },
      take: (party, gates) => this.#take(party, gates),
      refused: ({ operation }, gate, { because }) =>
        this.notes.add(gate, { event: 'refused', operation, because }),
    });
    this.attribution = new Attribution({ clock, lines, book: this.book });
    this.store = new StoreLink({
      ...{ clock, store },
      leased: (gate, outcome) => {
        gate.apply({ kind: 'leased', outcome, nowMonoMs: clock.monoMs() });
        this.settle([gate]);
      },
      heard: (news) => this.#hear(news),
      failed: (call, gate) => this.notes.add(gate ?? this.ungated, { event: 'store-failed', call }),
    });
    this.#alarm = new Alarm(clock, () => {
      this.turnstile.wake();
      this.rest();
    });
  }

  /** A pass comes back. */
  report(pass: GatePass, answer: Answer): void {
    this.settle(this.attribution.report(pass, answer));
  }

  /** The gates of some scopes, narrow to wide; the same list for the same gates. */
  gatesOf(scopes: readonly Scope[], known: PartyGates | undefined): PartyGates {
    const nowMonoMs = this.clock.monoMs();
    if (known !== undefined) return this.book.alive(known, nowMonoMs);
    const gates = scopes.map((scope) => this.book.inUse(scope, nowMonoMs));
    const [narrowest, ...wider] = gates;
    if (narrowest === undefined) return [this.ungated];
    const shared = narrowest.andWider;
    if (shared?.length === gates.length && shared.every((gate, at) => gate === gates[at])) return shared;
    const list: PartyGates = [narrowest, ...wider];
    narrowest.andWider = list;
    return list;
  }

  nextTicket(): { readonly number: number; readonly atMonoMs: number } {
    this.#tickets += 1;
    return { number: this.#tickets, atMonoMs: this.clock.monoMs() };
  }

  /** Lets go whoever may, then tells whoever listens. */
  settle(gates: Iterable<Gate>): void {
    this.turnstile.settle(gates);
    this.rest();
  }

  /** After every step: tells what has happened, and sets the timer for what comes next. */
  rest(): void {
    this.notes.tell();
    this.bulletin.tell(this.clock.monoMs());
    const instants = [this.turnstile.wakeAtMonoMs, this.bulletin.tellAtMonoMs].filter(
      (one) => one !== undefined,
    );
    this.#alarm.setFor(instants.length === 0 ? undefined : Math.min(...instants));
  }

  roll(): number {
    return this.clock.roll();
  }

  askForLease(gate: Gate): void {
    const outcome = this.store.ask(gate);
    if (outcome !== 'later') gate.apply({ kind: 'leased', outcome, nowMonoMs: this.clock.monoMs() });
  }

  changed(gate: Gate, before: GateRecord): void {
    this.bulletin.change();
    const { state } = gate.record;
    if (before.state.kind === 'held') gate.heldUntilLastMonoMs = before.state.untilMonoMs;
    if (!this.notes.isIdle) for (const one of happeningsOf(before, gate.record)) this.notes.add(gate, one);
    if (isLongerHold(before.state, state)) this.store.publish(gate, 'held');
  }

  #take(party: Party, gates: PartyGates): Pass {
    const legs = gates[0] === this.ungated ? [] : gates.map((gate) => this.#takeOne(party, gate));
    return new GatePass(legs, this);
  }

  #takeOne(party: Party, gate: Gate): Leg {
    const joining = party.standing?.at === gate ? 0 : 1;
    this.book.use(gate);
    gate.apply({ kind: 'taken', moment: this.lines.momentAt(gate, this.clock.monoMs(), joining) });
    const { state, epoch, stalls } = gate.record;
    const lease = state.kind === 'probing' ? state.leases : undefined;
    if (lease !== undefined) this.notes.add(gate, { event: 'probe', operation: party.operation });
    return { gate, epoch, lease, stalls, fresh: party.beganMonoMs >= gate.heldUntilLastMonoMs };
  }

  #hear(news: GateNews): void {
    const { clock } = this;
    const nowMonoMs = clock.monoMs();
    const gate = this.book.inUse(news.scope, nowMonoMs);
    if (news.kind === 'released') gate.apply({ kind: 'released', nowMonoMs });
    else {
      const untilMonoMs = nowMonoMs + news.untilEpochMs - clock.wallEpochMs();
      if (untilMonoMs > nowMonoMs) gate.apply({ kind: 'closed', untilMonoMs, because: 'store' });
    }
    this.settle([gate]);
  }

  #obeyOrders(gate: Gate, nowMonoMs: number): void {
    const order = this.orders.of(gate.scope, nowMonoMs);
    if (order === undefined) return;
    const { untilMonoMs, why } = order;
    gate.apply({ kind: 'closed', untilMonoMs, because: 'by-hand', why });
  }
}

/** A hold that this client met itself, new or prolonged: the others learn of it. */
function isLongerHold(before: GateState, after: GateState): boolean {
  if (after.kind !== 'held' || !OWN_CAUSES.has(after.because)) return false;
  return before.kind !== 'held' || after.untilMonoMs > before.untilMonoMs;
}

const OWN_CAUSES: ReadonlySet<HoldCause> = new Set<HoldCause>([
  'hint',
  'own-backoff',
  'failures',
  'quota-spent',
  'widened',
  'by-hand',
]);
