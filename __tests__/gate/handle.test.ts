import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { GateNote } from '../../lib/gate/gate-note';
import type { Scope } from '../../lib/model';
import { ORIGIN, gateWorld, routeOf } from './gate-world';
import type { GateWorld } from './gate-world';

const TENANT = (tenant: string): Scope => [...ORIGIN, { by: 'tenant', value: tenant, secret: false }];
const TOKEN = (token: string, label?: string): Scope => [
  { by: 'token', value: token, secret: true, ...(label === undefined ? {} : { label }) },
];
const events = ({ notes }: GateWorld): string[] => notes.map(({ event }) => event);
const noteOf = ({ notes }: GateWorld, event: GateNote['event']): GateNote | undefined =>
  notes.find((note) => note.event === event);

describe('a snapshot', () => {
  test('shows each gate: its state, how long it is held and why, who waits, what is in flight', () => {
    const world = gateWorld();
    world.limit(5000);
    world.operation().enter();
    const flying = world.operation({ scopes: [TENANT('acme')] });
    flying.enter();
    const releaseAtEpochMs = world.clock.wallEpochMs() + 5000;
    expect(world.gates.snapshot()).toEqual({
      waiting: 1,
      gates: [
        {
          gate: 'https://a.example',
          scope: [{ by: 'origin', label: 'https://a.example' }],
          state: 'held',
          epoch: 1,
          waiting: 1,
          inFlight: 0,
          unproven: true,
          hold: { releaseAtEpochMs, because: 'hint', hintMs: 5000 },
        },
        {
          gate: 'https://a.example acme',
          scope: [
            { by: 'origin', label: 'https://a.example' },
            { by: 'tenant', label: 'acme' },
          ],
          state: 'open',
          epoch: 0,
          waiting: 0,
          inFlight: 1,
          unproven: false,
        },
      ],
    });
  });

  test('is the same object until something changes, and frozen', () => {
    const world = gateWorld();
    world.limit(5000);
    const before = world.gates.snapshot();
    expect(world.gates.snapshot()).toBe(before);
    expect(Object.isFrozen(before)).toBe(true);
    const operation = world.operation();
    operation.enter();
    const waiting = world.gates.snapshot();
    expect(waiting).not.toBe(before);
    operation.ticket.leave();
    expect(world.gates.snapshot()).not.toBe(waiting);
  });

  test('calls a gate unproven until an operation that began after the hold was accepted', async () => {
    const world = gateWorld();
    const unproven = () => world.gates.snapshot().gates[0]?.unproven;
    world.limit(1000);
    const old = world.operation();
    old.enter();
    await world.clock.advance(1000);
    old.answer('accepted');
    expect(unproven()).toBe(true);
    const young = world.operation();
    young.enter();
    young.answer('failed');
    expect(unproven()).toBe(true);
    young.enter();
    young.answer('accepted');
    expect(unproven()).toBe(false);
    expect(events(world)).toContain('proven');
  });

  test('a call that comes when the hold is over is a new operation, whoever notices the end', async () => {
    const world = gateWorld();
    world.limit(1000);
    await world.clock.advance(1500);
    const young = world.operation();
    young.enter();
    young.answer('accepted');
    expect(world.gates.snapshot().gates[0]?.unproven).toBe(false);
  });
});

describe('whoever subscribes', () => {
  test('is told of the first change at once and of all that follow ten times a second', async () => {
    const world = gateWorld();
    const told: number[] = [];
    const stop = world.gates.subscribe(() => told.push(world.clock.monoMs()));
    for (let i = 0; i < 30; i += 1) {
      world.operation().enter();
      await world.clock.advance(10);
    }
    await world.clock.advance(1000);
    expect(told).toEqual([0, 100, 200, 300]);
    stop();
    world.operation().enter();
    await world.clock.advance(1000);
    expect(told).toHaveLength(4);
    world.clock.assertIdle();
  });

  test('may throw, and may ask the gates anything', async () => {
    const world = gateWorld();
    const seen: number[] = [];
    world.gates.subscribe(() => {
      throw new Error('a listener of the application');
    });
    world.gates.subscribe(() => seen.push(world.gates.snapshot().waiting));
    world.gates.onNote(() => {
      throw new Error('another');
    });
    world.limit(1000);
    world.operation().enter();
    await world.clock.advance(100);
    expect(seen.at(-1)).toBe(1);
  });
});

