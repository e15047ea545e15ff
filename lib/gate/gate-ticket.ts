import type { Party, PartyGates, Standing } from './lines.js';
import type { Scope } from './scope-key.js';
import type { EnterTerms, Entered, Ticket, TicketFacts, Waiting } from './ticket.js';

/** What a ticket asks of the gates. */
export interface TicketDesk {
  /** The gates of these scopes; in place of `known`, as far as some of these were forgotten. */
  gatesOf(scopes: readonly Scope[], known: PartyGates | undefined): PartyGates;
  enter(ticket: GateTicket, gates: PartyGates, terms: EnterTerms): Entered | Waiting;
  leave(ticket: GateTicket): void;
}

/** One operation's number and gates. What it was made from stays private: scopes may hold credentials. */
export class GateTicket implements Ticket, Party {
  readonly number: number;
  readonly turn: string | undefined;
  readonly owner: object;
  readonly operation: string;
  standing: Standing | undefined = undefined;
  readonly #desk: TicketDesk;
  // Of a hundred thousand operations that wait, each would keep its scopes: its gates know them, once for all.
  #scopes: readonly Scope[];
  #gates: PartyGates | undefined = undefined;

  constructor(number: number, facts: TicketFacts, desk: TicketDesk) {
    this.number = number;
    this.turn = facts.turn;
    this.owner = facts.owner;
    this.operation = facts.operation;
    this.#scopes = facts.scopes;
    this.#desk = desk;
  }

  get smoothedMs(): number | undefined {
    return this.#gatesNow()[0].record.smoothedMs;
  }

  /** @throws TypeError while it waits already */
  enter(terms: EnterTerms): Entered | Waiting {
    if (this.standing !== undefined)
      throw new TypeError('Expected one wait at a time of a ticket, got a second');
    return this.#desk.enter(this, this.#gatesNow(), terms);
  }

  leave(): void {
    this.#desk.leave(this);
  }

  #gatesNow(): PartyGates {
    this.#gates = this.#desk.gatesOf(this.#scopes, this.#gates);
    this.#scopes = NONE;
    return this.#gates;
  }
}

const NONE: readonly Scope[] = [];
