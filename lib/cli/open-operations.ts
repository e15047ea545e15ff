import type { OperationReplay } from './operation-replay.js';

/**
 * The operations whose end has not come yet. Those whose process died are never closed, and pile up: when there are
 * too many, or what is kept of their entries is too large, the oldest are forgotten.
 */
export class OpenOperations {
  readonly #open: Map<string, Open> = new Map();
  #chars: number = 0;
  #forgotten: number = 0;

  /** Those without an end, forgotten or not. */
  get unfinished(): number {
    return this.#forgotten + this.#open.size;
  }

  get(operation: string): OperationReplay | undefined {
    return this.#open.get(operation)?.replay;
  }

  begin(operation: string, replay: OperationReplay): void {
    this.end(operation);
    this.#open.set(operation, { replay, chars: 0 });
  }

  /** An entry that is kept as long as its operation is open. */
  keep(operation: string, entry: object): void {
    const open = this.#open.get(operation);
    if (open === undefined) return;
    const chars = charsOf(entry);
    open.chars += chars;
    this.#chars += chars;
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN && this.#chars <= MOST_CHARS) break;
      this.end(oldest);
      this.#forgotten += 1;
    }
  }

  end(operation: string): void {
    this.#chars -= this.#open.get(operation)?.chars ?? 0;
    this.#open.delete(operation);
  }
}

interface Open {
  readonly replay: OperationReplay;
  chars: number;
}

/** About how much memory it takes. An entry from a file is no deeper than a few levels. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce((sum, [name, part]) => sum + name.length + charsOf(part), 1);
}

// Far more than a client lets wait, and their entries have a thousand characters each.
const MOST_OPEN = 100_000;
const MOST_CHARS = 64_000_000;
