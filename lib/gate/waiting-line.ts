import { Heap } from './heap.js';
import type { HeapOrder } from './heap.js';
import { TicketQueue } from './ticket-queue.js';
import { isTooLateAt } from './waiter.js';
import type { Waiter } from './waiter.js';

/** The waiters of one gate: those that are due, those that are not yet, and whose time runs out first. */
export class WaitingLine<W extends Waiter> {
  readonly #due: TicketQueue<W> = new TicketQueue();
  readonly #early: Heap<W> = new Heap<W>(BY_NOT_BEFORE);
  readonly #latest: Heap<W> = new Heap<W>(BY_LATEST);
  #leastMaxHoldMs: number | undefined;

  get size(): number {
    return this.#due.size + this.#early.size;
  }

  get due(): number {
    return this.#due.size;
  }

  get first(): W | undefined {
    return this.#due.first;
  }

  /** When the next waiter is due. */
  get nextDueMonoMs(): number | undefined {
    return this.#early.first?.terms.notBeforeMonoMs;
  }

  /** When the next waiter's time runs out. */
  get nextLatestMonoMs(): number | undefined {
    return this.#latest.first?.latestMonoMs;
  }

  add(waiter: W, nowMonoMs: number): void {
    const { notBeforeMonoMs, maxHoldMs } = waiter.terms;
    if (notBeforeMonoMs > nowMonoMs) this.#addEarly(waiter);
    else this.#addDue(waiter, waiter.dueSinceMonoMs);
    if (waiter.latestMonoMs !== undefined) this.#latest.add(waiter);
    if (maxHoldMs !== undefined)
      this.#leastMaxHoldMs = Math.min(maxHoldMs, this.#leastMaxHoldMs ?? maxHoldMs);
  }

  /** Takes one out that leaves unserved. */
  remove(waiter: W): void {
    this.#latest.remove(waiter);
    if (waiter.stands === 'due') this.#due.remove(waiter);
    else this.#early.remove(waiter);
  }

  /** Takes one out that goes. */
  serve(waiter: W): void {
    this.#latest.remove(waiter);
    this.#due.serve(waiter);
  }

  /** Lets those into the queue whose own instant has come. */
  wake(nowMonoMs: number): void {
    for (;;) {
      const waiter = this.#early.first;
      if (waiter === undefined || waiter.terms.notBeforeMonoMs > nowMonoMs) return;
      this.#early.remove(waiter);
      this.#addDue(waiter, nowMonoMs);
    }
  }

  firstFew(most: number): readonly W[] {
    return this.#due.firstFew(most);
  }

  /** The first whose time has run out, or will have when the hold ends. */
  tooLate(nowMonoMs: number, heldUntilMonoMs: number | undefined): W | undefined {
    const waiter = this.#latest.first;
    if (waiter?.latestMonoMs === undefined) return undefined;
    if (waiter.latestMonoMs <= nowMonoMs) return waiter;
    if (heldUntilMonoMs === undefined) return undefined;
    return isTooLateAt(heldUntilMonoMs, waiter.latestMonoMs, waiter.terms) ? waiter : undefined;
  }

  /** Those whose own bound a hold of this length exceeds; looked for only when there can be one. */
  unwillingFor(holdMs: number): readonly W[] {
    if (this.#leastMaxHoldMs === undefined || holdMs <= this.#leastMaxHoldMs) return [];
    const all = [...this];
    const unwilling = all.filter(({ terms }) => terms.maxHoldMs !== undefined && terms.maxHoldMs < holdMs);
    this.#leastMaxHoldMs = undefined;
    for (const { terms } of all) {
      if (terms.maxHoldMs === undefined || terms.maxHoldMs < holdMs) continue;
      this.#leastMaxHoldMs = Math.min(terms.maxHoldMs, this.#leastMaxHoldMs ?? terms.maxHoldMs);
    }
    return unwilling;
  }

  /** All of them, in no order. */
  *[Symbol.iterator](): IterableIterator<W> {
    yield* this.#due;
    yield* this.#early;
  }

  #addEarly(waiter: W): void {
    waiter.stands = 'early';
    this.#early.add(waiter);
  }

  #addDue(waiter: W, sinceMonoMs: number): void {
    waiter.stands = 'due';
    waiter.dueSinceMonoMs = sinceMonoMs;
    this.#due.add(waiter);
  }
}

const BY_NOT_BEFORE: HeapOrder<Waiter> = {
  isBefore: (a, b) => {
    const difference = a.terms.notBeforeMonoMs - b.terms.notBeforeMonoMs;
    return difference < 0 || (difference === 0 && a.party.number < b.party.number);
  },
  placeOf: (waiter) => waiter.linePlace,
  setPlace: (waiter, place) => {
    waiter.linePlace = place;
  },
};

const BY_LATEST: HeapOrder<Waiter> = {
  isBefore: (a, b) => (a.latestMonoMs ?? 0) < (b.latestMonoMs ?? 0),
  placeOf: (waiter) => waiter.latestPlace,
  setPlace: (waiter, place) => {
    waiter.latestPlace = place;
  },
};
