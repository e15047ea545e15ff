import { boundedText } from '../hint/bounded-text.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { countText, instantText, offsetText } from './amount-text.js';
import type { GateLines } from './gate-log.js';
import { clientIn, gateKey, storyLineOf, withOperation } from './story-line.js';
import type { StoryLine } from './story-line.js';

/** One operation as far as it has been read. */
export class Story {
  readonly operation: string;
  /** Of its first entry. */
  readonly place: number;
  readonly #atEpochMs: number;
  readonly #monoMs: number;
  readonly #beginning: 'opened' | 'missing';
  readonly #lines: StoryLine[] = [];
  readonly #gates: Set<string> = new Set();
  #leftOut: number = 0;

  constructor(operation: string, first: JournalEntry, place: number) {
    this.operation = operation;
    this.place = place;
    this.#atEpochMs = first.atEpochMs;
    this.#monoMs = first.monoMs;
    this.#beginning = first.event === 'operation-opened' ? 'opened' : 'missing';
  }

  /** The labels of the gates that it has to do with. */
  get gates(): ReadonlySet<string> {
    return this.#gates;
  }

  /** How many lines it keeps. */
  get size(): number {
    return this.#lines.length;
  }

  /** Gives the gates that are new with it. */
  add(entry: JournalEntry, place: number): readonly string[] {
    if (this.#lines.length < MOST_LINES) this.#lines.push(storyLineOf(entry, place));
    else this.#leftOut += 1;
    const found = gatesOf(entry).filter((gate) => !this.#gates.has(gate));
    const added = found.slice(0, MOST_GATES - this.#gates.size);
    for (const gate of added) this.#gates.add(gate);
    return added;
  }

  /** Its own lines and those of its gates, in one order. */
  text(ofGates: GateLines, ending: 'over' | 'unfinished'): string {
    const shown = [...ofGates.lines].sort(byPlace).slice(-MOST_LINES);
    const told = [...this.#lines, ...shown].sort(byPlace);
    const leftOut = this.#leftOut + ofGates.leftOut + ofGates.lines.length - shown.length;
    return [
      `Operation ${boundedText(this.operation)}, from ${instantText(this.#atEpochMs)}`,
      ...(this.#beginning === 'opened' ? [] : [BEGUN_BEFORE]),
      ...told.map((line) => `${offsetText(line.monoMs - this.#monoMs)}  ${this.#sentence(line)}`),
      ...(leftOut > 0 ? [`${INDENT}(${countText(leftOut, 'more entry', 'more entries')})`] : []),
      ...(ending === 'over' ? [] : [NOT_ENDED]),
      '\n',
    ].join('\n');
  }

  #sentence({ sentence, operation }: StoryLine): string {
    return withOperation(sentence, operation === this.operation ? undefined : operation);
  }
}

// An event that is not known here may have anything under these names.
function gatesOf(entry: JournalEntry): readonly string[] {
  const { scopes, gates, gate }: Readonly<Record<string, unknown>> = { ...entry };
  const labels = [scopes, gates, [gate]].flat().filter((label) => typeof label === 'string');
  const client = clientIn(entry);
  return [...new Set(labels.slice(0, MOST_GATES).map((label) => gateKey(client, label)))];
}

function byPlace(one: StoryLine, other: StoryLine): number {
  return one.place - other.place;
}

// An operation of four exchanges writes about thirty entries, and has a few gates.
const MOST_LINES = 200;
const MOST_GATES = 20;

const INDENT = ' '.repeat(13);
const BEGUN_BEFORE = `${INDENT}(its beginning is not in the record)`;
const NOT_ENDED = `${INDENT}(its end is not in the record)`;
