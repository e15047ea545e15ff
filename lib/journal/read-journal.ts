import type { JournalEntry } from '../operation/journal-entry.js';
import { checkValue } from './check-options.js';
import { JournalReader, ReportBook } from './journal-report.js';
import type { JournalReport, UnreadableLine } from './journal-report.js';

/**
 * Reads a journal in NDJSON entry by entry while it comes: from a file, a response, a process. It holds one line
 * at a time; a line above a million characters is passed over. Otherwise as `parseJournal`.
 * @throws TypeError for what is not iterable; reading rejects with what `chunks` fails with
 */
export function readJournal(chunks: JournalChunks): JournalReading {
  checkValue('the chunks of readJournal', chunks, {
    expected: 'an iterable of texts or bytes',
    fits: (value) =>
      typeof value === 'object' &&
      value !== null &&
      (Symbol.asyncIterator in value || Symbol.iterator in value),
  });
  return readingOf((book) => entriesIn(chunks, new JournalReader(book)));
}

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
    yield* reader.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  yield* reader.push(decoder.decode());
  yield* reader.end();
}
