import type { JournalReport } from '../journal/journal-report.js';
import { readJournal } from '../journal/read-journal.js';
import type { JournalReading } from '../journal/read-journal.js';
import { readJournalFile } from '../node/read-journal-file.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { UsageError } from './command-line.js';
import { failureText } from './failure-text.js';
import type { Terminal } from './terminal.js';

/** The journal that was asked for: a file with those that it was rotated into, or `-` for standard input. */
export class JournalSource implements AsyncIterable<JournalEntry> {
  readonly #path: string;
  readonly #reading: JournalReading;
  #isEmpty: boolean = true;

  constructor(path: string, { stdin }: Terminal) {
    this.#path = path;
    this.#reading = path === '-' ? readJournal(stdin) : readJournalFile(path);
  }

  /** What was passed over so far. */
  get report(): JournalReport {
    return this.#reading;
  }

  /** @throws UsageError for a file that cannot be read, or in which no line is an entry */
  async *[Symbol.asyncIterator](): AsyncGenerator<JournalEntry> {
    try {
      for await (const entry of this.#reading) {
        this.#isEmpty = false;
        yield entry;
      }
    } catch (error) {
      throw new UsageError(`cannot read ${this.#path}: ${failureText(error)}`);
    }
    const [first] = this.report.unreadableAt;
    if (this.#isEmpty && first !== undefined)
      throw new UsageError(`${this.#path} is no journal: line ${first.line} is ${first.because}`);
  }
}
