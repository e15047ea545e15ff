import type { JournalEntry } from '../operation/journal-entry.js';
import { checkValue } from './check-options.js';
import type { Rule } from './check-options.js';
import { JournalReader, ReportBook } from './journal-report.js';
import type { JournalReport, UnreadableLine } from './journal-report.js';

/**
 * Reads a journal in NDJSON entry by entry while it comes: from a file, a response, a process. It holds one line
 * at a time; a line above a million characters is passed over. Otherwise as `parseJournal`.
 * @throws TypeError for what is not iterable. Reading rejects with one for a chunk that is neither text nor bytes,
 * and with what `chunks` fails with.
 */
export function readJournal(chunks: JournalChunks): JournalReading {
  checkValue('the chunks of readJournal', chunks, {
    expected: 'an iterable of texts or bytes',
    fits: (value) =>
      typeof value === 'object' && value !== null && ITERATORS.some((name) => isMethod(value, name)),
  });
  return readingOf((book) => entriesIn(chunks, new JournalReader(book)));
}

/** A text in pieces, cut anywhere; bytes are UTF-8. */
export type JournalChunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** The entries, to be iterated once, and the report of what was passed over so far. */
export interface JournalReading extends JournalReport, AsyncIterable<JournalEntry> {}

/** @internal */
export function readingOf(read: (book: ReportBook) => AsyncGenerator<JournalEntry>): JournalReading {
  const book = new ReportBook();
  const entries = read(book);
  return {
    [Symbol.asyncIterator]: () => entries,
    get unreadable(): number {
      return book.unreadable;
    },
    get unreadableAt(): readonly UnreadableLine[] {
      return book.unreadableAt;
    },
    get dropped(): number {
      return book.dropped;
    },
  };
}

/** @internal */
export async function* entriesIn(chunks: JournalChunks, reader: JournalReader): AsyncGenerator<JournalEntry> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    checkValue('a chunk of readJournal', chunk, TEXT_OR_BYTES);
    yield* reader.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  yield* reader.push(decoder.decode());
  yield* reader.end();
}

const TEXT_OR_BYTES: Rule = {
  expected: 'text or bytes',
  fits: (value) => typeof value === 'string' || ArrayBuffer.isView(value),
};

const ITERATORS = [Symbol.asyncIterator, Symbol.iterator];

function isMethod(value: object, name: symbol): boolean {
  return typeof (value as Readonly<Record<symbol, unknown>>)[name] === 'function';
}
