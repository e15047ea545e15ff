import { expect, test } from '@jest/globals';
import type { Scope } from '../../lib/model';
import { ORIGIN, gateWorld } from './gate-world';

test('a hundred thousand wait behind one timer, leave in any order, and go by their numbers', async () => {
  const world = gateWorld({ maxQueued: 1_000_000 });
  world.limit(60_000);
  const letGo: number[] = [];
  const tickets = Array.from({ length: 100_000 }, (_, at) => {
    const ticket = world.gates.ticket({ scopes: [ORIGIN], owner: world, operation: String(at) });
    const deadline = { atMonoMs: 3_600_000 - at, atEpochMs: world.clock.wallEpochMs() + 3_600_000 - at };
    const answer = ticket.enter({
      notBeforeMonoMs: 0,
      deadline,
      reserveMs: 0,
      exchangesLeft: 1,
      repeatable: true,
    });
    if (answer.kind !== 'waiting') throw new Error('the gate is held');
    void answer.entered.then((entered) => {
      if (entered.kind !== 'pass') return;
      letGo.push(at);
      entered.pass.report({ kind: 'accepted', receivedMonoMs: world.clock.monoMs() });
    });
    return ticket;
  });
  expect(world.clock.pending).toHaveLength(1);
  const began = performance.now();
  const gone = new Set<number>();
  for (let i = 0; i < 50_000; i += 1) {
    gone.add((i * 7919) % 100_000);
    tickets[(i * 7919) % 100_000]?.leave();
  }
  // 50,000 times O(log n); what is quadratic takes minutes.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(world.gates.snapshot().waiting).toBe(100_000 - gone.size);
  await world.clock.advance(60_000);
  await world.clock.advance(500);
  const left = tickets.map((_, at) => at).filter((at) => !gone.has(at));
  expect(letGo.length).toBeGreaterThan(10);
  expect(letGo).toEqual(left.slice(0, letGo.length));
});

test('a quarter of a million scopes leave no more gates behind than are allowed', () => {
  const world = gateWorld({ maxGates: 1000 });
  const scopeOf = (at: number): Scope => [{ by: 'token', value: `token-${at}`, secret: true }];
  for (let at = 0; at < 250_000; at += 1) {
    const ticket = world.gates.ticket({ scopes: [scopeOf(at)], owner: world, operation: 'op' });
    const answer = ticket.enter({ notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 1, repeatable: true });
    if (answer.kind !== 'pass') throw new Error('a stranger passes');
    answer.pass.report({ kind: at % 3 === 0 ? 'failed' : 'accepted', receivedMonoMs: 0 });
  }
  const { gates } = world.gates.snapshot();
  expect(gates).toHaveLength(1000);
  expect(gates.at(-1)?.gate).toBe('token#250000');
});
