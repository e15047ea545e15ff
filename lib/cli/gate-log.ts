import type { PlacedEntry, Story } from './story.js';

/** What happened at the gates that open stories have to do with. */
export class GateLog {
  readonly #gates: Map<string, Watched> = new Map();
  #size: number = 0;

  /** How many entries it keeps. */
  get size(): number {
    return this.#size;
  }

  watch(gate: string): void {
    const watched = this.#gates.get(gate);
    if (watched === undefined) this.#gates.set(gate, { watchers: 1, entries: [] });
    else watched.watchers += 1;
  }

  /** Whether any story has to do with that gate. */
  add(gate: string, placed: PlacedEntry): 'kept' | 'unwatched' {
    const watched = this.#gates.get(gate);
    if (watched === undefined) return 'unwatched';
    watched.entries.push(placed);
    this.#size += 1;
    // Cut by halves, or a gate that is always watched would cost its whole log with each entry.
    if (watched.entries.length >= 2 * MOST_PER_GATE) {
      this.#size -= watched.entries.splice(0, MOST_PER_GATE).length;
    }
    return 'kept';
  }

  of({ gates }: Story): readonly PlacedEntry[] {
    return [...gates].flatMap((gate) => this.#gates.get(gate)?.entries ?? []);
  }

  /** The story is told. */
  unwatch({ gates }: Story): void {
    for (const gate of gates) {
      const watched = this.#gates.get(gate);
      if (watched === undefined) continue;
      watched.watchers -= 1;
      if (watched.watchers > 0) continue;
      this.#gates.delete(gate);
      this.#size -= watched.entries.length;
    }
  }
}

interface Watched {
  watchers: number;
  readonly entries: PlacedEntry[];
}

const MOST_PER_GATE = 200;
