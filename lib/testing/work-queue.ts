import { expectOptions } from './expect-options.js';
import type { Accepted, Admission, QuotaModel } from './quota-model.js';

/**
 * A server that works off one queue and never says no, unless it breaks: then what is queued is lost, and
 * everyone who comes while it is down keeps it down longer. A wave that returns together makes that failure
 * metastable.
 */
export function workQueue(options: WorkQueueOptions): WorkQueue {
  expectOptions('workQueue', options, { perSecond: 'above 0', breaks: 'an object?' });
  return new OneQueue(options);
}

/** A queue, and how often it has broken down. */
export interface WorkQueue extends QuotaModel {
  readonly collapses: number;
}

/** How many requests it serves a second, and what breaks it. */
export interface WorkQueueOptions {
  readonly perSecond: number;
  /** Absent: it bears any load. */
  readonly breaks?: WorkQueueBreaks | undefined;
}

/** What is too much for it, and what follows from that. */
export interface WorkQueueBreaks {
  /** More arrivals than this within a second break it. */
  readonly abovePerSecond: number;
  /** How long it is down then. */
  readonly downMs: number;
  /** What turning one request away costs, as a share of serving one. @default 0.2 */
  readonly rejectCost?: number | undefined;
}

class OneQueue implements WorkQueue {
  readonly #breaks: WorkQueueBreaks | undefined;
  readonly #workMs: number;
  readonly #lives: WeakMap<Accepted, number> = new WeakMap();
  #lastSecondMs: number[] = [];
  #busyUntilMs = 0;
  #downUntilMs = 0;
  #collapses = 0;

  constructor({ perSecond, breaks }: WorkQueueOptions) {
    this.#breaks = breaks;
    this.#workMs = 1000 / perSecond;
  }

  get collapses(): number {
    return this.#collapses;
  }

  admit(atMs: number): Admission {
    if (this.#breaks !== undefined && this.#breaksAt(atMs, this.#breaks)) {
      return { kind: 'rejected', status: 503, waitMs: this.#downUntilMs - atMs };
    }
    this.#busyUntilMs = Math.max(this.#busyUntilMs, atMs) + this.#workMs;
    const admission: Accepted = { kind: 'accepted', serviceMs: this.#busyUntilMs - atMs };
    this.#lives.set(admission, this.#collapses);
    return admission;
  }

  finish(admission: Accepted, atMs: number): Admission {
    if (this.#lives.get(admission) === this.#collapses) return admission;
    return { kind: 'rejected', status: 503, waitMs: Math.max(0, this.#downUntilMs - atMs) };
  }

  #breaksAt(atMs: number, { abovePerSecond, downMs, rejectCost = 0.2 }: WorkQueueBreaks): boolean {
    this.#lastSecondMs = this.#lastSecondMs.filter((arrivalMs) => arrivalMs > atMs - 1000);
    this.#lastSecondMs.push(atMs);
    if (atMs < this.#downUntilMs) {
      this.#downUntilMs += this.#workMs * rejectCost;
    } else if (this.#lastSecondMs.length > abovePerSecond) {
      this.#collapses += 1;
      this.#downUntilMs = atMs + downMs;
    } else {
      return false;
    }
    this.#busyUntilMs = this.#downUntilMs;
    return true;
  }
}
