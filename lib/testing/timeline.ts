import { Heap } from '../gate/heap.js';

/**
 * The synchronous core of virtual time: one reading and the timers to come. Timers fire in the order of their
 * instants, ties in the order in which they were set.
 */
export class Timeline {
  nowMs: number = 0;
  readonly #entries: Heap<Entry> = new Heap<Entry>('place', isBefore);
  #added = 0;

  /** Adds a timer; the result takes it out again and may be called at any time. */
  add(timer: TimelineTimer): () => void {
    const entry: Entry = { timer, order: this.#added, place: undefined };
    this.#added += 1;
    this.#entries.add(entry);
    return () => {
      this.#entries.remove(entry);
    };
  }

  /** The next timer at or before the instant, taken out; the reading moves to it and never back. */
  takeDue(untilMs: number): TimelineTimer | undefined {
    const { first } = this.#entries;
    if (first === undefined || first.timer.wakeMs > untilMs) return undefined;
    this.#entries.remove(first);
    this.nowMs = Math.max(this.nowMs, first.timer.wakeMs);
    return first.timer;
  }

  /** Everything still to fire, in order. */
  get pending(): readonly TimelineTimer[] {
    return [...this.#entries].sort((a, b) => (isBefore(a, b) ? -1 : 1)).map(({ timer }) => timer);
  }
}

export interface TimelineTimer {
  /** When it fires; before or after `dueMs` where timers are not to be relied on. */
  readonly wakeMs: number;
  readonly dueMs: number;
  readonly setAtMs: number;
  /** What its owner is called. */
  readonly label: string;
  readonly fire: () => void;
}

interface Entry {
  readonly timer: TimelineTimer;
  readonly order: number;
  place: number | undefined;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.timer.wakeMs < b.timer.wakeMs || (a.timer.wakeMs === b.timer.wakeMs && a.order < b.order);
}
