import type { JournalEntry } from '../operation/journal-entry.js';
import { LineSplitter } from './line-splitter.js';
import type { Line } from './line-splitter.js';
import { readLine } from './read-line.js';
import type { LineReading, UnreadableReason } from './read-line.js';

/** What was not read of a journal; it grows while that is read, and is complete at its end. */
export interface JournalReport {
  /** How many lines could not be read; blank ones are not counted. */
  readonly unreadable: number;
  /** The first 100 of them. */
  readonly unreadableAt: readonly UnreadableLine[];
  /** How many entries are missing because the writer had to drop them, by its own account. */
  readonly dropped: number;
}

/** Where a line could not be read, and why. */
export interface UnreadableLine {
  /** The file, where a journal has several. */
  readonly file?: string;
  /** From 1, in its file. */
  readonly line: number;
  readonly because: UnreadableReason;
}

/** The report as it grows. */
export class ReportBook implements JournalReport {
  unreadable: number = 0;
  dropped: number = 0;
  readonly unreadableAt: UnreadableLine[] = [];

  note(place: UnreadableLine): void {
    this.unreadable += 1;
    if (this.unreadableAt.length < MOST_PLACES) this.unreadableAt.push(place);
  }
}

const MOST_PLACES = 100;

/** Reads one text of a journal as it comes, and books what cannot be read. */
export class JournalReader {
  readonly #book: ReportBook;
  readonly #file: string | undefined;
  readonly #splitter: LineSplitter = new LineSplitter();
  #line: number = 0;

  constructor(book: ReportBook, file?: string) {
    this.#book = book;
    this.#file = file;
  }

  *push(chunk: string): Generator<JournalEntry> {
    for (const line of this.#splitter.push(chunk)) yield* this.#read(line);
  }

  *end(): Generator<JournalEntry> {
    for (const line of this.#splitter.end()) yield* this.#read(line);
  }

  *#read(line: Line): Generator<JournalEntry> {
    this.#line += 1;
    const reading = readingOf(line);
    if (reading.kind === 'entry') yield reading.entry;
    else if (reading.kind === 'dropped') this.#book.dropped += reading.entries;
    else if (reading.kind === 'unreadable') {
      const file = this.#file === undefined ? {} : { file: this.#file };
      this.#book.note({ ...file, line: this.#line, because: reading.because });
    }
  }
}

type Reading = LineReading | { readonly kind: 'unreadable'; readonly because: UnreadableReason };

function readingOf(line: Line): Reading {
  if (line.kind === 'too-long') return { kind: 'unreadable', because: 'too-long' };
  const reading = readLine(line.text);
  const isTorn = line.kind === 'last' && reading.kind === 'unreadable' && reading.because === 'not-json';
  return isTorn ? { kind: 'unreadable', because: 'torn' } : reading;
}
