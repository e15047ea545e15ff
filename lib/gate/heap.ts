/** A binary heap whose items know their places in it: adding and taking out cost O(log n). */
export class Heap<T extends object> {
  readonly #place: keyof T;
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  /** `place`: the property in which an item keeps its place, `undefined` while it is in no heap. */
  constructor(place: keyof T, isBefore: (a: T, b: T) => boolean) {
    this.#place = place;
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#settle(item, this.#items.length);
  }

  /** Whether it was in the heap. */
  remove(item: T): boolean {
    const place = (item as Placed<T>)[this.#place];
    if (place === undefined) return false;
    this.#put(item, undefined);
    const last = this.#items.pop();
    if (last !== undefined && last !== item) this.#settle(last, place);
    return true;
  }

  /** The first `most` in order, left in the heap. */
  firstFew(most: number): readonly T[] {
    const found: T[] = [];
    for (let next = this.first; next !== undefined && found.length < most; next = this.first) {
      found.push(next);
      this.remove(next);
    }
    for (const item of found) this.add(item);
    return found;
  }

  /** All items, in no order. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values();
  }

  /** Puts an item where it belongs, up or down from a place that is free. */
  #settle(item: T, from: number): void {
    const items = this.#items;
    let place = from;
    for (;;) {
      const above = place > 0 ? items[(place - 1) >> 1] : undefined;
      if (above === undefined || !this.#isBefore(item, above)) break;
      this.#put(above, place);
      place = (place - 1) >> 1;
    }
    for (;;) {
      let below = 2 * place + 1;
      const left = items[below];
      const right = items[below + 1];
      if (left !== undefined && right !== undefined && this.#isBefore(right, left)) below += 1;
      const child = items[below];
      if (child === undefined || !this.#isBefore(child, item)) break;
      this.#put(child, place);
      place = below;
    }
    this.#put(item, place);
  }

  #put(item: T, place: number | undefined): void {
    (item as Placed<T>)[this.#place] = place;
    if (place !== undefined) this.#items[place] = item;
  }
}

type Placed<T> = Record<keyof T, number | undefined>;
