const MOST_OPERATIONS = 1000;
const MOST_GATE_ENTRIES = 1000;
const MOST_ENDED = 40;

/** The journal entries of a round, by operation and by gate, as far as the page shows them. */
export class Records {
  /** Whose story is shown: the first call's, until somebody picks another. */
  picked;
  /** The last entries of those that have ended, the newest first. */
  ended = [];
  #operations = new Map();
  #gates = [];

  add(entry) {
    if (entry.event.startsWith('gate-')) {
      this.#gates.push(entry);
      if (this.#gates.length > MOST_GATE_ENTRIES) this.#gates.shift();
      return;
    }
    const entries = this.#operations.get(entry.operation) ?? [];
    entries.push(entry);
    this.#operations.set(entry.operation, entries);
    if (this.#operations.size > MOST_OPERATIONS) this.#forgetOldest();
    this.picked ??= entry.operation;
    if (entry.event === 'operation-closed') this.ended = [entry, ...this.ended].slice(0, MOST_ENDED);
  }

  /** The picked operation's entries, with those of the gates that it waited at meanwhile. */
  story() {
    const own = this.#operations.get(this.picked) ?? [];
    if (own.length === 0) return [];
    const gates = new Set(own.map(({ gate }) => gate));
    const [first, last] = [own[0].n, own.at(-1).event === 'operation-closed' ? own.at(-1).n : Infinity];
    const beside = this.#gates.filter(({ gate, n }) => gates.has(gate) && n > first && n < last);
    return [...own, ...beside].sort((a, b) => a.n - b.n);
  }

  #forgetOldest() {
    for (const operation of this.#operations.keys()) {
      if (operation === this.picked) continue;
      this.#operations.delete(operation);
      return;
    }
  }
}
