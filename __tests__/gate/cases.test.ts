import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Scope } from '../../lib/model';
import { ORIGIN, gateWorld, routeOf } from './gate-world';
import type { GateWorld, OperationFacts, TestOperation } from './gate-world';

// Failures seen in the field, by their ids. What needs a client around the gates is tested there.

const token = (value: string): Scope => [{ by: 'token', value, secret: true }];
const own = (value: string): Scope => [{ by: 'own', value, secret: false }];

const entered = (world: GateWorld, count: number, facts: OperationFacts = {}): TestOperation[] => {
  const operations = Array.from({ length: count }, () => world.operation(facts));
  for (const operation of operations) operation.enter();
  return operations;
};
const starts = (operations: readonly TestOperation[]): (number | undefined)[] =>
  operations.map(({ enteredMonoMs }) => enteredMonoMs);

/** Answers every pass `afterMs` after it was given, for as long as there is something to do. */
async function serve(
  world: GateWorld,
  operations: readonly TestOperation[],
  { afterMs, untilMs }: Service,
): Promise<Load> {
  const answered = new Set<TestOperation>();
  let mostInFlight = 0;
  while (world.clock.monoMs() < untilMs) {
    const passes = operations.filter((one) => one.entered?.kind === 'pass' && !answered.has(one));
    mostInFlight = Math.max(mostInFlight, passes.length);
    for (const one of passes.filter(
      ({ enteredMonoMs = 0 }) => world.clock.monoMs() >= enteredMonoMs + afterMs,
    )) {
      answered.add(one);
      one.answer('accepted');
    }
    await world.clock.advance(1);
  }
  return { answered: answered.size, mostInFlight };
}

interface Service {
  readonly afterMs: number;
  readonly untilMs: number;
}

interface Load {
  readonly answered: number;
  readonly mostInFlight: number;
}

