import { earliest } from './earliest.js';
import { Heap } from './heap.js';
import type { Entered } from './ticket.js';

/** The waiters of one gate: those that are due, those that are not yet, and whose time runs out first. */
export class WaitingLine<W extends InLine> {
  /** How many are due. */
  due: number = 0;
  // Those that are due: the keys of `turn` one after the other, each key's by their numbers.
  readonly #turns: Map<string | undefined, Turn<W>> = new Map();
  readonly #order: Heap<Turn<W>> = new Heap<Turn<W>>('place', isRankedBefore);
  readonly #early: Heap<W> = new Heap<W>('linePlace', isDueBefore);
  readonly #latest: Heap<W> = new Heap<W>('latestPlace', runsOutBefore);
  #leastMaxHoldMs: number | undefined;
  #ranks: number = 0;

  get size(): number {
    return this.due + this.#early.size;
  }

  get first(): W | undefined {
    return this.#order.first?.waiters.first;
  }

  /** When the next waiter is due, or the next one's time runs out. */
  get nextMonoMs(): number | undefined {
    return earliest(this.#early.first?.dueMonoMs, this.#latest.first?.latestMonoMs);
  }

  add(waiter: W, nowMonoMs: number): void {
    waiter.isDue = waiter.dueMonoMs <= nowMonoMs;
    if (waiter.isDue) this.#addDue(waiter);
    else this.#early.add(waiter);
    if (waiter.latestMonoMs !== undefined) this.#latest.add(waiter);
    this.#leastMaxHoldMs = earliest(this.#leastMaxHoldMs, waiter.maxHoldMs);
  }

  /** Takes one out. Where it goes on, the others of its key come after all other keys. */
  remove(waiter: W, how: Entered['kind']): void {
    this.#latest.remove(waiter);
    const turn = waiter.isDue ? this.#turns.get(waiter.turn) : undefined;
    if (turn === undefined) {
      this.#early.remove(waiter);
      return;
    }
    if (!turn.waiters.remove(waiter)) return;
    this.due -= 1;
    const isLast = turn.waiters.size === 0;
    if (!isLast && how !== 'pass') return;
    this.#order.remove(turn);
    if (isLast) this.#turns.delete(waiter.turn);
    else this.#rank(turn);
  }

  /** Lets those into the queue whose own instant has come. */
  wake(nowMonoMs: number): void {
    for (;;) {
      const waiter = this.#early.first;
      if (waiter === undefined || waiter.dueMonoMs > nowMonoMs) return;
      this.#early.remove(waiter);
      waiter.dueMonoMs = nowMonoMs;
      waiter.isDue = true;
      this.#addDue(waiter);
    }
  }

  /** The first `most` in the order in which they would go. */
  firstFew(most: number): readonly W[] {
    const lines = this.#order.firstFew(most).map(({ waiters }) => waiters.firstFew(most));
    const found: W[] = [];
    for (let round = 0; round < most; round += 1) found.push(...lines.flatMap((line) => line[round] ?? []));
    return found.slice(0, most);
  }

  /** The first whose time has run out, or will have when the hold ends. */
  tooLate(nowMonoMs: number, heldUntilMonoMs: number | undefined): W | undefined {
    const waiter = this.#latest.first;
    if (waiter?.latestMonoMs === undefined) return undefined;
    const isOver = waiter.latestMonoMs <= nowMonoMs || isTooLateAt(heldUntilMonoMs ?? nowMonoMs, waiter);
    return isOver ? waiter : undefined;
  }

  /** Those whose own bound a hold of this length exceeds; looked for only when there can be one. */
  unwillingFor(holdMs: number): readonly W[] {
    if (this.#leastMaxHoldMs === undefined || holdMs <= this.#leastMaxHoldMs) return [];
    this.#leastMaxHoldMs = undefined;
    const unwilling: W[] = [];
    for (const waiter of this) {
      const { maxHoldMs = holdMs } = waiter;
      if (maxHoldMs < holdMs) unwilling.push(waiter);
      else this.#leastMaxHoldMs = earliest(this.#leastMaxHoldMs, waiter.maxHoldMs);
    }
    return unwilling;
  }

  /** All of them, in no order. */
  *[Symbol.iterator](): IterableIterator<W> {
    for (const { waiters } of this.#order) yield* waiters;
    yield* this.#early;
  }

  #addDue(waiter: W): void {
    const turn = this.#turns.get(waiter.turn) ?? this.#newTurn(waiter.turn);
    turn.waiters.add(waiter);
    this.due += 1;
  }

  #newTurn(key: string | undefined): Turn<W> {
    const turn: Turn<W> = {
      waiters: new Heap<W>('linePlace', isNumberedBefore),
      rank: 0,
      place: undefined,
    };
    this.#turns.set(key, turn);
    this.#rank(turn);
    return turn;
  }

  #rank(turn: Turn<W>): void {
    this.#ranks += 1;
    turn.rank = this.#ranks;
    this.#order.add(turn);
  }
}

/** Who waits, as far as a line knows it. It stands in one line at a time and keeps its number. */
export interface InLine {
  readonly number: number;
  readonly turn: string | undefined;
  /** Its own instant; once that has come: since when it could have gone but for the gates. */
  dueMonoMs: number;
  isDue: boolean;
  /** The last instant at which it may be let go; absent without a deadline. */
  readonly latestMonoMs: number | undefined;
  readonly reserveMs: number;
  /** Its own bound on what is left of a hold. */
  readonly maxHoldMs: number | undefined;
  linePlace: number | undefined;
  latestPlace: number | undefined;
}

/** Whether an instant is too late to be let go: without a reserve the deadline itself is, since nothing is left then. */
export function isTooLateAt(
  instantMonoMs: number,
  { latestMonoMs, reserveMs }: Pick<InLine, 'latestMonoMs' | 'reserveMs'>,
): boolean {
  if (latestMonoMs === undefined) return false;
  return instantMonoMs > latestMonoMs || (reserveMs === 0 && instantMonoMs === latestMonoMs);
}

interface Turn<W extends InLine> extends Ranked {
  readonly waiters: Heap<W>;
}

interface Ranked {
  /** Grows with each time it comes to the back: the lowest is next. */
  rank: number;
  place: number | undefined;
}

function isRankedBefore(a: Ranked, b: Ranked): boolean {
  return a.rank < b.rank;
}

function isNumberedBefore(a: InLine, b: InLine): boolean {
  return a.number < b.number;
}

function isDueBefore(a: InLine, b: InLine): boolean {
  return a.dueMonoMs < b.dueMonoMs || (a.dueMonoMs === b.dueMonoMs && a.number < b.number);
}

function runsOutBefore(a: InLine, b: InLine): boolean {
  return (a.latestMonoMs ?? 0) < (b.latestMonoMs ?? 0);
}
