import { boundedText } from '../hint/bounded-text.js';
import { sentenceOf } from '../journal/sentence-of.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { instantText } from './amount-text.js';
import { GateLog } from './gate-log.js';
import { Story } from './story.js';

/** Sorts a journal into the stories of its operations. Keeps the open ones only. */
export class Storybook {
  readonly #only: string | undefined;
  readonly #open: Map<string, Story> = new Map();
  readonly #gates: GateLog = new GateLog();
  #size: number = 0;
  #place: number = 0;

  /** @param only the one operation to tell of; by default all */
  constructor(only?: string) {
    this.#only = only;
  }

  /** What can be told with this entry: stories that are over, and what belongs to none. */
  read(entry: JournalEntry): readonly string[] {
    this.#place += 1;
    if (entry.event.startsWith('gate-')) return this.#readGate(entry);
    const { operation } = entry;
    if (operation === undefined || (this.#only ?? operation) !== operation) return [];
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
    const placed = { place: this.#place, entry };
    const story = this.#open.get(operation) ?? new Story(operation, placed);
    this.#open.set(operation, story);
    const before = story.size;
    for (const gate of story.add(placed)) this.#gates.watch(gate);
    this.#size += story.size - before;
    return this.#relieved();
  }

  #readGate(entry: JournalEntry): readonly string[] {
    const gate = 'gate' in entry ? entry.gate : '';
    const kept = this.#gates.add(gate, { place: this.#place, entry });
    if (kept === 'kept') return this.#relieved();
    return this.#only === undefined ? [lone(entry)] : [];
  }

  /** An id that is opened anew is another operation. */
  #reopened(operation: string): readonly string[] {
    return this.#open.has(operation) ? this.#tell(operation, 'unfinished') : [];
  }

  /** Operations whose process died are never closed: when too much is kept, the oldest story is told. */
  #relieved(): readonly string[] {
    const told: string[] = [];
    for (const operation of this.#open.keys()) {
      if (this.#size + this.#gates.size <= MOST_ENTRIES) break;
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
    return [text];
  }
}

function lone(entry: JournalEntry): string {
  const { atEpochMs, operation } = entry;
  const whose = operation === undefined ? '' : ` (operation ${boundedText(operation)})`;
  return `${instantText(atEpochMs)}  ${sentenceOf(entry)}${whose}\n\n`;
}

const MOST_ENTRIES = 100_000;
