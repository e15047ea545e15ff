import { expect, test } from '@jest/globals';
import { progressBoard } from '../../lib/axios/progress-board';
import { tellerOf } from '../../lib/axios/progress-teller';
import type { WaitingOperation } from '../../lib/gate/waiting-operation';
import type { OperationTerms } from '../../lib/operation/ports';
import { virtualClock } from '../../lib/testing/index';

function place(operation: string, ahead: number): WaitingOperation {
  return { operation, ahead, state: 'held', cancel: () => undefined };
}

// Each operation looked through all that waited, at every change: four thousand took fifteen seconds.
test('looks once at each change for all operations, and at nothing when there are none', () => {
  const names = Array.from({ length: 100 }, (_, at) => `op-${at}`);
  const listeners = new Set<() => void>();
  let looks = 0;
  const board = progressBoard({
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
  for (const name of names) board.add(name, ({ ahead }) => told.set(name, ahead));
  expect([listeners.size, looks]).toEqual([1, 0]);
  for (const listener of listeners) listener();
  expect(looks).toBe(1);
  expect(told).toEqual(new Map(names.map((name, at) => [name, at])));
  for (const name of names) board.remove(name);
  expect(listeners.size).toBe(0);
});

// Where the wait could not begin (a hook of the caller threw), no `wait-ended` follows.
test('an operation that has ended is looked after no more, whatever came before', () => {
  const listeners = new Set<() => void>();
  const board = progressBoard({
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waiting: () => [],
  });
  const own = { onProgress: () => undefined };
  const client = { clock: virtualClock(), policy: {}, progress: board };
  const hear = tellerOf(client, { own, terms: { exchanges: 3 } as OperationTerms }, 'a');
  hear({ event: 'hold-entered', gate: 'g', state: 'held', ahead: 0 });
  expect(listeners.size).toBe(1);
  hear({
    event: 'operation-closed',
    ...{ outcome: 'refused', because: 'hook-failed', exchanges: 0, knowledge: 'not-sent', tookMs: 0 },
  });
  expect(listeners.size).toBe(0);
});
