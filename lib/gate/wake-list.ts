import type { Gate } from './gate.js';
import { Heap } from './heap.js';
import type { HeapOrder } from './heap.js';

/** The gates that have something to do at an instant of which nothing else will remind them. */
export class WakeList {
  readonly #heap: Heap<Gate> = new Heap(BY_WAKE);

  get nextMonoMs(): number | undefined {
    return this.#heap.first?.wakeAtMonoMs;
  }

  remove(gate: Gate): void {
    this.#heap.remove(gate);
  }

  /** The earliest of the instants counts; with none the gate is taken off the list. */
  set(gate: Gate, instants: readonly (number | undefined)[]): void {
    this.#heap.remove(gate);
    const known = instants.filter((instant) => instant !== undefined);
    if (known.length === 0) return;
    gate.wakeAtMonoMs = Math.min(...known);
    this.#heap.add(gate);
  }

  /** Takes off the list those whose instant has come. */
  takeDue(nowMonoMs: number): readonly Gate[] {
    const due: Gate[] = [];
    for (;;) {
      const gate = this.#heap.first;
      if (gate === undefined || gate.wakeAtMonoMs > nowMonoMs) return due;
      this.#heap.remove(gate);
      due.push(gate);
    }
  }
}

const BY_WAKE: HeapOrder<Gate> = {
  isBefore: (a, b) => a.wakeAtMonoMs < b.wakeAtMonoMs,
  placeOf: (gate) => gate.wakePlace,
  setPlace: (gate, place) => {
    gate.wakePlace = place;
  },
};
