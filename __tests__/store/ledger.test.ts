import { expect, test } from '@jest/globals';
import { entered } from '../../lib/store/ledger';
import { virtualClock } from '../../lib/testing/virtual-clock';
import { ledgerHub } from '../support/ledger-store';
import { storeContract } from '../support/store-contract';

storeContract(
  'the rules of a store',
  () => {
    const clock = virtualClock();
    const hub = ledgerHub(clock, { latencyMs: 2 });
    return Promise.resolve({
      join: () => {
        const store = hub.join();
        return { ...store, tell: (name, message) => clock.until(store.tell(name, message)) };
      },
      pass: (ms) => clock.advance(ms),
      nowMs: () => clock.monoMs(),
      close: () => Promise.resolve(),
    });
  },
  10,
);

test('a ledger of which nothing was heard for a minute after its last hold is as good as none', () => {
  const message = { kind: 'held', forMs: 1000, hintMs: 1000, memberMs: 0, accepted: 0 } as const;
  const { ledger } = entered(undefined, { from: 'one', atMs: 0, message });
  const asked = { kind: 'met', memberMs: 0, accepted: 0 } as const;
  const standAt = (atMs: number): string =>
    entered(ledger, { from: 'two', atMs, message: asked }).word.gate.kind;
  expect(standAt(60_999)).toBe('over');
  expect(standAt(61_000)).toBe('unknown');
});
