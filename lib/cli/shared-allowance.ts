import { earned, fullAllowance, isEmpty, refilled, spent } from '../policy/allowance.js';
import type { Allowance, AllowanceTerms } from '../policy/allowance.js';
import { keptKey } from './story-line.js';

/** What the allowance of a client would have held under other terms; what it held is in the record. */
export class SharedAllowance {
  readonly #terms: AllowanceTerms | 'none';
  readonly #clients: Map<string, Allowance> = new Map();

  constructor(terms: AllowanceTerms | 'none') {
    this.#terms = terms;
  }

  /** With the first exchange of an operation. */
  earn({ operation, monoMs }: Moment): void {
    this.#update({ operation, monoMs }, earned);
  }

  isEmpty(moment: Moment): boolean {
    return this.#terms !== 'none' && isEmpty(this.#now(moment, this.#terms));
  }

  /** With each exchange that is sent again after a failure. */
  spend(moment: Moment): void {
    this.#update(moment, spent);
  }

  #update(moment: Moment, change: (allowance: Allowance, terms: AllowanceTerms) => Allowance): void {
    if (this.#terms === 'none') return;
    const changed = change(this.#now(moment, this.#terms), this.#terms);
    const client = clientOf(moment);
    if (!this.#clients.has(client) && this.#clients.size >= MOST_CLIENTS) this.#clients.clear();
    this.#clients.set(client, changed);
  }

  #now(moment: Moment, terms: AllowanceTerms): Allowance {
    const known = this.#clients.get(clientOf(moment)) ?? fullAllowance(terms, moment.monoMs);
    return refilled(known, terms, moment.monoMs);
  }
}

export interface Moment {
  readonly operation: string;
  readonly monoMs: number;
}

// One journal is written by one client, or by a few; only a made-up one has thousands.
const MOST_CLIENTS = 1000;

// The operations of one client are numbered behind a prefix that is its own.
function clientOf({ operation }: Moment): string {
  const id = keptKey(operation);
  return id.slice(0, id.lastIndexOf('-') + 1);
}
