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
      this.#dropped += 1;
      const last = this.#items.at(-1);
      if (last?.kind === 'gap') last.lines += 1;
      else this.#items.push({ kind: 'gap', lines: 1 });
      return;
    }
    this.#items.push({ kind: 'line', line, bytes });
    this.#queuedBytes += bytes;
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

  async #writeBatch({ text, lines, missing, flushed }: Batch): Promise<void> {
    try {
      if (text !== '') {
        await this.#ports.append(text);
        this.#failing = false;
      }
    } catch (error) {
      this.#dropped += lines;
      this.#gapInFront(lines + missing);
      if (!this.#failing) this.#ports.onFailure(error);
      this.#failing = true;
    }
    for (const resolve of flushed) resolve();
  }

  /** From the front, as much as one write may have; one line at least. */
  #take(): Batch {
    const batch: Batch = { text: '', lines: 0, missing: 0, flushed: [] };
    let [bytes, end] = [0, 0];
    for (const item of this.#items) {
      if (item.kind === 'line') {
        if (batch.lines > 0 && bytes + item.bytes > this.#bounds.maxBatchBytes) break;
        bytes += item.bytes;
      }
      addTo(batch, item, this.#ports.gapLine);
      end += 1;
    }
    this.#items.splice(0, end);
    this.#queuedBytes -= bytes;
    return batch;
  }

  #gapInFront(lines: number): void {
    const first = this.#items[0];
    if (first?.kind === 'gap') first.lines += lines;
    else this.#items.unshift({ kind: 'gap', lines });
  }
}

export interface WritePorts {
  /** Text that ends with a line end, to the end of what is there. */
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
  text: string;
  lines: number;
  /** What its gaps tell of. */
  missing: number;
  readonly flushed: (() => void)[];
}

function addTo(batch: Batch, item: Item, gapLine: WritePorts['gapLine']): void {
  switch (item.kind) {
    case 'line':
      batch.lines += 1;
      batch.text += `${item.line}\n`;
      break;
    case 'gap':
      batch.missing += item.lines;
      batch.text += `${gapLine(item.lines)}\n`;
      break;
    case 'flush':
      batch.flushed.push(item.resolve);
      break;
  }
}
