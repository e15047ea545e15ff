import { Heap } from './heap.js';
import type { HeapOrder } from './heap.js';
import type { Waiter } from './waiter.js';

/** Waiters that are due: by their numbers, and over the keys of `turn` one after the other. */
export class TicketQueue<W extends Waiter> {
  readonly #turns: Map<string | undefined, Turn<W>> = new Map();
  readonly #order: Heap<Turn<W>> = new Heap<Turn<W>>(BY_RANK);
  #size = 0;
  #ranks = 0;

  get size(): number {
    return this.#size;
  }

  get first(): W | undefined {
    return this.#order.first?.waiters.first;
  }

  add(waiter: W): void {
    const turn = this.#turns.get(waiter.party.turn) ?? this.#newTurn(waiter.party.turn);
    turn.waiters.add(waiter);
    this.#size += 1;
  }

  /** Takes one out that leaves without having been served. */
  remove(waiter: W): void {
    const turn = this.#turns.get(waiter.party.turn);
    if (turn === undefined || !turn.waiters.remove(waiter)) return;
    this.#size -= 1;
    if (turn.waiters.size > 0) return;
    this.#order.remove(turn);
    this.#turns.delete(turn.key);
  }

  /** Takes one out that goes: the others of its key come after all other keys. */
  serve(waiter: W): void {
    const turn = this.#turns.get(waiter.party.turn);
    this.remove(waiter);
    if (turn === undefined || !this.#order.remove(turn)) return;
    turn.rank = this.#nextRank();
    this.#order.add(turn);
  }

  /** The first `most` in the order in which they would go. */
  firstFew(most: number): readonly W[] {
    const lines = this.#order.firstFew(most).map((turn) => turn.waiters.firstFew(most));
    const rounds = Array.from({ length: most }, (_, round) => lines.flatMap((line) => line[round] ?? []));
    return rounds.flat().slice(0, most);
  }

  /** All of them, in no order. */
  *[Symbol.iterator](): IterableIterator<W> {
    for (const { waiters } of this.#order) yield* waiters;
  }

  #nextRank(): number {
    this.#ranks += 1;
    return this.#ranks;
  }

  #newTurn(key: string | undefined): Turn<W> {
    const turn: Turn<W> = {
      key,
      waiters: new Heap<W>(BY_NUMBER),
      rank: this.#nextRank(),
      place: undefined,
    };
    this.#turns.set(key, turn);
    this.#order.add(turn);
    return turn;
  }
}

interface Turn<W extends Waiter> {
  readonly key: string | undefined;
  readonly waiters: Heap<W>;
  /** Grows with each time it comes to the back: the lowest is next. */
  rank: number;
  place: number | undefined;
}

const BY_NUMBER: HeapOrder<Waiter> = {
  isBefore: (a, b) => a.party.number < b.party.number,
  placeOf: (waiter) => waiter.linePlace,
  setPlace: (waiter, place) => {
    waiter.linePlace = place;
  },
};

const BY_RANK: HeapOrder<Turn<Waiter>> = {
  isBefore: (a, b) => a.rank < b.rank,
  placeOf: (turn) => turn.place,
  setPlace: (turn, place) => {
    turn.place = place;
  },
};
