import { call, checkOptions, checkValue, count } from '../journal/check-options.js';
import { quietly } from '../journal/quietly.js';
import { droppedLine } from '../journal/read-line.js';
import type { JournalListener } from '../operation/journal-entry.js';
import { claimPath } from './claim-path.js';
import { RotatingFile } from './rotating-file.js';
import { WriteQueue } from './write-queue.js';

/**
 * Appends entries to a file as NDJSON, one a line, and lets it rotate: `path.1` is the one before. Writing
 * never holds the client up: entries wait in a bounded queue, and what finds no room, or cannot be written, is
 * dropped and counted. A kill tears the last line at most. New files are for their owner alone (mode 0600).
 * One file belongs to one sink of one process, until that is closed.
 * @throws TypeError for options that it does not know or cannot use, and for a path in use; never for the disk
 */
export function journalFile(path: string, options: JournalFileOptions = {}): JournalFile {
  checkValue('the path of journalFile', path, {
    expected: 'a path',
    fits: (value) => typeof value === 'string' && value !== '',
  });
  checkOptions('journalFile', options, RULES);
  const { place, release } = claimPath(path);
  const { maxFileBytes = 10 * MIB, maxOldFiles = 4, maxQueuedBytes = 8 * MIB, onError = warn } = options;
  const file = new RotatingFile(place, { maxFileBytes, maxOldFiles });
  const queue = new WriteQueue(
    {
      append: (text) => file.append(text),
      gapLine: droppedLine,
      onFailure: (error) => {
        quietly(() => onError(error as Error)); // of node:fs
      },
    },
    { maxQueuedBytes, maxBatchBytes: Math.min(MIB, maxFileBytes) },
  );
  let closed = false;
  let late = 0;
  return {
    onEntry: (entry) => {
      const line = lineOf(entry);
      if (closed) late += 1;
      else if (line === undefined) queue.drop();
      else queue.push(line);
    },
    get dropped(): number {
      return queue.dropped + late;
    },
    flush: () => queue.flush(),
    close: async () => {
      const isFirst = !closed;
      closed = true;
      await queue.flush();
      if (isFirst) release();
    },
  };
}

/** A journal on disk. */
export interface JournalFile {
  readonly onEntry: JournalListener;
  /** How many entries are not whole in the file: no room in the queue, a failed write, no JSON, or closed. */
  readonly dropped: number;
  /** Settles when all entries so far are handed to the operating system, or dropped. Never rejects. */
  flush(): Promise<void>;
  /** The same; later entries are dropped. */
  close(): Promise<void>;
}

/** How much is kept, in bytes and files, and who hears of failures. */
export interface JournalFileOptions {
  /** A file that would grow above this is rotated first. @default 10,485,760 (10 MiB) */
  readonly maxFileBytes?: number | undefined;
  /** How many files there may be beside the current one; the oldest goes. @default 4 */
  readonly maxOldFiles?: number | undefined;
  /** What may wait for the disk. @default 8,388,608 (8 MiB) */
  readonly maxQueuedBytes?: number | undefined;
  /**
   * Hears what the platform says when a write fails: once, until one succeeds again. What it throws, or rejects with, is
   * dropped.
   * @default console.warn
   */
  readonly onError?: ((error: Error) => void) | undefined;
}

const MIB = 1_048_576;

const RULES = { maxFileBytes: count, maxOldFiles: count, maxQueuedBytes: count, onError: call };

// The client's own entries are JSON; another hand may give a cycle, a BigInt, or nothing.
function lineOf(entry: unknown): string | undefined {
  try {
    return JSON.stringify(entry);
  } catch {
    return undefined;
  }
}

function warn(error: Error): void {
  // eslint-disable-next-line no-console -- nobody else was named to hear of it
  console.warn(`axios-heed: the journal file cannot be written, entries are dropped: ${error.message}`);
}
