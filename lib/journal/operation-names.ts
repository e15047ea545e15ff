import type { JournalEntry } from '../operation/journal-entry.js';
import { oneLine } from './one-line.js';

/**
 * What operations were asked for, while they go on: lines about them are read alone, where the one with which
 * they began was not written.
 */
export class OperationNames {
  readonly #names: Map<string, string> = new Map();

  /** "GET https://api.example.com/orders/:id"; nothing where the entry says so itself, or belongs to none. */
  nameFor(entry: JournalEntry): string | undefined {
    const { operation } = entry;
    if (operation === undefined) return undefined;
    if (entry.event === 'operation-opened') {
      this.#keep(operation, oneLine(`${entry.method} ${entry.origin}${entry.route}`));
      return undefined;
    }
    const name = this.#names.get(operation);
    if (entry.event === 'operation-closed') this.#names.delete(operation);
    return name;
  }

  #keep(operation: string, name: string): void {
    const oldest = this.#names.keys().next();
    if (this.#names.size >= MOST_NAMES && oldest.done !== true) this.#names.delete(oldest.value);
    this.#names.set(operation, name);
  }
}

// As many as may wait at the gates of a client.
const MOST_NAMES = 10_000;
