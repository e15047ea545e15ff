import { boundedText } from '../hint/bounded-text.js';
import { sentenceOf } from '../journal/sentence-of.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { countText, instantText, offsetText } from './amount-text.js';

/** An entry with its place in the file, which is the order of what happened, also of several clients. */
export interface PlacedEntry {
  readonly place: number;
  readonly entry: JournalEntry;
}

/** One operation as far as it has been read. */
export class Story {
  readonly operation: string;
  readonly #first: PlacedEntry;
  readonly #entries: PlacedEntry[] = [];
  readonly #gates: Set<string> = new Set();
  #leftOut: number = 0;

  constructor(operation: string, first: PlacedEntry) {
    this.operation = operation;
    this.#first = first;
  }

  /** The labels of the gates that it has to do with. */
  get gates(): ReadonlySet<string> {
    return this.#gates;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Gives the gates that are new with it. */
  add(placed: PlacedEntry): readonly string[] {
    if (this.size < MOST_ENTRIES) this.#entries.push(placed);
    else this.#leftOut += 1;
    const found = gatesOf(placed.entry).filter((gate) => !this.#gates.has(gate));
    const added = found.slice(0, MOST_GATES - this.#gates.size);
    for (const gate of added) this.#gates.add(gate);
    return added;
  }

  /** Its own entries and those of its gates, in one order. */
  text(ofGates: readonly PlacedEntry[], ending: 'over' | 'unfinished'): string {
    const { place, entry: first } = this.#first;
    const during = ofGates.filter((placed) => placed.place > place);
    const shown = during.slice(-MOST_ENTRIES);
    const told = [...this.#entries, ...shown].sort((a, b) => a.place - b.place);
    const leftOut = this.#leftOut + during.length - shown.length;
    return [
      `Operation ${boundedText(this.operation)}, from ${instantText(first.atEpochMs)}`,
      ...(first.event === 'operation-opened' ? [] : [BEGUN_BEFORE]),
      ...told.map(({ entry }) => `${offsetText(entry.monoMs - first.monoMs)}  ${this.#sentence(entry)}`),
      ...(leftOut > 0 ? [`${INDENT}(${countText(leftOut, 'more entry', 'more entries')})`] : []),
      ...(ending === 'over' ? [] : [NOT_ENDED]),
      '\n',
    ].join('\n');
  }

  #sentence(entry: JournalEntry): string {
    const { operation } = entry;
    const isOwn = operation === undefined || operation === this.operation;
    return isOwn ? sentenceOf(entry) : `${sentenceOf(entry)} (operation ${boundedText(operation)})`;
  }
}

// An event that is not known here may have anything under these names.
function gatesOf(entry: JournalEntry): readonly string[] {
  const { scopes, gates, gate }: Readonly<Record<string, unknown>> = { ...entry };
  return [scopes, gates, [gate]].flat().filter((label) => typeof label === 'string');
}

// An operation of four exchanges writes about thirty entries, and has a few gates.
const MOST_ENTRIES = 200;
const MOST_GATES = 20;

const INDENT = ' '.repeat(13);
const BEGUN_BEFORE = `${INDENT}(its beginning is not in the record)`;
const NOT_ENDED = `${INDENT}(its end is not in the record)`;