describe('by hand', () => {
  test('a part is held wherever it occurs, in gates yet to come as well', () => {
    const world = gateWorld();
    world.operation({ scopes: [TENANT('acme')] }).enter();
    world.gates.hold({ by: 'tenant', value: 'acme' }, world.clock.wallEpochMs() + 5000, 'migration');
    const held = { kind: 'waiting', releaseAtMonoMs: 5000 };
    expect(world.operation({ scopes: [TENANT('acme')] }).enter()).toMatchObject(held);
    expect(
      world.operation({ scopes: [[{ by: 'tenant', value: 'acme', secret: false }]] }).enter(),
    ).toMatchObject(held);
    expect(world.operation({ scopes: [TENANT('beta')] }).enter().kind).toBe('pass');
    expect(world.gates.snapshot().gates[0]?.hold).toMatchObject({ because: 'by-hand', why: 'migration' });
    expect(noteOf(world, 'hold-began')).toMatchObject({ because: 'by-hand', why: 'migration' });
  });

  test('a hold of a part ends for gates yet to come as well', async () => {
    const world = gateWorld();
    world.gates.hold({ by: 'tenant', value: 'acme' }, world.clock.wallEpochMs() + 5000, 'x');
    await world.clock.advance(5000);
    world.operation({ scopes: [TENANT('acme')] }).enter();
    expect(world.gates.snapshot().gates[0]?.state).toBe('open');
  });

  test('the narrowest of the scopes of a request is held', () => {
    const world = gateWorld();
    world.gates.hold([routeOf('GET /a'), ORIGIN], world.clock.wallEpochMs() + 5000, 'x');
    expect(world.operation({ scopes: [routeOf('GET /a'), ORIGIN] }).enter().kind).toBe('waiting');
    expect(world.operation({ scopes: [ORIGIN] }).enter().kind).toBe('pass');
  });

  test('a hold never shortens another, and one in the past is none', () => {
    const world = gateWorld();
    world.limit(60_000);
    world.gates.hold([ORIGIN], world.clock.wallEpochMs() + 5000, 'x');
    expect(world.operation().enter()).toMatchObject({ releaseAtMonoMs: 60_000 });
    world.gates.hold([TENANT('acme')], world.clock.wallEpochMs() - 1, 'x');
    expect(world.operation({ scopes: [TENANT('acme')] }).enter().kind).toBe('pass');
  });

  test('a release lets a probe go at once, and only a probe', async () => {
    const world = gateWorld();
    world.limit(60_000);
    const operations = [world.operation(), world.operation()];
    for (const operation of operations) operation.enter();
    await world.clock.advance(1000);
    world.gates.release({ by: 'origin', value: 'https://a.example' });
    await world.clock.advance(0);
    expect(operations.map(({ enteredMonoMs }) => enteredMonoMs)).toEqual([1000, undefined]);
    expect(operations[0]?.pass.probing).toBe(true);
    expect(events(world)).toContain('released-by-hand');
  });

  test('a release takes a standing hold back, for gates yet to come as well', () => {
    const world = gateWorld();
    world.gates.hold({ by: 'tenant', value: 'acme' }, world.clock.wallEpochMs() + 5000, 'x');
    world.gates.release({ by: 'tenant', value: 'acme' });
    expect(world.operation({ scopes: [TENANT('acme')] }).enter().kind).toBe('pass');
  });
});

