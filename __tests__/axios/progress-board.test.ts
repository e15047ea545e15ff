import { expect, test } from '@jest/globals';
import { ProgressBoard } from '../../lib/axios/progress-board';
import type { WaitingOperation } from '../../lib/gate/waiting-operation';

function place(operation: string, ahead: number): WaitingOperation {
  return { operation, ahead, state: 'held', cancel: () => undefined };
}

// Each operation looked through all that waited, at every change: four thousand took fifteen seconds.
test('looks once at each change for all operations, and at nothing when there are none', () => {
  const names = Array.from({ length: 100 }, (_, at) => `op-${at}`);
  const listeners = new Set<() => void>();
  let looks = 0;
  const board = new ProgressBoard({
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waiting: () => {
      looks += 1;
      return [...names, 'of nobody'].map(place);
    },
  });
  const told = new Map<string, number>();
  for (const name of names) board.add(name, { moved: ({ ahead }) => told.set(name, ahead) });
  expect([listeners.size, looks]).toEqual([1, 0]);
  for (const listener of listeners) listener();
  expect(looks).toBe(1);
  expect(told).toEqual(new Map(names.map((name, at) => [name, at])));
  for (const name of names) board.remove(name);
  expect(listeners.size).toBe(0);
});
