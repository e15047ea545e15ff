/** How a heap orders its items, and where an item keeps its place, so that it can be taken out from anywhere. */
export interface HeapOrder<T> {
  isBefore(a: T, b: T): boolean;
  placeOf(item: T): number | undefined;
  setPlace(item: T, place: number | undefined): void;
}

/** A binary heap whose items know their places: adding and taking out cost O(log n). */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #order: HeapOrder<T>;

  constructor(order: HeapOrder<T>) {
    this.#order = order;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#rise(item, this.#items.length);
  }

  /** Whether it was in the heap. */
  remove(item: T): boolean {
    const place = this.#order.placeOf(item);
    if (place === undefined) return false;
    this.#order.setPlace(item, undefined);
    const last = this.#items.pop();
    if (last !== undefined && last !== item) this.#settle(last, place);
    return true;
  }

  /** The first `most` in order, left where they are. */
  firstFew(most: number): readonly T[] {
    const found: T[] = [];
    // Whatever comes next is a child of something found: a small heap's worth of candidates.
    let candidates = this.#items.length === 0 ? [] : [0];
    while (found.length < most && candidates.length > 0) {
      const next = candidates.reduce((best, place) => (this.#isBefore(place, best) ? place : best));
      const item = this.#items[next];
      if (item === undefined) break;
      found.push(item);
      const children = [2 * next + 1, 2 * next + 2].filter((place) => place < this.#items.length);
      candidates = [...candidates.filter((place) => place !== next), ...children];
    }
    return found;
  }

  /** All items, in no order. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  #isBefore(a: number, b: number): boolean {
    const itemA = this.#items[a];
    const itemB = this.#items[b];
    return itemA !== undefined && itemB !== undefined && this.#order.isBefore(itemA, itemB);
  }

  #settle(item: T, place: number): void {
    const parent = this.#items[(place - 1) >> 1];
    if (place > 0 && parent !== undefined && this.#order.isBefore(item, parent)) this.#rise(item, place);
    else this.#sink(item, place);
  }

  #rise(item: T, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#order.isBefore(item, parent)) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(item, place);
  }

  #sink(item: T, from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const below = this.#isBefore(left + 1, left) ? left + 1 : left;
      const child = this.#items[below];
      if (child === undefined || !this.#order.isBefore(child, item)) break;
      this.#put(child, place);
      place = below;
    }
    this.#put(item, place);
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    this.#order.setPlace(item, place);
  }
}
