import { open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { JournalReader } from '../journal/journal-report.js';
import type { ReportBook } from '../journal/journal-report.js';
import { entriesIn, readingOf } from '../journal/read-journal.js';
import type { JournalReading } from '../journal/read-journal.js';
import type { JournalEntry } from '../operation/journal-entry.js';

/**
 * Reads a journal file and those that it was rotated into, oldest first: `path.2`, `path.1`, `path`. What is
 * written once it has begun is not read. To be iterated once. As `readJournal` it reads as far as it goes and
 * reports what it passed over.
 * @throws (from the first step) what the platform says, where there is no such file
 */
export function readJournalFile(path: string): JournalReading {
  return readingOf((book) => entriesOf(path, book));
}

async function* entriesOf(path: string, book: ReportBook): AsyncGenerator<JournalEntry> {
  const files: OpenFile[] = [];
  try {
    // All before the first is read, and the newest first: when they are rotated meanwhile, none is missed.
    const old = await oldNamesOf(path);
    if (old.length === 0) await openInto(files, path);
    else for (const name of [path, ...old]) await openInto(files, name).catch(unlessMissing);
    for (const { name, handle, size } of files.reverse()) {
      if (size === 0) continue;
      const end = size === undefined ? {} : { end: size - 1 };
      yield* entriesIn(handle.createReadStream({ autoClose: false, ...end }), new JournalReader(book, name));
    }
  } finally {
    for (const { handle } of files) await handle.close();
  }
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly inode: number;
  /** When it was opened; what is no regular file, such as a pipe, has none. */
  readonly size: number | undefined;
}

// The newest of them first.
async function oldNamesOf(path: string): Promise<readonly string[]> {
  const stem = `${basename(path)}.`;
  const ends = (await readdir(dirname(path)))
    .filter((name) => name.startsWith(stem))
    .map((name) => name.slice(stem.length))
    .filter((end) => /^[1-9]\d{0,8}$/.test(end));
  return ends.sort((one, other) => Number(one) - Number(other)).map((end) => `${path}.${end}`);
}

async function openInto(files: OpenFile[], name: string): Promise<void> {
  const handle = await open(name, 'r');
  const stats = await handle.stat();
  // Rotated while they were opened: it is there already, under its former name.
  if (files.some(({ inode }) => inode === stats.ino)) await handle.close();
  else files.push({ name, handle, inode: stats.ino, size: stats.isFile() ? stats.size : undefined });
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
