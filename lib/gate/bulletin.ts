/** Who is told that something has changed, at most ten times a second. */
export class Bulletin {
  readonly #listeners: Set<() => void> = new Set();
  #toldMonoMs: number | undefined;
  #changed = false;
  #changes = 0;

  /** When the listeners are to be told of what has changed since they were told last. */
  get tellAtMonoMs(): number | undefined {
    if (!this.#changed || this.#listeners.size === 0) return undefined;
    return this.#toldMonoMs === undefined ? 0 : this.#toldMonoMs + LEAST_GAP_MS;
  }

  subscribe(listener: () => void): () => void {
    // A function of its own, so that one listener may subscribe twice and leave once.
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Grows with every change. */
  get changes(): number {
    return this.#changes;
  }

  change(): void {
    this.#changed = true;
    this.#changes += 1;
  }

  /** Tells the listeners when there is news and the last was long enough ago. */
  tell(nowMonoMs: number): void {
    const { tellAtMonoMs } = this;
    if (tellAtMonoMs === undefined || nowMonoMs < tellAtMonoMs) return;
    this.#changed = false;
    this.#toldMonoMs = nowMonoMs;
    for (const listener of [...this.#listeners]) quietly(listener);
  }
}

/** A listener that throws is his own affair: gates go on. */
export function quietly(listener: () => unknown): void {
  try {
    const returned = listener();
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // Nobody to tell: the caller of the moment has nothing to do with the listener.
  }
}

const LEAST_GAP_MS = 100;
