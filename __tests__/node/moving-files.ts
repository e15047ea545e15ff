import { renameSync, existsSync, appendFileSync, rmSync } from 'node:fs';
import { entryOf, lineOf } from '../journal/entries';

/**
 * A writer that rotates with each entry, as `journalFile` does, and stops after every single step of it: so a
 * reader can be made to look at any moment.
 */
export class MovingFiles {
  /** The number of the newest entry. */
  newest: number = 0;
  readonly #path: string;
  readonly #maxOldFiles: number;
  readonly #steps: Generator<void>;

  constructor(path: string, maxOldFiles: number) {
    this.#path = path;
    this.#maxOldFiles = maxOldFiles;
    this.#steps = this.#endless();
  }

  /** One rename, or the beginning of one new file. */
  step(): void {
    this.#steps.next();
  }

  /** To the end of a rotation, and so many entries further. */
  write(entries: number): void {
    for (const until = this.newest + entries; this.newest < until;) this.step();
  }

  *#endless(): Generator<void> {
    for (;;) {
      let free = 1;
      while (free < this.#maxOldFiles && existsSync(this.#named(free))) free += 1;
      for (let at = free; at > 0 && existsSync(this.#named(at - 1)); at -= 1) {
        renameSync(this.#named(at - 1), this.#named(at));
        yield;
      }
      this.newest += 1;
      appendFileSync(this.#path, lineOf({ ...entryOf('gate-opened'), n: this.newest }));
      yield;
    }
  }

  removeAll(): void {
    for (let at = 0; at <= this.#maxOldFiles; at += 1) rmSync(this.#named(at), { force: true });
  }

  #named(at: number): string {
    return at === 0 ? this.#path : `${this.#path}.${at}`;
  }
}
