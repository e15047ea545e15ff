import type { GateNote } from '../gate/gate-note.js';
import type { Clock } from '../time/clock.js';
import type {
  EntryStamp,
  GateEvent,
  JournalEntry,
  JournalListener,
  OperationEvent,
} from './journal-entry.js';

/**
 * All entries of one client in one order. Operations keep their own; of what the gates have to say the last
 * is kept here, for whoever wants to know what it was that an operation waited for.
 */
export class JournalStream {
  readonly #clock: Clock;
  /** Never throws: an observer must not change what it observes. */
  readonly #listener: JournalListener | undefined;
  readonly #client: string;
  readonly #ofGates: JournalEntry[] = [];
  #n: number = 0;

  /** @param client its name, with which the names of its operations begin */
  constructor(client: string, clock: Clock, listener: JournalListener | undefined) {
    this.#client = client;
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Somebody listens, and is told of every entry at once. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  /** What is remembered of the gates, oldest first. */
  get ofGates(): readonly JournalEntry[] {
    return this.#ofGates;
  }

  /** The number and time of an entry that is made later. */
  stamp(operation?: string): EntryStamp {
    this.#n += 1;
    const n = this.#n;
    const [atEpochMs, monoMs] = [this.#clock.wallEpochMs(), this.#clock.monoMs()];
    return operation === undefined
      ? { v: 1, n, atEpochMs, monoMs }
      : { v: 1, n, atEpochMs, monoMs, operation };
  }

  write(event: OperationEvent | GateEvent, operation?: string): JournalEntry {
    // Assigned, not spread: a chain of spreads gives every entry a hidden class of its own, 0.4 kB each.
    const entry: JournalEntry = Object.assign(this.stamp(operation), event);
    this.#listener?.(entry);
    return entry;
  }

  note({ event, atMonoMs, operation, ...facts }: GateNote): void {
    // Whole ms, rounded up: as a Date a fraction would be cut off, and the gate still closed then.
    const wallOf = (instant: number): number => Math.ceil(this.#clock.wallEpochMs() + instant - atMonoMs);
    const until = 'untilMonoMs' in facts ? { untilEpochMs: wallOf(facts.untilMonoMs) } : {};
    const entry = this.write(
      { event: `gate-${event}`, client: this.#client, ...facts, ...until } as GateEvent,
      operation,
    );
    // Refusals stand in the journals of those who were refused, and nobody waits at a gate that is forgotten:
    // a crowd of either must not drive out what the others are waiting for.
    if (event === 'refused' || event === 'evicted') return;
    this.#ofGates.push(entry);
    if (this.#ofGates.length > MOST_OF_GATES) this.#ofGates.shift();
  }
}

// With the 200 that an operation keeps of its own, its journal has 500 entries at the most.
const MOST_OF_GATES = 300;
