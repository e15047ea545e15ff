import { expect, test } from '@jest/globals';
import { createGates } from '../../lib/axios/create-gates';
import { DEFAULTS } from '../../lib/options';
import type { Scope } from '../../lib/model';
import { virtualClock } from '../../lib/testing/virtual-clock';

const ORIGIN: Scope = [{ by: 'origin', value: 'https://a.example', secret: false }];

test.each([
  ['gives no number', () => Number.NaN],
  ['gives less than nothing', () => -1],
  [
    'throws',
    () => {
      throw new Error('mine');
    },
  ],
  ['is a text', () => '5' as unknown as number],
])('an own backoff that %s keeps no pass from coming back: the gate holds for the default', (_, backoff) => {
  const clock = virtualClock();
  const gates = createGates({ clock, jitter: 0, backoff });
  const ticket = gates.ticket({ scopes: [ORIGIN], owner: gates, operation: 'one' });
  const entered = ticket.enter({ reserveMs: 0, exchangesLeft: 2, repeatable: true });
  if (entered.kind !== 'pass') throw new Error(entered.kind);
  entered.pass.report({ kind: 'limited', receivedMonoMs: 0 });
  expect(gates.snapshot().gates[0]).toMatchObject({
    ...{ inFlight: 0, state: 'held' },
    hold: { releaseAtEpochMs: clock.wallEpochMs() + DEFAULTS.backoff.firstMs },
  });
});