describe('the notes', () => {
  test('tell a hold, its probe, what came of it and what was learned, with label and epoch', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = Array.from({ length: 40 }, () => world.operation());
    for (const operation of operations) operation.enter();
    await world.clock.advance(1000);
    operations[0]?.answer('accepted');
    await world.clock.advance(1000);
    operations[1]?.limited(2000);
    await world.clock.advance(2000);
    operations.find(({ enteredMonoMs = 0 }) => enteredMonoMs > 2000)?.answer('accepted');
    expect(events(world)).toEqual(
      expect.arrayContaining(['hold-began', 'hold-ended', 'probe', 'verdict', 'overshoot', 'rate']),
    );
    expect(world.notes[0]).toEqual({
      event: 'hold-began',
      gate: 'https://a.example',
      epoch: 1,
      operation: 'op1',
      atMonoMs: 0,
      untilMonoMs: 1000,
      because: 'hint',
      hintMs: 1000,
    });
    expect(noteOf(world, 'probe')).toMatchObject({ operation: operations[0]?.name, epoch: 1 });
    expect(noteOf(world, 'verdict')).toMatchObject({ verdict: 'accepted' });
    expect(noteOf(world, 'overshoot')).toMatchObject({ accepted: 1, epoch: 2 });
  });

  test('tell a verdict of every kind', async () => {
    const verdictAfter = async (answer: 'failed' | 'unjudged' | 'limited') => {
      const world = gateWorld();
      world.limit(1000);
      const probe = world.operation();
      probe.enter();
      await world.clock.advance(1000);
      if (answer === 'limited') probe.limited(1000);
      else probe.answer(answer);
      return noteOf(world, 'verdict');
    };
    expect(await verdictAfter('limited')).toMatchObject({ verdict: 'limited' });
    expect(await verdictAfter('failed')).toMatchObject({ verdict: 'failed' });
    expect(await verdictAfter('unjudged')).toMatchObject({ verdict: 'none' });
  });

  test('stop when they are no longer listened to', () => {
    const world = gateWorld();
    const heard: GateNote[] = [];
    const stop = world.gates.onNote((note) => heard.push(note));
    stop();
    world.limit(1000);
    expect(heard).toEqual([]);
  });
});

describe('bounds', () => {
  const gatesOf = ({ gates }: GateWorld) => gates.snapshot().gates;

  test('gates that have been idle for a minute are forgotten when somebody asks', async () => {
    const world = gateWorld();
    for (let i = 0; i < 100; i += 1) world.limit(1000, { scopes: [TOKEN(`t${i}`)] });
    expect(gatesOf(world)).toHaveLength(100);
    await world.clock.advance(60_999);
    expect(gatesOf(world)).toHaveLength(100);
    await world.clock.advance(1);
    expect(gatesOf(world)).toHaveLength(0);
    world.clock.assertIdle();
  });

  test('a full book forgets the open and longest idle first, then the held, never one in use', async () => {
    const world = gateWorld({ maxGates: 3 });
    const [held, waited, open, flying, next] = ['held', 'waited', 'open', 'flying', 'next'].map((name) => [
      TENANT(name),
    ]);
    world.limit(5000, { scopes: held! });
    world.limit(9000, { scopes: waited! });
    world.operation({ scopes: waited! }).enter();
    const one = world.operation({ scopes: open! });
    one.enter();
    one.answer('accepted');
    world.operation({ scopes: flying! }).enter();
    const names = () => gatesOf(world).map(({ scope }) => scope[1]?.label);
    expect(names()).toEqual(['held', 'waited', 'flying']);
    world.operation({ scopes: next! }).enter();
    expect(names()).toEqual(['waited', 'flying', 'next']);
    expect(world.notes.filter(({ event }) => event === 'evicted')).toHaveLength(2);
  });

  test('a pass that comes back to a gate in use is never lost to the bound', () => {
    const world = gateWorld({ maxGates: 1 });
    const [a, b] = [world.operation({ scopes: [TENANT('a')] }), world.operation({ scopes: [TENANT('b')] })];
    a.enter();
    b.enter();
    a.limited(5000);
    expect(world.operation({ scopes: [TENANT('a')] }).enter().kind).toBe('waiting');
  });

  test('long values count, but are not kept at their length', () => {
    const world = gateWorld();
    const long = (end: string): Scope => [{ by: 'tenant', value: 'x'.repeat(100_000) + end, secret: false }];
    world.limit(5000, { scopes: [long('a')] });
    expect(world.operation({ scopes: [long('a')] }).enter().kind).toBe('waiting');
    expect(world.operation({ scopes: [long('b')] }).enter().kind).toBe('pass');
    expect(JSON.stringify(world.gates.snapshot()).length).toBeLessThan(3000);
  });

  test('no value can be mistaken for the boundary of another', () => {
    const world = gateWorld();
    const scope = (first: string, second: string): Scope => [
      { by: 'a', value: first, secret: false },
      { by: 'b', value: second, secret: false },
    ];
    world.limit(5000, { scopes: [scope('x', '1:y;b=1:z')] });
    expect(world.operation({ scopes: [scope('x;b=9:1:y', 'z')] }).enter().kind).toBe('pass');
    expect(world.operation({ scopes: [[{ by: 'a', value: '1', secret: true }]] }).enter().kind).toBe('pass');
    expect(gatesOf(world)).toHaveLength(3);
  });
});

