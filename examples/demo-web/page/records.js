/** Journal entries, by operation and by gate, as far as the page shows them. */
class Records {
  onChange = () => {};
  #operations = new Map();
  #gates = [];
  #pending = false;
  picked;

  add(entry) {
    if (entry.event.startsWith('gate-')) {
      this.#gates.push(entry);
      if (this.#gates.length > MOST_GATE_ENTRIES) this.#gates.shift();
    } else {
      const entries = this.#operations.get(entry.operation) ?? [];
      entries.push(entry);
      this.#operations.set(entry.operation, entries);
      if (this.#operations.size > MOST_OPERATIONS) this.#forgetOldest();
    }
    this.#tell();
  }

  clear() {
    this.#operations.clear();
    this.#gates = [];
    this.picked = undefined;
  }

  pick(operation) {
    this.picked = operation;
    this.onChange();
  }

  /** The ended operations, newest first: their last entries. */
  ended() {
    const closings = [...this.#operations.values()].map((entries) =>
      entries.findLast(({ event }) => event === 'operation-closed'),
    );
    return closings.filter((entry) => entry !== undefined).reverse();
  }

  /** An operation's entries, with those of the gates that it waited at meanwhile. */
  storyOf(operation) {
    const own = this.#operations.get(operation) ?? [];
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

  // Once per frame at most: a burst writes hundreds.
  #tell() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => {
      this.#pending = false;
      this.onChange();
    });
  }
}

const MOST_OPERATIONS = 300;
const MOST_GATE_ENTRIES = 1000;

export const records = new Records();
