import type { JournalEntry } from '../operation/journal-entry.js';
import type { EventName, Sentences } from './sentences.js';
import { GATE_SENTENCES } from './gate-sentences.js';
import { hasShape, isRecord } from './has-shape.js';
import { oneLine } from './one-line.js';
import { OPERATION_SENTENCES } from './operation-sentences.js';

/**
 * One line of plain English for any entry: what happened, and the journal's own words for why. Without time,
 * number and operation: those are the entry's own. An event that it does not know, or one whose fields are not
 * what they should be, is told by its fields. Never throws, whatever it is given; one line of 500 characters at
 * most.
 */
export function sentenceOf(entry: JournalEntry): string {
  return tried(() => sentenceFrom(entry)) ?? 'An entry that cannot be read.';
}

function sentenceFrom(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  // Read once: what a getter or a proxy says now it need not say again.
  const fields = { ...entry };
  const { event } = fields;
  return typeof event === 'string'
    ? oneLine(ownSentence(event, fields) ?? fieldsOf(event, fields))
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function ownSentence(event: string, fields: Fields): string | undefined {
  if (!Object.hasOwn(SENTENCES, event) || !hasShape(fields)) return undefined;
  // Each function takes the entry of its own event, which the compiler cannot follow through a look-up.
  const tell = SENTENCES[event as EventName] as (entry: unknown) => string;
  // A number of the right type may be an instant that no Date can hold.
  return tried(() => tell(fields));
}

function tried(tell: () => string | undefined): string | undefined {
  try {
    return tell();
  } catch {
    return undefined;
  }
}

const SENTENCES: Sentences<EventName> = { ...OPERATION_SENTENCES, ...GATE_SENTENCES };

const STAMP = new Set(['v', 'n', 'atEpochMs', 'monoMs', 'operation', 'dropped', 'event']);

function fieldsOf(event: string, fields: Fields): string {
  const names = Object.keys(fields).filter((name) => !STAMP.has(name));
  const told = names.slice(0, MOST_FIELDS).map((name) => `${name} ${valueText(fields[name])}`);
  return `${event}${told.length > 0 ? `: ${told.join(', ')}` : ''}.`;
}

// More than fit into a sentence.
const MOST_FIELDS = 200;

function valueText(value: unknown): string {
  return isPlain(value) ? String(value) : '...';
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
