import { JournalReader } from '../journal/journal-report.js';
import type { ReportBook } from '../journal/journal-report.js';
import { entriesIn, readingOf } from '../journal/read-journal.js';
import type { JournalReading } from '../journal/read-journal.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { closeAll, openAll } from './open-all.js';

/**
 * Reads a journal file and those that it was rotated into, oldest first: `path.2`, `path.1`, `path`. All are
 * opened before the first is read, so none is missed when they are rotated meanwhile; what is written once it has
 * begun is not read. To be iterated once. As `readJournal` it reads as far as it goes and reports what it passed
 * over.
 * @throws (from the first step) what the platform says, where there is no such file
 */
export function readJournalFile(path: string): JournalReading {
  return readingOf((book) => entriesOf(path, book));
}

async function* entriesOf(path: string, book: ReportBook): AsyncGenerator<JournalEntry> {
  const files = await openAll(path);
  try {
    for (const { name, handle, size } of [...files].reverse()) {
      if (size === 0) continue;
      const end = size === undefined ? {} : { end: size - 1 };
      yield* entriesIn(handle.createReadStream({ autoClose: false, ...end }), new JournalReader(book, name));
    }
  } finally {
    await closeAll(files);
  }
}
