import type { JournalEntry } from '../operation/journal-entry.js';
import { checkValue } from './check-options.js';
import type { Rule } from './check-options.js';
import { JournalReader, ReportBook } from './journal-report.js';
import type { JournalReport } from './journal-report.js';

/**
 * Reads a journal in NDJSON, from its text or its lines, as far as it can be read: a line that is broken off, or
 * is no entry, is counted and passed over. What is in the text makes it neither throw nor hang. Entries whose
 * event is not known here are kept if their stamp is sound.
 * @throws TypeError for what is neither a text nor its lines; what an iterable throws itself comes through
 * @see readJournal for what is too large to be held at once
 */
export function parseJournal(source: string | Iterable<string>): ParsedJournal {
  checkValue('the source of parseJournal', source, {
    expected: 'a text or its lines',
    fits: (value) => typeof value === 'string' || hasIterator(value),
  });
  const book = new ReportBook();
  const reader = new JournalReader(book);
  const entries: JournalEntry[] = [];
  for (const chunk of typeof source === 'string' ? [source] : ended(source)) {
    for (const entry of reader.push(chunk)) entries.push(entry);
  }
  for (const entry of reader.end()) entries.push(entry);
  const { unreadable, unreadableAt, dropped } = book;
  return { entries, unreadable, unreadableAt, dropped };
}

/** What was read, and what was not. */
export interface ParsedJournal extends JournalReport {
  readonly entries: readonly JournalEntry[];
}

/** Lines with their ends, but for the last: it may be broken off. */
function* ended(lines: Iterable<string>): Generator<string> {
  let before: string | undefined;
  for (const line of lines) {
    checkValue('the lines of parseJournal', line, TEXTS);
    if (before !== undefined) yield before.endsWith('\n') ? before : `${before}\n`;
    before = line;
  }
  if (before !== undefined) yield before;
}

function hasIterator(value: unknown): boolean {
  return typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
}

const TEXTS: Rule = { expected: 'texts', fits: (value) => typeof value === 'string' };
