import type { JournalEntry } from '../operation/journal-entry.js';
import type { EventName, Sentences } from './sentences.js';
import { GATE_SENTENCES } from './gate-sentences.js';
import { oneLine } from './one-line.js';
import { OPERATION_SENTENCES } from './operation-sentences.js';

/**
 * One line of plain English for any entry: what happened, and the journal's own words for why. Without time,
 * number and operation: those are the entry's own. An event that it does not know, or one whose fields are not
 * what they should be, is told by its fields. Never throws; one line whatever is in the entry, 500 characters
 * at most.
 */
export function sentenceOf(entry: JournalEntry): string {
  const { event } = entry;
  let sentence: string | undefined;
  try {
    // Each function takes the entry of its own event, which the compiler cannot follow through a look-up.
    if (Object.hasOwn(SENTENCES, event))
      sentence = (SENTENCES[event] as (entry: JournalEntry) => string)(entry);
  } catch {
    // From a file by another hand: told below.
  }
  return oneLine(sentence ?? fieldsOf(entry));
}

const SENTENCES: Sentences<EventName> = { ...OPERATION_SENTENCES, ...GATE_SENTENCES };

const STAMP = new Set(['v', 'n', 'atEpochMs', 'monoMs', 'operation', 'dropped', 'event']);

function fieldsOf(entry: JournalEntry): string {
  const fields = Object.entries(entry).filter(([name]) => !STAMP.has(name));
  const told = fields.map(([name, value]) => `${name} ${isPlain(value) ? String(value) : '...'}`);
  return `${entry.event}${told.length > 0 ? `: ${told.join(', ')}` : ''}.`;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
