import type { JournalEntry } from '../operation/journal-entry.js';
import { hasShape, isRecord } from './has-shape.js';

/** What one line of a journal file is. Never throws, whatever the line. */
export function readLine(line: string): LineReading {
  // trim() takes a byte order mark off as well.
  const text = line.trim();
  if (text === '') return { kind: 'blank' };
  const value = parsed(text);
  if (value === undefined) return { kind: 'unreadable', because: 'not-json' };
  if (!isRecord(value) || !isShallow(value, MOST_DEPTH)) return NOT_AN_ENTRY;
  if (value['v'] !== 1) {
    return typeof value['v'] === 'number' ? { kind: 'unreadable', because: 'unknown-version' } : NOT_AN_ENTRY;
  }
  if (value['event'] === DROPPED) return droppedOf(value['dropped']);
  return isEntry(value) ? { kind: 'entry', entry: value } : NOT_AN_ENTRY;
}

export type LineReading =
  | { readonly kind: 'entry'; readonly entry: JournalEntry }
  /** The writer could not keep up, or could not write: so many entries are missing here. */
  | { readonly kind: 'dropped'; readonly entries: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'unreadable'; readonly because: Exclude<UnreadableReason, 'torn' | 'too-long'> };

/**
 * `torn`: the last line, broken off; `not-json`; `not-an-entry`: JSON, but not the fields of an entry, or not
 * their types; `unknown-version`: of a schema that is not known here; `too-long`.
 */
export type UnreadableReason = 'torn' | 'not-json' | 'not-an-entry' | 'unknown-version' | 'too-long';

/** The line with which a writer tells how many entries are missing. */
export function droppedLine(entries: number): string {
  return JSON.stringify({ v: 1, event: DROPPED, dropped: entries });
}

const DROPPED = 'entries-dropped';
const NOT_AN_ENTRY: LineReading = { kind: 'unreadable', because: 'not-an-entry' };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

// An entry has five levels. Readers walk through what they are given, and a thousandfold nest ends their stack.
const MOST_DEPTH = 10;

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1));
}

function droppedOf(entries: unknown): LineReading {
  return isCount(entries) ? { kind: 'dropped', entries } : NOT_AN_ENTRY;
}

function isEntry(value: Readonly<Record<string, unknown>>): value is JournalEntry & typeof value {
  const { n, atEpochMs, monoMs, operation } = value;
  return (
    isCount(n) &&
    isInstant(atEpochMs) &&
    typeof monoMs === 'number' &&
    (operation === undefined || typeof operation === 'string') &&
    hasShape(value)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

// What a Date can hold, ECMA-262 21.4.1.1.
function isInstant(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15;
}