describe('gate', () => {
  test('GAT-01: a hint is for the scope, not for the one request', async () => {
    const world = gateWorld();
    world.limit(60_000);
    const operations: TestOperation[] = [];
    for (let i = 0; i < 3; i += 1) {
      await world.clock.advance(1000);
      operations.push(...entered(world, 1));
    }
    await world.clock.advance(56_999);
    expect(starts(operations)).toEqual([undefined, undefined, undefined]);
    const { answered } = await serve(world, operations, { afterMs: 10, untilMs: 61_000 });
    expect(answered).toBe(3);
  });

  test('GAT-03: a wake-up reaches every waiter, whatever its narrow scope', async () => {
    const world = gateWorld();
    world.limit(5000, { scopes: [ORIGIN] });
    const operations = ['a', 'b', 'c'].flatMap((route) =>
      entered(world, 1, { scopes: [routeOf(route), ORIGIN] }),
    );
    const { answered } = await serve(world, operations, { afterMs: 10, untilMs: 7000 });
    expect(answered).toBe(3);
    expect(starts(operations).every((start = 0) => start >= 5000)).toBe(true);
  });

  test('GAT-05: a request that is sent again passes the same gate as a first one', async () => {
    const world = gateWorld();
    const [a, b] = entered(world, 2);
    a?.limited(2000);
    a?.enter({ notBeforeMonoMs: 2000 });
    await world.clock.advance(1000);
    b?.limited(9000);
    await world.clock.advance(8999);
    expect(a?.entered).toBeUndefined();
    await world.clock.advance(1);
    expect(a?.enteredMonoMs).toBe(10_000);
  });

  test('GAT-06: whoever waits for a slot is not sent when a limit comes in between', async () => {
    const world = gateWorld({ concurrency: 1 });
    const [a, b, c] = entered(world, 3);
    await world.clock.advance(100);
    a?.limited(5000);
    await world.clock.advance(5000);
    expect([b?.enteredMonoMs, c?.enteredMonoMs]).toEqual([5100, undefined]);
  });

  test('GAT-08: a success of a request that was sent before the block lifts nothing', async () => {
    const world = gateWorld();
    const [a, b] = entered(world, 2);
    await world.clock.advance(100);
    a?.limited(30_000);
    await world.clock.advance(900);
    b?.answer('accepted');
    await world.clock.advance(1000);
    const [c] = entered(world, 1);
    await world.clock.advance(60_000);
    expect(c?.enteredMonoMs).toBe(30_100);
  });

  test('GAT-09: the throttling of one token stops no other', async () => {
    const world = gateWorld();
    world.limit(60_000, { scopes: [token('t1')] });
    await world.clock.advance(1000);
    const [other] = entered(world, 1, { scopes: [token('t2')] });
    const [same] = entered(world, 1, { scopes: [token('t1')] });
    expect(other?.enteredMonoMs).toBe(1000);
    await world.clock.advance(60_000);
    expect(same?.enteredMonoMs).toBe(60_000);
  });

  test('GAT-11: all scopes of a request must be open', async () => {
    const world = gateWorld();
    const scopes = [own('tenant:7'), own('app')];
    world.limit(20_000, { scopes: [own('app')] });
    const [first] = entered(world, 1, { scopes });
    await world.clock.advance(20_000);
    expect(first?.enteredMonoMs).toBe(20_000);

    const both = gateWorld();
    both.limit(20_000, { scopes: [own('app')] });
    both.limit(30_000, { scopes: [own('tenant:7')] });
    const [second] = entered(both, 1, { scopes });
    await both.clock.advance(30_000);
    expect(second?.enteredMonoMs).toBe(30_000);
  });

  test('GAT-12: state per token is dropped, however many tokens there were', async () => {
    const world = gateWorld();
    for (let i = 0; i < 10_000; i += 1) {
      const [operation] = entered(world, 1, { scopes: [token(`token-${i}`)] });
      operation?.limited(1000);
      operation?.enter({ notBeforeMonoMs: world.clock.monoMs() + 1000 });
      await world.clock.advance(1080);
      operation?.answer('accepted');
    }
    expect(world.gates.snapshot().gates.length).toBeLessThan(100);
    await world.clock.advance(60_000);
    expect(world.gates.snapshot().gates).toEqual([]);
  });

  test('GAT-13: a full queue is told at once', async () => {
    const world = gateWorld({ maxQueued: 100 });
    world.limit(60_000);
    const held = entered(world, 100);
    expect(world.operation().enter()).toMatchObject({ kind: 'refused', because: 'queue-full' });
    const { answered } = await serve(world, held, { afterMs: 10, untilMs: 65_000 });
    expect(answered).toBe(100);
  });

  test('GAT-16: a held request that breaks as it is sent wedges nobody', async () => {
    const world = gateWorld();
    world.limit(5000);
    const [a, b, c] = entered(world, 3);
    await world.clock.advance(5000);
    a?.answer('unjudged');
    const { answered } = await serve(world, [b!, c!], { afterMs: 10, untilMs: 6000 });
    expect(answered).toBe(2);
  });

  test('GAT-17: a server error without a hint closes nothing, one with a hint does', async () => {
    const world = gateWorld();
    const [a] = entered(world, 1);
    a?.answer('failed');
    a?.enter({ notBeforeMonoMs: 200 });
    await world.clock.advance(50);
    const [b] = entered(world, 1);
    await world.clock.advance(500);
    expect([b?.enteredMonoMs, a?.enteredMonoMs]).toEqual([50, 200]);

    const hinted = gateWorld();
    hinted.limit(5000);
    const [held] = entered(hinted, 1);
    await hinted.clock.advance(6000);
    expect(held?.enteredMonoMs).toBe(5000);
  });

  test('GAT-18: the same hint counts once, however many answers carry it', async () => {
    const world = gateWorld({ concurrency: 50 });
    const operations = entered(world, 10);
    for (const operation of operations) operation.answer('accepted');
    const flight = entered(world, 10);
    for (const operation of flight) {
      operation.limited(10_000);
      operation.enter({ notBeforeMonoMs: 10_000 });
    }
    await world.clock.advance(11_000);
    expect(starts(flight).filter((start) => start !== undefined)).toEqual([10_000]);
    expect(world.notes.filter(({ event }) => event === 'hold-began')).toHaveLength(1);
  });
});

