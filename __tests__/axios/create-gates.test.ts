import { expect, test } from '@jest/globals';
import axios from 'axios';
import { createGates } from '../../lib/axios/create-gates';
import { heed } from '../../lib/index';
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

test('gates have their own options, and refuse all others', () => {
  expect(() => createGates({ budget: 5 } as object)).toThrow(
    'axios-heed: expected the options of createGates() to have known options (clock, concurrency, jitter, ' +
      'backoff, maxHint, maxQueued, maxGates, store), got `budget`',
  );
});

test.each([
  { concurrency: 1 },
  { maxQueued: 5 },
  { maxGates: 5 },
  { store: { linkTo: () => undefined } as never },
])('what shared gates have is refused beside them: %j', (bound) => {
  const [name] = Object.keys(bound);
  expect(() => heed(axios.create(), { gates: createGates(), ...bound })).toThrow(
    `axios-heed: expected the policy \`${name}\` to stand in createGates(), of which it has \`gates\``,
  );
});
