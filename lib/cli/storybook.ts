import { sentenceOf } from '../journal/sentence-of.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { instantText } from './amount-text.js';
import { GateLog } from './gate-log.js';
import { Story } from './story.js';
import { clientIn, gateKey, keptKey, storyLineOf, withOperation } from './story-line.js';

/** Sorts a journal into the stories of its operations. Keeps the open ones only. */
export class Storybook {
  readonly #only: string | undefined;
  readonly #open: Map<string, Story> = new Map();
  readonly #gates: GateLog = new GateLog();
  /** Lines, and labels of gates, that open stories keep. */
  #size: number = 0;
  #labels: number = 0;
  #place: number = 0;

  /** @param only the one operation to tell of; by default all */
  constructor(only?: string) {
    this.#only = only;
  }

  /** What can be told with this entry: stories that are over, and what belongs to none. */
  read(entry: JournalEntry): readonly string[] {
    this.#place += 1;
    if (entry.event.startsWith('gate-')) return this.#readGate(entry);
    if (entry.operation === undefined || (this.#only ?? entry.operation) !== entry.operation) return [];
    const operation = keptKey(entry.operation);
    if (entry.event === 'operation-opened')
      return [...this.#reopened(operation), ...this.#add(operation, entry)];
    // The application's own word may come long after the end.
    if (entry.event === 'concluded' && !this.#open.has(operation)) return [lone(entry)];
    const told = this.#add(operation, entry);
    return entry.event === 'operation-closed' ? [...told, ...this.#tell(operation, 'over')] : told;
  }

  /** Those whose end is not in the record. */
  *end(): Generator<string> {
    for (const operation of this.#open.keys()) yield* this.#tell(operation, 'unfinished');
  }

  #add(operation: string, entry: JournalEntry): readonly string[] {
    const story = this.#open.get(operation) ?? new Story(operation, entry, this.#place);
    this.#open.set(operation, story);
    const before = story.size;
    const gates = story.add(entry, this.#place);
    for (const gate of gates) this.#gates.watch(gate, story);
    this.#size += story.size - before;
    this.#labels += gates.length;
    return this.#relieved();
  }

  #readGate(entry: JournalEntry): readonly string[] {
    const { gate: label }: Readonly<Record<string, unknown>> = { ...entry };
    const gate = gateKey(clientIn(entry), typeof label === 'string' ? label : '');
    if (!this.#gates.isWatched(gate)) return this.#only === undefined ? [lone(entry)] : [];
    this.#gates.add(gate, storyLineOf(entry, this.#place));
    return this.#relieved();
  }

  /** An id that is opened anew is another operation. */
  #reopened(operation: string): readonly string[] {
    return this.#open.has(operation) ? this.#tell(operation, 'unfinished') : [];
  }

  /** Operations whose process died are never closed: when too much is kept, the oldest story is told. */
  #relieved(): readonly string[] {
    const told: string[] = [];
    for (const operation of this.#open.keys()) {
      if (this.#size + this.#gates.size <= MOST_LINES && this.#labels <= MOST_LABELS) break;
      told.push(...this.#tell(operation, 'unfinished'));
    }
    return told;
  }

  #tell(operation: string, ending: 'over' | 'unfinished'): readonly string[] {
    const story = this.#open.get(operation);
    if (story === undefined) return [];
    const text = story.text(this.#gates.of(story), ending);
    this.#open.delete(operation);
    this.#gates.unwatch(story);
    this.#size -= story.size;
    this.#labels -= story.gates.size;
    return [text];
  }
}

function lone(entry: JournalEntry): string {
  const { atEpochMs, operation } = entry;
  return `${instantText(atEpochMs)}  ${withOperation(sentenceOf(entry), operation)}\n\n`;
}

// Some 60 MB each when all are as long as they may be.
const MOST_LINES = 100_000;
const MOST_LABELS = 300_000;
