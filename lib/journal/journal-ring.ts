import type { JournalEntry, JournalListener } from '../operation/journal-entry.js';
import { checkValue, count } from './check-options.js';

/**
 * Keeps the last `most` entries of a client in memory: give its `onEntry` to the policy. A new entry costs the
 * same however many are kept; the oldest goes when it is full.
 * @throws TypeError unless `most` is a whole number of 1 or more
 */
export function journalRing(most: number): JournalRing {
  checkValue('`most` of journalRing', most, count);
  return new Ring(most);
}

/** The last entries of a client. */
export interface JournalRing {
  readonly onEntry: JournalListener;
  /** How many had to go for newer ones, since the ring was made or cleared. */
  readonly dropped: number;
  /** What is kept, oldest first: a list of its own, which does not grow. */
  entries(): readonly JournalEntry[];
  /** Forgets all entries, and how many were dropped. */
  clear(): void;
}

class Ring implements JournalRing {
  readonly #most: number;
  #kept: JournalEntry[] = [];
  // Where the next entry goes when all places are taken: the place of the oldest.
  #oldest: number = 0;
  #dropped: number = 0;

  constructor(most: number) {
    this.#most = most;
  }

  readonly onEntry = (entry: JournalEntry): void => {
    if (this.#kept.length < this.#most) {
      this.#kept.push(entry);
      return;
    }
    this.#kept[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % this.#most;
    this.#dropped += 1;
  };

  get dropped(): number {
    return this.#dropped;
  }

  entries(): readonly JournalEntry[] {
    return [...this.#kept.slice(this.#oldest), ...this.#kept.slice(0, this.#oldest)];
  }

  clear(): void {
    this.#kept = [];
    this.#oldest = 0;
    this.#dropped = 0;
  }
}
