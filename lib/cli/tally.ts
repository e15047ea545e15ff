import { keptKey } from './story-line.js';

/** How often what came. Words from a file may be anything, so only the first hundred are told apart. */
export class Tally {
  readonly #counts: Map<string, number> = new Map();

  add(word: string): void {
    const key = keptKey(word);
    const known = this.#counts.has(key) || this.#counts.size < MOST_WORDS ? key : 'others';
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** The most frequent first. */
  counts(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }
}

const MOST_WORDS = 100;