describe('secrets', () => {
  test('a credential is a running number, the same for the same credential, and never shown', async () => {
    const world = gateWorld();
    const secret = 'sk-SECRET-0123456789';
    world.limit(5000, { scopes: [TOKEN(secret), ORIGIN] });
    const waiting = world.operation({ scopes: [TOKEN(secret), ORIGIN] });
    const answer = waiting.enter();
    const passing = world.operation({ scopes: [TOKEN('other'), ORIGIN] });
    passing.enter();
    world.gates.hold({ by: 'token', value: secret }, world.clock.wallEpochMs() + 9000, 'x');
    const seen = [world.gates, world.gates.snapshot(), world.notes, waiting.ticket, answer, passing.entered];
    const dumps = seen.flatMap((one) => [
      inspect(one, { depth: 20, showHidden: true }),
      JSON.stringify(shallow(one)),
    ]);
    expect(dumps.filter((dump) => dump.includes('SECRET'))).toEqual([]);
    expect(world.gates.snapshot().gates.map(({ gate }) => gate)).toEqual([
      'token#1',
      'https://a.example',
      'token#2',
    ]);
    await world.clock.advance(9000);
    expect(waiting.entered?.kind).toBe('pass');
  });

  test('one that comes back after all its gates were forgotten has another number', async () => {
    const world = gateWorld();
    const label = () => {
      world.operation({ scopes: [TOKEN('sk-1')] }).enter();
      return world.gates.snapshot().gates.at(-1)?.gate;
    };
    const operation = world.operation({ scopes: [TOKEN('sk-1')] });
    operation.enter();
    operation.answer('accepted');
    expect(world.gates.snapshot().gates[0]?.gate).toBe('token#1');
    await world.clock.advance(60_000);
    expect(label()).toBe('token#2');
  });

  test('the label of the caller stands for it where there is one', () => {
    const world = gateWorld();
    world.limit(5000, { scopes: [TOKEN('sk-SECRET', 'billing')] });
    expect(world.gates.snapshot().gates[0]?.gate).toBe('billing');
  });
});

/** What JSON shows of an object whose parts refer to each other. */
function shallow(value: unknown): unknown {
  const seen = new Set<unknown>();
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part !== 'object' || part === null) return part;
      if (seen.has(part)) return 'seen';
      seen.add(part);
      return part;
    }),
  );
}
