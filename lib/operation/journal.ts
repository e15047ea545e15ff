import type { EntryStamp, JournalEntry, OperationEvent } from './journal-entry.js';
import type { JournalStream } from './journal-stream.js';

/** What an operation's journal is about. */
export interface JournalSubject {
  opened(): OperationEvent;
  /** Told of each entry after the first. */
  hear?(event: OperationEvent): void;
}

/** The entries of one operation, oldest first; the middle is dropped when there are too many. */
export class Journal {
  readonly operation: string;
  readonly #stream: JournalStream;
  readonly #subject: JournalSubject;
  // The first entry is made when somebody reads it: of a hundred thousand that wait, nobody may ever. Until
  // then it is three numbers; an object for them would be another 0.1 kB.
  #openedN: number | undefined;
  #openedEpochMs: number = 0;
  #openedMonoMs: number = 0;
  #entries: readonly JournalEntry[] = [];
  #dropped: number = 0;

  constructor(operation: string, stream: JournalStream, subject: JournalSubject) {
    this.operation = operation;
    this.#stream = stream;
    this.#subject = subject;
  }

  open(): void {
    if (this.#stream.isHeard) {
      this.write(this.#subject.opened());
      return;
    }
    const { n, atEpochMs, monoMs } = this.#stream.stamp();
    this.#openedN = n;
    this.#openedEpochMs = atEpochMs;
    this.#openedMonoMs = monoMs;
  }

  /** Makes the first entry, of the operation as it now is. */
  settle(): void {
    const n = this.#openedN;
    if (n === undefined) return;
    const stamp: EntryStamp = { v: 1, n, atEpochMs: this.#openedEpochMs, monoMs: this.#openedMonoMs };
    const { operation } = this;
    this.#entries = [{ ...stamp, operation, ...this.#subject.opened() }, ...this.#entries];
    this.#openedN = undefined;
  }

  write(event: OperationEvent): void {
    const entry = this.#stream.write(event, this.operation);
    this.#subject.hear?.(event);
    // A copy of its exact size: pushed to or spread, an array keeps room for seventeen, and most operations only wait.
    if (this.#entries.length < MOST_ENTRIES) this.#entries = this.#entries.concat(entry);
    else this.#replaceOne(entry);
  }

  /** With what happened meanwhile at the gates that it waited at, as far as the client remembers that. */
  entries(): readonly JournalEntry[] {
    this.settle();
    const dropped = this.#dropped;
    const own =
      dropped === 0
        ? this.#entries
        : this.#entries.map((entry, at) => (at === GAP ? { ...entry, dropped } : entry));
    const ofGates = this.#stream.ofGates.filter(meanwhile(own, this.operation));
    return ofGates.length === 0 ? own : [...own, ...ofGates].sort((a, b) => a.n - b.n);
  }

  #replaceOne(entry: JournalEntry): void {
    this.settle();
    const kept = this.#entries;
    const surplus = kept.length + 1 - MOST_ENTRIES;
    this.#dropped += surplus;
    this.#entries = [...kept.slice(0, GAP), ...kept.slice(GAP + surplus), entry];
  }
}

// An operation of four exchanges writes about thirty; only endless holds or hundreds of exchanges write more.
const MOST_ENTRIES = 200;
const GAP = MOST_ENTRIES / 2;

/** Picks what happened, from the opening to the closing, at the gates that the operation stood at or closed. */
function meanwhile(own: readonly JournalEntry[], operation: string): (entry: JournalEntry) => boolean {
  const gates = new Set(own.map(gateOf));
  const first = own[0]?.n ?? 0;
  const last = own.find(({ event }) => event === 'operation-closed')?.n ?? Number.MAX_SAFE_INTEGER;
  return (entry) => {
    const isMeant = entry.operation === operation || gates.has(gateOf(entry));
    return isMeant && entry.n > first && entry.n < last;
  };
}

function gateOf(entry: JournalEntry): string | undefined {
  return 'gate' in entry ? entry.gate : undefined;
}
