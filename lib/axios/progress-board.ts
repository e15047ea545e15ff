import type { WaitingOperation } from '../gate/waiting-operation.js';

/** Whoever wants to know when the place of an operation changes. */
export interface PlaceListener {
  moved(place: WaitingOperation): void;
}

/** Where places are looked up. */
export interface Places {
  subscribe(listener: () => void): () => void;
  waiting(): readonly WaitingOperation[];
}

/** Looks once for all operations of a client that want to know their places, however many they are. */
export class ProgressBoard {
  readonly #places: Places;
  readonly #listeners: Map<string, PlaceListener> = new Map();
  #stop: (() => void) | undefined;

  constructor(places: Places) {
    this.#places = places;
  }

  add(operation: string, listener: PlaceListener): void {
    this.#listeners.set(operation, listener);
    this.#stop ??= this.#places.subscribe(() => this.#look());
  }

  remove(operation: string): void {
    this.#listeners.delete(operation);
    if (this.#listeners.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #look(): void {
    for (const place of this.#places.waiting()) this.#listeners.get(place.operation)?.moved(place);
  }
}