describe('herd', () => {
  const heldBehind10s = (world: GateWorld, count: number): TestOperation[] => {
    world.limit(10_000);
    return entered(world, count);
  };

  test('HRD-01: equal hints do not let all of them go in the same instant', async () => {
    const world = gateWorld();
    const operations = heldBehind10s(world, 20);
    const { answered } = await serve(world, operations, { afterMs: 50, untilMs: 12_000 });
    const instants = starts(operations).map((start = 0) => start);
    expect(answered).toBe(20);
    expect(Math.min(...instants)).toBe(10_000);
    expect(instants.filter((start) => start === 10_000)).toHaveLength(1);
    const slots = instants.map((start) => Math.floor(start / 10));
    expect(Math.max(...slots.map((slot) => slots.filter((one) => one === slot).length))).toBeLessThanOrEqual(
      8,
    );
    expect(new Set(instants).size).toBeGreaterThanOrEqual(4);
  });

  test('HRD-03: one probe goes first, and the others start only when it has been answered', async () => {
    const world = gateWorld();
    const operations = heldBehind10s(world, 20);
    await serve(world, operations, { afterMs: 500, untilMs: 20_000 });
    expect(starts(operations).filter((start = 0) => start < 10_500)).toEqual([10_000]);
  });

  test('HRD-05: a recovery is a ramp, and the ramp ends', async () => {
    const world = gateWorld();
    const operations = heldBehind10s(world, 64);
    const inFlight: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { mostInFlight } = await serve(world, operations, {
        afterMs: 100,
        untilMs: 10_000 + 100 * (round + 1),
      });
      inFlight.push(mostInFlight);
    }
    inFlight.forEach((count, round) => expect(count).toBeLessThanOrEqual(2 ** round));
    const world2 = gateWorld();
    const { answered } = await serve(world2, heldBehind10s(world2, 64), { afterMs: 100, untilMs: 12_000 });
    expect(answered).toBe(64);
  });

  test('HRD-06: a probe whose caller aborts hands its right on', async () => {
    const world = gateWorld();
    const operations = heldBehind10s(world, 10);
    await world.clock.advance(10_200);
    operations[0]?.answer('unjudged');
    const { answered } = await serve(world, operations.slice(1), { afterMs: 20, untilMs: 12_000 });
    expect(operations[1]?.enteredMonoMs).toBe(10_200);
    expect(answered).toBe(9);
  });

  test('HRD-11: no evidence of capacity means a slow start', async () => {
    const world = gateWorld({ backoffMs: () => 1000 });
    world.limit();
    const operations = entered(world, 10);
    const sends: number[] = [];
    let throttled = 0;
    let servedSecond = 0;
    const open = new Set(operations);
    while (open.size > 0 && world.clock.monoMs() < 60_000) {
      for (const operation of [...open].filter((one) => one.entered?.kind === 'pass')) {
        const second = Math.floor(world.clock.monoMs() / 1000);
        sends.push(world.clock.monoMs());
        if (second > servedSecond) {
          servedSecond = second;
          open.delete(operation);
          operation.answer('accepted');
        } else {
          if (world.clock.monoMs() < 10_000) throttled += 1;
          operation.limited();
          operation.enter();
        }
      }
      await world.clock.advance(5);
    }
    expect(open.size).toBe(0);
    expect(sends.filter((at) => at < 2000).length).toBeLessThanOrEqual(3);
    expect(throttled).toBeLessThanOrEqual(5);
  });
});

describe('security', () => {
  test('SEC-05: a token is not the name of its scope, and equal tokens share one', () => {
    const world = gateWorld();
    world.limit(60_000, { scopes: [token('sk-SECRET')] });
    const [operation] = entered(world, 1, { scopes: [token('sk-SECRET')] });
    expect(operation?.entered).toBeUndefined();
    const dumps = [world.gates, world.gates.snapshot(), world.notes, operation?.ticket].map((one) =>
      inspect(one, { depth: 20 }),
    );
    expect(dumps.join('\n')).not.toContain('sk-SECRET');
    expect(JSON.stringify([world.gates, world.gates.snapshot(), world.notes])).not.toContain('sk-SECRET');
  });

  test('SEC-07: names of built-in properties are names like any other', async () => {
    const world = gateWorld();
    const names = ['__proto__', 'constructor', 'toString', 'a'];
    for (const name of names) world.limit(5000, { scopes: [own(name)] });
    await world.clock.advance(1000);
    const operations = names.flatMap((name) => entered(world, 1, { scopes: [own(name)], turn: name }));
    expect(starts(operations)).toEqual([undefined, undefined, undefined, undefined]);
    expect(({} as Record<string, unknown>)['until']).toBeUndefined();
    expect(world.operation({ scopes: [own('b')] }).enter().kind).toBe('pass');
    await world.clock.advance(4000);
    expect(starts(operations)).toEqual([5000, 5000, 5000, 5000]);
  });
});
