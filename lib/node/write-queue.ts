/**
 * Lines on their way to a slow place: one write at a time, everything that came meanwhile in the next. It holds
 * a bounded number of bytes; what comes beyond is dropped, and a line in its place says how many.
 */
export class WriteQueue {
  readonly #ports: WritePorts;
  readonly #bounds: QueueBounds;
  readonly #items: Item[] = [];
  #queuedBytes: number = 0;
  #dropped: number = 0;
  #writing: boolean = false;
  #failing: boolean = false;

  constructor(ports: WritePorts, bounds: QueueBounds) {
    this.#ports = ports;
    this.#bounds = bounds;
  }

  /** How many lines are lost, for want of room or because a write failed. */
  get dropped(): number {
    return this.#dropped;
  }

  push(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#queuedBytes + bytes > this.#bounds.maxQueuedBytes) {
      this.drop();
      return;
    }
    this.#items.push({ kind: 'line', line, bytes });
    this.#queuedBytes += bytes;
    void this.#write();
  }

  /** A line that is lost before it gets here: counted, and told of in its place. */
  drop(): void {
    this.#dropped += 1;
    const last = this.#items.at(-1);
    if (last?.kind === 'gap') last.lines += 1;
    else this.#items.push({ kind: 'gap', lines: 1 });
    void this.#write();
  }

  /** Settles when all that was pushed before is written, or lost. Never rejects. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#items.push({ kind: 'flush', resolve });
      void this.#write();
    });
  }

  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#items.some((item) => this.#isWork(item))) await this.#writeBatch(this.#take());
    this.#writing = false;
  }

  // Where writing fails, a gap waits for a line or a flush: by itself it would be tried without end.
  #isWork({ kind }: Item): boolean {
    return kind !== 'gap' || !this.#failing;
  }

  async #writeBatch({ pieces, flushed }: Batch): Promise<void> {
    try {
      if (pieces.length > 0) {
        await this.#ports.append(pieces.map(({ text }) => text).join(''));
        this.#failing = false;
      }
    } catch (error) {
      const [bytes, reason] = error instanceof CutShort ? [error.bytes, error.cause] : [0, error];
      this.#lose(unfinishedOf(pieces, bytes));
      if (!this.#failing) this.#ports.onFailure(reason);
      this.#failing = true;
    }
    for (const resolve of flushed) resolve();
  }

  #lose(pieces: readonly Piece[]): void {
    const missing = pieces.reduce((sum, { lines }) => sum + lines, 0);
    this.#dropped += pieces.filter(({ kind }) => kind === 'line').length;
    if (missing > 0) this.#gapInFront(missing);
  }

  /** From the front, as much as one write may have; one line at least. */
  #take(): Batch {
    const batch: Batch = { pieces: [], flushed: [] };
    let [bytes, end] = [0, 0];
    for (const item of this.#items) {
      if (item.kind === 'line') {
        if (bytes > 0 && bytes + item.bytes > this.#bounds.maxBatchBytes) break;
        bytes += item.bytes;
      }
      if (item.kind === 'flush') batch.flushed.push(item.resolve);
      else batch.pieces.push(this.#pieceOf(item));
      end += 1;
    }
    this.#items.splice(0, end);
    this.#queuedBytes -= bytes;
    return batch;
  }

  #pieceOf(item: Exclude<Item, { kind: 'flush' }>): Piece {
    return item.kind === 'line'
      ? { kind: 'line', text: `${item.line}\n`, lines: 1 }
      : { kind: 'gap', text: `${this.#ports.gapLine(item.lines)}\n`, lines: item.lines };
  }

  #gapInFront(lines: number): void {
    const first = this.#items[0];
    if (first?.kind === 'gap') first.lines += lines;
    else this.#items.unshift({ kind: 'gap', lines });
  }
}

/** A write that broke off after so many bytes of its text. */
export class CutShort extends Error {
  override readonly name = 'CutShort' as const;
  readonly bytes: number;
  override readonly cause: unknown;

  constructor(bytes: number, cause: unknown) {
    super('a write broke off');
    this.bytes = bytes;
    this.cause = cause;
  }
}

export interface WritePorts {
  /** Text that ends with a line end, to the end of what is there. Rejects with CutShort where a part has got there. */
  readonly append: (text: string) => Promise<void>;
  /** The line that tells how many are missing in its place. */
  readonly gapLine: (lines: number) => string;
  /** Told once, until something could be written again. */
  readonly onFailure: (error: unknown) => void;
}

export interface QueueBounds {
  /** Beside what is being written. */
  readonly maxQueuedBytes: number;
  readonly maxBatchBytes: number;
}

type Item =
  | { readonly kind: 'line'; readonly line: string; readonly bytes: number }
  | { readonly kind: 'gap'; lines: number }
  | { readonly kind: 'flush'; readonly resolve: () => void };

interface Batch {
  readonly pieces: Piece[];
  readonly flushed: (() => void)[];
}

/** One line of a write. */
interface Piece {
  readonly kind: 'line' | 'gap';
  readonly text: string;
  /** How many are lost with it: itself, or those of which it tells. */
  readonly lines: number;
}

/** Those that are not whole in the place. The line end alone may be missing: what comes next begins a new line. */
function unfinishedOf(pieces: readonly Piece[], bytes: number): readonly Piece[] {
  let end = 0;
  return pieces.filter(({ text }) => {
    end += Buffer.byteLength(text);
    return end - 1 > bytes;
  });
}
