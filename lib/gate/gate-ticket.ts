import type { Deadline } from '../time/deadline.js';
import type { Gate, PartyGates, Waiter } from './gate.js';
import type { Scope } from '../model.js';
import type { EnterTerms, Entered, Ticket, TicketFacts, Waiting } from './ticket.js';
import type { Turnstile } from './turnstile.js';

/** What a ticket asks of the gates. */
export interface TicketDesk extends Turnstile {
  /** The gate of operations without a scope. */
  readonly ungated: PartyGates;
  /** How many there were. */
  tickets: number;
  /** The gates of these scopes; with none, those that are known, as far as they were not forgotten. */
  gatesOf(scopes: readonly Scope[], known: PartyGates): PartyGates;
}

/**
 * One operation's number and gates, and its wait: of a hundred thousand that wait, each is this one object. What it
 * was made from stays private: scopes may hold credentials.
 */
export class GateTicket implements Ticket, Waiter {
  readonly number: number;
  readonly beganMonoMs: number;
  readonly turn: string | undefined;
  readonly owner: object;
  readonly operation: string;
  gates: PartyGates;
  at: Gate | undefined;
  settle: ((entered: Entered) => void) | undefined = undefined;
  deadline: Deadline | undefined;
  reserveMs: number = 0;
  maxHoldMs: number | undefined;
  exchangesLeft: number = 0;
  repeatable: boolean = false;
  dueMonoMs: number = 0;
  latestMonoMs: number | undefined;
  isDue: boolean = false;
  linePlace: number | undefined;
  latestPlace: number | undefined;
  readonly #desk: TicketDesk;
  // Until the gates are known, which keep them once for all.
  #scopes: readonly Scope[];

  constructor(facts: TicketFacts, desk: TicketDesk) {
    desk.tickets += 1;
    this.number = desk.tickets;
    this.beganMonoMs = desk.clock.monoMs();
    this.turn = facts.turn;
    this.owner = facts.owner;
    this.operation = facts.operation;
    this.gates = desk.ungated;
    this.#desk = desk;
    this.#scopes = facts.scopes;
  }

  get labels(): readonly string[] {
    if (this.#scopes.length > 0) {
      this.#arrive();
      // It may never enter: until then they may be forgotten again.
      for (const gate of this.gates) this.#desk.book.rest(gate, this.#desk.clock.monoMs());
    }
    return this.gates.filter((gate) => gate.scope.length > 0).map((gate) => gate.label);
  }

  get smoothedMs(): number | undefined {
    const [narrowest] = this.#scopes;
    const gate = narrowest === undefined ? this.gates[0] : this.#desk.book.find(narrowest);
    return gate?.record.smoothedMs;
  }

  /** @throws TypeError while it waits already */
  enter(terms: EnterTerms): Entered | Waiting {
    if (this.at !== undefined) throw new TypeError('Expected one wait at a time of a ticket, got a second');
    this.#arrive();
    this.deadline = terms.deadline;
    this.reserveMs = terms.reserveMs;
    this.maxHoldMs = terms.maxHoldMs;
    this.exchangesLeft = terms.exchangesLeft;
    this.repeatable = terms.repeatable;
    return this.#desk.enter(this, terms.notBeforeMonoMs);
  }

  leave(): void {
    this.#desk.leave(this);
  }

  #arrive(): void {
    this.gates = this.#desk.gatesOf(this.#scopes, this.gates);
    this.#scopes = NONE;
  }
}

const NONE: readonly Scope[] = [];
