import { call, checkOptions, checkValue, count } from '../journal/check-options.js';
import { droppedLine } from '../journal/read-line.js';
import type { JournalListener } from '../operation/journal-entry.js';
import { RotatingFile } from './rotating-file.js';
import { WriteQueue } from './write-queue.js';

/**
 * Appends entries to a file as NDJSON, one a line, and lets it rotate: `path.1` is the one before. Writing
 * never holds the client up: entries wait in a bounded queue, and what finds no room, or cannot be written, is
 * dropped and counted. A kill tears the last line at most. New files are for their owner alone (mode 0600).
 * One file belongs to one process.
 * @throws TypeError for options that it does not know or cannot use; never for the disk
 */
export function journalFile(path: string, options: JournalFileOptions = {}): JournalFile {
  checkValue('the path of journalFile', path, {
    expected: 'a path',
    fits: (value) => typeof value === 'string' && value !== '',
  });
  checkOptions('journalFile', options, RULES);
  const { maxFileBytes = 10 * MIB, maxOldFiles = 4, maxQueuedBytes = 8 * MIB, onError = warn } = options;
  const file = new RotatingFile(path, { maxFileBytes, maxOldFiles });
  const queue = new WriteQueue(
    { append: (text) => file.append(text), gapLine: droppedLine, onFailure: (error) => tell(onError, error) },
    { maxQueuedBytes, maxBatchBytes: Math.min(MIB, maxFileBytes) },
  );
  let closed = false;
  let late = 0;
  return {
    onEntry: (entry) => {
      if (closed) late += 1;
      else queue.push(JSON.stringify(entry));
    },
    get dropped(): number {
      return queue.dropped + late;
    },
    flush: () => queue.flush(),
    close: () => {
      closed = true;
      return queue.flush();
    },
  };
}

export interface JournalFile {
  readonly onEntry: JournalListener;
  /** How many entries are not in the file: no room in the queue, a failed write, or closed. */
  readonly dropped: number;
  /** Settles when all entries so far are handed to the operating system, or dropped. Never rejects. */
  flush(): Promise<void>;
  /** The same; later entries are dropped. */
  close(): Promise<void>;
}

export interface JournalFileOptions {
  /** A file that would grow above this is rotated first. @default 10,485,760 (10 MiB) */
  readonly maxFileBytes?: number | undefined;
  /** How many files there may be beside the current one; the oldest goes. @default 4 */
  readonly maxOldFiles?: number | undefined;
  /** What may wait for the disk. @default 8,388,608 (8 MiB) */
  readonly maxQueuedBytes?: number | undefined;
  /**
   * Hears what the platform says when a write fails: once, until one succeeds again. What it throws is dropped.
   * @default console.warn
   */
  readonly onError?: ((error: Error) => void) | undefined;
}

const MIB = 1_048_576;

const RULES = { maxFileBytes: count, maxOldFiles: count, maxQueuedBytes: count, onError: call };

function tell(onError: (error: Error) => void, error: unknown): void {
  try {
    onError(error as Error); // of node:fs
  } catch {
    // A client must not suffer from how its journal is told about.
  }
}

function warn(error: Error): void {
  // eslint-disable-next-line no-console -- nobody else was named to hear of it
  console.warn(`axios-heed: the journal file cannot be written, entries are dropped: ${error.message}`);
}
