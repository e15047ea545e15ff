import { describe, expect, test } from '@jest/globals';
import type { GateStore } from '../../lib/store/gate-store';
import { UNSHARED, sharedStore } from '../../lib/store/shared-store';
import { gateWorld } from '../gate/gate-world';

const LOCAL: GateStore = {
  nameOf: () => ({ kind: 'local' }),
  tell: () => Promise.reject(new Error('told of a gate that is not shared')),
  subscribe: () => () => undefined,
};

describe("a store of one's own", () => {
  test.each<[string, object, RegExp]>([
    ['without a function', { ...LOCAL, tell: undefined }, /expected `tell` to be a function, got undefined/],
    [
      'with a text for a function',
      { ...LOCAL, nameOf: 'x' },
      /expected `nameOf` to be a function, got string/,
    ],
    [
      'with a time that is none',
      { ...LOCAL, timeoutMs: -1 },
      /expected `timeoutMs` to be milliseconds, got -1/,
    ],
    ['with an endless time', { ...LOCAL, timeoutMs: Infinity }, /`timeoutMs` .* got Infinity/],
  ])('%s is refused', (_, store, message) => {
    expect(() => sharedStore(store as GateStore)).toThrow(message);
  });
});

test.each([
  ['a store that shares nothing', UNSHARED],
  ['a store that shares no scope', sharedStore(LOCAL)],
])('%s leaves gates to themselves', async (_, store) => {
  const { clock, gates, limit, notes, operation } = gateWorld({ store });
  limit(1000);
  const next = operation();
  next.enter();
  await clock.advance(999);
  expect(next.entered).toBeUndefined();
  await clock.advance(1);
  next.answer('accepted');
  expect(gates.snapshot().gates[0]?.state).toBe('open');
  expect(notes.map(({ event }) => event).filter((event) => event.startsWith('store'))).toEqual([]);
});
