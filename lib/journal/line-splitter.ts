/**
 * Cuts text into lines as it comes, in chunks of any size. It keeps one line at most, and of that no more than
 * a bound: of a longer one is only told that there was one.
 */
export class LineSplitter {
  #rest: string = '';
  #tooLong: boolean = false;

  *push(chunk: string): Generator<Line> {
    let start = 0;
    // Only the new text is looked through: a long line in small chunks would cost its square otherwise.
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#keep(chunk, start, end);
      yield this.#take('line');
      start = end + 1;
    }
    this.#keep(chunk, start, chunk.length);
  }

  /** The last line, if it has no line end. */
  *end(): Generator<Line> {
    if (this.#rest !== '' || this.#tooLong) yield this.#take('last');
  }

  #keep(chunk: string, start: number, end: number): void {
    if (this.#tooLong || this.#rest.length + end - start > MOST_LINE_CHARS) {
      this.#tooLong = true;
      this.#rest = '';
    } else {
      this.#rest += chunk.slice(start, end);
    }
  }

  #take(kind: 'line' | 'last'): Line {
    const line: Line = this.#tooLong ? { kind: 'too-long' } : { kind, text: this.#rest };
    this.#rest = '';
    this.#tooLong = false;
    return line;
  }
}

export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** Without a line end: whole, or broken off. */
  | { readonly kind: 'last'; readonly text: string }
  | { readonly kind: 'too-long' };

// The longest entry that a client writes has some ten thousand characters.
const MOST_LINE_CHARS = 1_048_576;
