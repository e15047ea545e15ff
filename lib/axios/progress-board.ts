import type { WaitingOperation } from '../gate/waiting-operation.js';

/** Looks once for all operations of a client that want to know their places, however many they are. */
export function progressBoard({ subscribe, waiting }: Places): ProgressBoard {
  const listeners: Map<string, PlaceListener> = new Map();
  let stop: (() => void) | undefined;
  const look = (): void => {
    for (const place of waiting()) listeners.get(place.operation)?.(place);
  };
  return {
    add: (operation, listener) => {
      listeners.set(operation, listener);
      stop ??= subscribe(look);
    },
    remove: (operation) => {
      listeners.delete(operation);
      if (listeners.size > 0) return;
      stop?.();
      stop = undefined;
    },
  };
}

/** Who is told of the place of his operation. */
export interface ProgressBoard {
  readonly add: (operation: string, listener: PlaceListener) => void;
  readonly remove: (operation: string) => void;
}

/** Whoever wants to know when the place of an operation changes. */
export type PlaceListener = (place: WaitingOperation) => void;

/** Where places are looked up. */
export interface Places {
  readonly subscribe: (listener: () => void) => () => void;
  readonly waiting: () => readonly WaitingOperation[];
}
