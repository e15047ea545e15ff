import type { Gate } from './gate.js';
import type { Party, PartyGates, Standing } from './lines.js';
import type { Scope } from './scope-key.js';
import type { EnterTerms, Entered, Ticket, TicketFacts, Waiting } from './ticket.js';

/** What a ticket asks of the gates. */
export interface TicketDesk {
  find(scope: Scope): Gate | undefined;
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
  readonly beganMonoMs: number;
  standing: Standing | undefined = undefined;
  readonly #desk: TicketDesk;
  // Of a hundred thousand operations that wait, each would keep its scopes: its gates know them, once for all.
  #scopes: readonly Scope[];
  #gates: PartyGates | undefined = undefined;

  constructor(began: { number: number; atMonoMs: number }, facts: TicketFacts, desk: TicketDesk) {
    this.number = began.number;
    this.beganMonoMs = began.atMonoMs;
    this.turn = facts.turn;
    this.owner = facts.owner;
    this.operation = facts.operation;
    this.#scopes = facts.scopes;
    this.#desk = desk;
  }

  get smoothedMs(): number | undefined {
    const [narrowest] = this.#scopes;
    const gate = this.#gates?.[0] ?? (narrowest && this.#desk.find(narrowest));
    return gate?.record.smoothedMs;
  }

  /** @throws TypeError while it waits already */
  enter(terms: EnterTerms): Entered | Waiting {
    if (this.standing !== undefined)
      throw new TypeError('Expected one wait at a time of a ticket, got a second');
    this.#gates = this.#desk.gatesOf(this.#scopes, this.#gates);
    this.#scopes = NONE;
    return this.#desk.enter(this, this.#gates, terms);
  }

  leave(): void {
    this.#desk.leave(this);
  }
}

const NONE: readonly Scope[] = [];
