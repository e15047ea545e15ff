import { describe, expect, test } from '@jest/globals';
import { ORIGIN, gateWorld, routeOf } from './gate-world';
import type { TestOperation } from './gate-world';

const stateOf = (world: ReturnType<typeof gateWorld>, gate = 'https://a.example'): string | undefined =>
  world.gates.snapshot().gates.find((one) => one.gate === gate)?.state;

const kinds = (operations: readonly TestOperation[]): (string | undefined)[] =>
  operations.map(({ entered }) => entered?.kind);

const waiters = (world: ReturnType<typeof gateWorld>, count: number): TestOperation[] => {
  const operations = Array.from({ length: count }, () => world.operation());
  for (const operation of operations) operation.enter();
  return operations;
};

describe('an open gate', () => {
  test('gives a pass at once, and no timer runs', () => {
    const world = gateWorld();
    const operation = world.operation();
    expect(operation.enter().kind).toBe('pass');
    operation.answer('accepted');
    world.clock.assertIdle();
  });

  test('lets ten strangers go at once and then one every five milliseconds', async () => {
    const world = gateWorld();
    const operations = waiters(world, 13);
    expect(kinds(operations).filter((kind) => kind === 'pass')).toHaveLength(10);
    await world.clock.advance(20);
    expect(operations.slice(10).map((one) => one.enteredMonoMs)).toEqual([5, 10, 15]);
    world.clock.assertIdle();
  });

  test('lets one more stranger go for every two accepted answers', async () => {
    const world = gateWorld();
    const operations = waiters(world, 15);
    operations[0]?.answer('accepted');
    operations[1]?.answer('accepted');
    await world.clock.advance(0);
    expect(kinds(operations).filter((kind) => kind === 'pass')).toHaveLength(11);
  });

  test('knows no bound once it has accepted as many as wait or are in flight', async () => {
    const world = gateWorld();
    for (let i = 0; i < 30; i += 1) {
      const operation = world.operation();
      operation.enter();
      operation.answer('accepted');
      await world.clock.advance(100);
    }
    const operations = waiters(world, 31);
    expect(kinds(operations)).toEqual([...Array.from({ length: 30 }, () => 'pass'), undefined]);
    await world.clock.advance(5);
    expect(operations.at(-1)?.entered?.kind).toBe('pass');
  });

  test('lets no more go because the process was busy while they came', async () => {
    const world = gateWorld();
    const operations = waiters(world, 10);
    for (let i = 0; i < 30; i += 1) {
      operations.push(world.operation());
      operations.at(-1)?.enter();
      // Time passes, but no timer can fire: as in one long synchronous loop.
      Object.assign(world.clock, { monoMs: () => i * 5 });
    }
    expect(kinds(operations).filter((kind) => kind === 'pass')).toHaveLength(10);
    Object.assign(world.clock, { monoMs: () => 1000 });
    world.gates.overhear([ORIGIN], { kind: 'unjudged' });
    operations[0]?.answer('failed');
    await world.clock.advance(0);
    expect(kinds(operations).filter((kind) => kind === 'pass')).toHaveLength(11);
  });

  test('lets no wave go because of a single call that was accepted before', async () => {
    const world = gateWorld();
    const first = world.operation();
    first.enter();
    first.answer('accepted');
    await world.clock.advance(1000);
    expect(kinds(waiters(world, 200)).filter((kind) => kind === 'pass')).toHaveLength(10);
  });

  test('is not closed by failures', () => {
    const world = gateWorld();
    for (let i = 0; i < 5; i += 1) {
      const operation = world.operation();
      operation.enter();
      operation.answer('failed');
    }
    expect(world.operation().enter().kind).toBe('pass');
  });

  test('lets no more be in flight than concurrency allows', async () => {
    const world = gateWorld({ concurrency: 2 });
    const operations = waiters(world, 3);
    expect(kinds(operations)).toEqual(['pass', 'pass', undefined]);
    operations[1]?.answer('failed');
    await world.clock.advance(0);
    expect(kinds(operations)).toEqual(['pass', 'pass', 'pass']);
  });

  test('fills a place at once that comes free, as long as the opening burst lasts', async () => {
    const world = gateWorld({ concurrency: 2 });
    const operations = waiters(world, 10);
    for (let at = 0; at < 8; at += 2) {
      await world.clock.advance(100);
      operations[at]?.answer('accepted');
      operations[at + 1]?.answer('accepted');
      await world.clock.advance(0);
      expect(operations.slice(at + 2, at + 4).map(({ enteredMonoMs }) => enteredMonoMs)).toEqual(
        Array.from({ length: 2 }, () => world.clock.monoMs()),
      );
    }
  });

  test('has the operation wait for its own instant, while others pass', async () => {
    const world = gateWorld();
    const late = world.operation();
    expect(late.enter({ notBeforeMonoMs: 200 })).toMatchObject({ kind: 'waiting', state: 'open' });
    await world.clock.advance(50);
    expect(world.operation().enter().kind).toBe('pass');
    await world.clock.advance(150);
    expect(late.enteredMonoMs).toBe(200);
  });
});

describe('a limit', () => {
  test('holds everybody until receipt plus hint, to the millisecond without jitter', async () => {
    const world = gateWorld();
    world.limit(5000);
    const operation = world.operation();
    expect(operation.enter()).toMatchObject({
      kind: 'waiting',
      state: 'held',
      releaseAtMonoMs: 5000,
      ahead: 0,
    });
    await world.clock.advance(4999);
    expect(operation.entered).toBeUndefined();
    await world.clock.advance(1);
    expect(operation.enteredMonoMs).toBe(5000);
  });

  test('with jitter holds at most 30 ms and a tenth of the hint longer', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const world = gateWorld({ jitter: 0.1 });
      for (let i = 0; i < seed; i += 1) world.clock.roll();
      world.limit(5000);
      const operation = world.operation();
      operation.enter();
      await world.clock.advance(6000);
      expect(operation.enteredMonoMs).toBeGreaterThanOrEqual(5030);
      expect(operation.enteredMonoMs).toBeLessThanOrEqual(5530);
    }
  });

  test('without a hint closes the gate for own backoff', async () => {
    const world = gateWorld();
    world.limit();
    const operation = world.operation();
    operation.enter();
    await world.clock.advance(2000);
    expect(operation.enteredMonoMs).toBe(1000);
  });

  test('of a later receipt prolongs the hold, and no limit shortens it', async () => {
    const world = gateWorld();
    const [first, second, third] = waiters(world, 3);
    first?.limited(2000);
    await world.clock.advance(1000);
    second?.limited(9000);
    third?.limited(1000);
    const operation = world.operation();
    operation.enter();
    await world.clock.advance(20_000);
    expect(operation.enteredMonoMs).toBe(10_000);
  });

  test('is not lifted by the success of an exchange that was sent before it', async () => {
    const world = gateWorld();
    const [first, second] = waiters(world, 2);
    first?.limited(30_000);
    second?.answer('accepted');
    expect(world.operation().enter().kind).toBe('waiting');
    await world.clock.advance(29_999);
    expect(stateOf(world)).toBe('held');
  });

  test('holds no longer than the longest hold allowed', async () => {
    const world = gateWorld({ maxHoldMs: 60_000 });
    world.limit(86_400_000);
    const operation = world.operation();
    operation.enter();
    await world.clock.advance(60_000);
    expect(operation.enteredMonoMs).toBe(60_000);
  });

  test('of an earlier epoch holds again a gate that is being released', async () => {
    const world = gateWorld();
    const [first, straggler] = waiters(world, 2);
    first?.limited(1000);
    const probe = world.operation();
    const others = [probe, world.operation(), world.operation(), world.operation()];
    for (const operation of others) operation.enter();
    await world.clock.advance(1000);
    probe.answer('accepted');
    straggler?.limited(7000);
    await world.clock.advance(100);
    expect(stateOf(world)).toBe('held');
    await world.clock.advance(6899);
    expect(kinds(others).filter((kind) => kind === undefined).length).toBeGreaterThan(0);
    await world.clock.advance(1);
    expect(others.filter(({ enteredMonoMs }) => enteredMonoMs === 8000)).toHaveLength(1);
  });

  test('heard of from an exchange without a pass holds as well, while its success proves nothing', () => {
    const world = gateWorld();
    world.gates.overhear([ORIGIN], { kind: 'limited', receivedMonoMs: 0, hintMs: 5000 });
    world.gates.overhear([ORIGIN], { kind: 'accepted', receivedMonoMs: 0 });
    world.gates.overhear([routeOf('GET /a')], { kind: 'accepted', receivedMonoMs: 0 });
    world.gates.overhear([routeOf('GET /a')], { kind: 'failed', receivedMonoMs: 0 });
    expect(world.gates.snapshot().gates).toHaveLength(1);
    expect(world.operation().enter()).toMatchObject({ kind: 'waiting', releaseAtMonoMs: 5000 });
  });
});

describe('a probe', () => {
  test('is one alone, and the others follow only when it is accepted', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 20);
    await world.clock.advance(1400);
    expect(kinds(operations).filter((kind) => kind === 'pass')).toHaveLength(1);
    expect(operations[0]?.pass.probing).toBe(true);
    operations[0]?.answer('accepted');
    await world.clock.advance(5000);
    expect(kinds(operations).filter((kind) => kind === 'pass').length).toBeGreaterThan(1);
    expect(operations[1]?.pass.probing).toBe(false);
  });

  test('is the operation with most exchanges left among the first eight, fit to be repeated before all', async () => {
    const world = gateWorld();
    world.limit(1000);
    const terms = [
      { exchangesLeft: 9, repeatable: false },
      { exchangesLeft: 1 },
      { exchangesLeft: 3 },
      { exchangesLeft: 3 },
      ...Array.from({ length: 4 }, () => ({ exchangesLeft: 2 })),
      { exchangesLeft: 9 },
    ];
    const operations = terms.map((one) => {
      const operation = world.operation();
      operation.enter(one);
      return operation;
    });
    await world.clock.advance(1000);
    expect(operations.map(({ entered }) => entered?.kind)).toEqual(
      terms.map((_, at) => (at === 2 ? 'pass' : undefined)),
    );
  });

  test('is the oldest when none of the first eight is fit to be repeated', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 0);
    for (let i = 0; i < 9; i += 1) {
      const operation = world.operation();
      operation.enter({ repeatable: i === 8, exchangesLeft: i });
      operations.push(operation);
    }
    await world.clock.advance(1000);
    expect(operations[0]?.entered?.kind).toBe('pass');
  });

  test('that meets a limit holds the gate again; the first keeps the hint, the next trust it less', async () => {
    const world = gateWorld({ backoffMs: () => 100 });
    world.limit(1000);
    const operations = waiters(world, 4);
    await world.clock.advance(1000);
    operations[0]?.limited(1000);
    await world.clock.advance(1000);
    expect(operations[1]?.enteredMonoMs).toBe(2000);
    operations[1]?.limited(1000);
    await world.clock.advance(1500);
    expect(operations[2]?.enteredMonoMs).toBe(3500);
    operations[2]?.limited(1000);
    await world.clock.advance(2250);
    expect(operations[3]?.enteredMonoMs).toBe(5750);
  });

  test('that fails holds for own backoff, which grows', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 3);
    await world.clock.advance(1000);
    operations[0]?.answer('failed');
    await world.clock.advance(1000);
    expect(operations[1]?.enteredMonoMs).toBe(2000);
    operations[1]?.answer('failed');
    await world.clock.advance(2000);
    expect(operations[2]?.enteredMonoMs).toBe(4000);
  });

  test('that comes back unjudged passes its right on at once', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 3);
    await world.clock.advance(1200);
    operations[0]?.answer('unjudged');
    await world.clock.advance(0);
    expect(operations[1]?.enteredMonoMs).toBe(1200);
    expect(operations[1]?.pass.probing).toBe(true);
  });

  test('that hangs loses its right after five seconds, and its answer opens nothing then', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 3);
    await world.clock.advance(6000);
    expect(operations[1]?.enteredMonoMs).toBe(6000);
    operations[0]?.answer('accepted');
    await world.clock.advance(10);
    expect(operations[2]?.entered).toBeUndefined();
    expect(stateOf(world)).toBe('probing');
  });

  test('that nobody is there for waits for the next who comes', async () => {
    const world = gateWorld();
    world.limit(1000);
    await world.clock.advance(5000);
    world.clock.assertIdle();
    const operation = world.operation();
    expect(operation.enter().kind).toBe('pass');
    expect(operation.pass.probing).toBe(true);
    expect(world.operation().enter().kind).toBe('waiting');
  });
});

describe('waiting', () => {
  test('is refused before it begins when the hold certainly ends too late', () => {
    const world = gateWorld();
    world.limit(60_000);
    const refused = {
      kind: 'refused',
      because: 'deadline-too-near',
      releaseAtMonoMs: 60_000,
      gate: 'https://a.example',
    };
    expect(world.operation().enter({ budgetMs: 30_000 })).toMatchObject(refused);
    expect(world.operation().enter({ budgetMs: 60_000 })).toMatchObject(refused);
    expect(world.operation().enter({ budgetMs: 60_099, reserveMs: 100 })).toMatchObject(refused);
    expect(world.operation().enter({ budgetMs: 60_100, reserveMs: 100 }).kind).toBe('waiting');
  });

  test('is refused when at twice the learned rate its turn certainly comes too late', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operations = waiters(world, 400);
    // Two saturated epochs teach a rate of about ten per second.
    for (let epoch = 0; epoch < 2; epoch += 1) {
      await world.clock.advance(1000);
      for (let answered = 0; answered < 10;) {
        const next = operations.find((one) => one.entered?.kind === 'pass');
        if (next !== undefined) {
          operations.splice(operations.indexOf(next), 1);
          next.answer('accepted');
          answered += 1;
        }
        await world.clock.advance(10);
      }
      const last = operations.findIndex((one) => one.entered?.kind === 'pass');
      operations.splice(last, 1)[0]?.limited(1000);
    }
    const rate = world.gates.snapshot().gates[0]?.perSecond ?? 0;
    const turnMs = (operations.length / (2 * rate)) * 1000;
    expect(turnMs).toBeGreaterThan(5000);
    expect(world.operation().enter({ budgetMs: turnMs * 0.9 })).toMatchObject({
      because: 'deadline-too-near',
    });
    expect(world.operation().enter({ budgetMs: turnMs + 1200 }).kind).toBe('waiting');
  });

  test('is refused when the rest of the hold exceeds the own bound of whoever comes', () => {
    const world = gateWorld();
    world.limit(60_000);
    expect(world.operation().enter({ maxHoldMs: 59_999 })).toMatchObject({
      kind: 'refused',
      because: 'hint-too-long',
    });
    expect(world.operation().enter({ maxHoldMs: 60_000 }).kind).toBe('waiting');
  });

  test('may be longer than the own bound where a person holds the gate, not a server', async () => {
    const world = gateWorld();
    world.gates.hold([ORIGIN], world.clock.wallEpochMs() + 60_000, 'maintenance');
    const bounded = world.operation();
    expect(bounded.enter({ maxHoldMs: 1000 }).kind).toBe('waiting');
    expect(world.operation().enter({ budgetMs: 59_000 })).toMatchObject({ because: 'deadline-too-near' });
    world.gates.hold([ORIGIN], world.clock.wallEpochMs() + 90_000, 'maintenance');
    await world.clock.advance(90_000);
    expect(bounded.enteredMonoMs).toBe(90_000);
  });

  test('is refused when the deadline has passed, even where the gate is open', async () => {
    const world = gateWorld();
    const deadline = { atMonoMs: 10, atEpochMs: world.clock.wallEpochMs() + 10 };
    await world.clock.advance(10);
    expect(world.operation().enter({ deadline })).toMatchObject({
      kind: 'refused',
      because: 'deadline-passed',
    });
  });

  test('ends at the deadline when nothing was certain before', async () => {
    const world = gateWorld({ concurrency: 1 });
    world.operation().enter();
    const operation = world.operation();
    expect(operation.enter({ budgetMs: 500, reserveMs: 100 }).kind).toBe('waiting');
    await world.clock.advance(1000);
    expect(operation.entered).toMatchObject({ kind: 'refused', because: 'deadline-too-near' });
    expect(operation.enteredMonoMs).toBe(400);
    world.clock.assertIdle();
  });

  test('ends at once for those whose deadline a prolonged hold passes', async () => {
    const world = gateWorld();
    const [first, second] = waiters(world, 2);
    first?.limited(1000);
    const hurried = world.operation();
    const patient = world.operation();
    hurried.enter({ budgetMs: 3000 });
    patient.enter({ budgetMs: 9000 });
    const bounded = world.operation();
    bounded.enter({ maxHoldMs: 2000 });
    await world.clock.advance(500);
    second?.limited(5000);
    await world.clock.advance(0);
    expect(hurried.entered).toMatchObject({
      kind: 'refused',
      because: 'deadline-too-near',
      releaseAtMonoMs: 5500,
    });
    expect(bounded.entered).toMatchObject({ kind: 'refused', because: 'hint-too-long' });
    expect(patient.entered).toBeUndefined();
  });

  test('is refused at once when the queue is full', () => {
    const world = gateWorld({ maxQueued: 2 });
    world.limit(1000);
    expect(waiters(world, 2)).toHaveLength(2);
    expect(world.operation().enter()).toMatchObject({
      kind: 'refused',
      because: 'queue-full',
      releaseAtMonoMs: 1000,
    });
  });

  test('is not refused for a full queue where only its own instant is waited for', async () => {
    const world = gateWorld({ maxQueued: 0 });
    const paused = world.operation();
    expect(paused.enter({ notBeforeMonoMs: 500 }).kind).toBe('waiting');
    await world.clock.advance(500);
    expect(paused.enteredMonoMs).toBe(500);
    paused.limited(1000);
    expect(paused.enter({ notBeforeMonoMs: 1500 })).toMatchObject({ because: 'queue-full' });
  });

  test('ends at once when its operation leaves, and the next is looked at', async () => {
    const world = gateWorld();
    world.limit(1000);
    const [probe, second] = waiters(world, 2);
    await world.clock.advance(500);
    probe?.ticket.leave();
    await world.clock.advance(0);
    expect(probe?.entered).toEqual({ kind: 'left' });
    expect(world.gates.snapshot().waiting).toBe(1);
    await world.clock.advance(500);
    expect(second?.enteredMonoMs).toBe(1000);
    second?.ticket.leave();
    expect(second?.entered?.kind).toBe('pass');
  });

  test('leaves no timer behind when the last has left', () => {
    const world = gateWorld();
    world.limit(1000);
    for (const operation of waiters(world, 3)) operation.ticket.leave();
    expect(world.clock.pending).toEqual([]);
  });

  test('of an owner that is detached ends, of others goes on', async () => {
    const world = gateWorld();
    world.limit(1000);
    const [mine, other] = [world.operation({ owner: { name: 'mine' } }), world.operation()];
    const owner = {};
    const theirs = world.operation({ owner });
    for (const operation of [mine, other, theirs]) operation.enter();
    world.gates.detach(owner);
    await world.clock.advance(0);
    expect(theirs.entered).toMatchObject({ kind: 'refused', because: 'detached' });
    await world.clock.advance(1000);
    expect(mine.entered?.kind).toBe('pass');
    expect(other.entered).toBeUndefined();
  });

  test('keeps the number of the ticket: a limited operation does not go to the back', async () => {
    const world = gateWorld();
    const first = world.operation();
    first.enter();
    first.limited(1000);
    waiters(world, 3);
    first.enter({ notBeforeMonoMs: 1000 });
    await world.clock.advance(1000);
    expect(first.enteredMonoMs).toBe(1000);
  });

  test('goes by turns where a turn is given', async () => {
    const world = gateWorld({ concurrency: 1 });
    const running = world.operation();
    running.enter();
    const operations = ['a', 'a', 'a', 'b', 'c', 'b'].map((turn) => world.operation({ turn }));
    for (const operation of operations) operation.enter();
    const order: string[] = [];
    let current: TestOperation | undefined = running;
    while (current !== undefined) {
      current.answer('accepted');
      await world.clock.advance(10);
      const before = [...order];
      current = operations.find(({ name, entered }) => entered?.kind === 'pass' && !before.includes(name));
      if (current !== undefined) order.push(current.name);
    }
    expect(order.map((name) => operations.findIndex((one) => one.name === name))).toEqual([0, 3, 4, 1, 5, 2]);
  });

  test('of an operation without a scope is for its own instant alone', async () => {
    const world = gateWorld();
    world.limit(60_000);
    const operation = world.operation({ scopes: [] });
    expect(operation.enter().kind).toBe('pass');
    operation.limited(60_000);
    operation.enter({ notBeforeMonoMs: 300 });
    await world.clock.advance(300);
    expect(operation.enteredMonoMs).toBe(300);
  });

  test('of an operation without a scope is never for a limit, however long the client lives', async () => {
    const world = gateWorld();
    const old = world.operation({ scopes: [] });
    old.enter({ notBeforeMonoMs: 100 });
    for (let round = 0; round < 3; round += 1) {
      await world.clock.advance(100_000);
      world.operation().enter();
      old.enter();
      old.limited(1_000_000);
      expect(world.operation({ scopes: [] }).enter().kind).toBe('pass');
    }
  });

  test('is refused for whoever comes late by a timer, rather than sent past the deadline', async () => {
    const world = gateWorld();
    world.limit(1000);
    const operation = world.operation();
    operation.enter({ budgetMs: 2000 });
    world.clock.jumpWall(5000);
    await world.clock.advance(1000);
    expect(operation.entered).toMatchObject({ kind: 'refused', because: 'deadline-passed' });
  });

  test('twice at a time is a mistake of the caller', () => {
    const world = gateWorld();
    world.limit(1000);
    const operation = world.operation();
    operation.enter();
    expect(() =>
      operation.ticket.enter({ notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 1, repeatable: true }),
    ).toThrow(TypeError);
  });
});

describe('several gates of one operation', () => {
  const [narrow, other] = [routeOf('GET /a'), routeOf('GET /b')];

  test('are all asked, and the last to open decides', async () => {
    const world = gateWorld();
    world.limit(30_000, { scopes: [narrow] });
    world.limit(20_000, { scopes: [ORIGIN] });
    const operation = world.operation({ scopes: [narrow, ORIGIN] });
    operation.enter();
    await world.clock.advance(29_999);
    expect(operation.entered).toBeUndefined();
    await world.clock.advance(1);
    expect(operation.enteredMonoMs).toBe(30_000);
    expect(operation.pass.gates).toHaveLength(2);
  });

  test('a limit closes the narrowest', () => {
    const world = gateWorld();
    world.limit(5000, { scopes: [narrow, ORIGIN] });
    expect(world.operation({ scopes: [narrow, ORIGIN] }).enter().kind).toBe('waiting');
    expect(world.operation({ scopes: [other, ORIGIN] }).enter().kind).toBe('pass');
  });

  test('a second narrow gate limited while the first is held closes the wider, until the later of the two', async () => {
    const world = gateWorld();
    world.limit(5000, { scopes: [narrow, ORIGIN] });
    world.limit(3000, { scopes: [other, ORIGIN] });
    const operation = world.operation({ scopes: [routeOf('GET /c'), ORIGIN] });
    expect(operation.enter()).toMatchObject({
      kind: 'waiting',
      gate: 'https://a.example',
      releaseAtMonoMs: 5000,
    });
    await world.clock.advance(5000);
    expect(operation.enteredMonoMs).toBe(5000);
  });

  test('the same narrow gate limited twice, or another after the first has ended, closes nothing wider', async () => {
    const world = gateWorld();
    const [first, second] = [0, 1].map(() => world.operation({ scopes: [narrow, ORIGIN] }));
    first?.enter();
    second?.enter();
    first?.limited(1000);
    second?.limited(2000);
    await world.clock.advance(2000);
    world.limit(5000, { scopes: [other, ORIGIN] });
    expect(world.operation({ scopes: [routeOf('GET /c'), ORIGIN] }).enter().kind).toBe('pass');
  });

  test('a server that names the scope overrules', () => {
    const world = gateWorld();
    const operation = world.operation({ scopes: [narrow, ORIGIN] });
    operation.enter();
    operation.limited(5000, ORIGIN);
    expect(world.operation({ scopes: [other, ORIGIN] }).enter().kind).toBe('waiting');
    expect(world.operation({ scopes: [narrow] }).enter().kind).toBe('pass');
  });

  test('a scope that the server names and nobody has asked yet is held too', () => {
    const world = gateWorld();
    const operation = world.operation({ scopes: [narrow, ORIGIN] });
    operation.enter();
    operation.limited(5000, other);
    expect(world.operation({ scopes: [other, ORIGIN] }).enter().kind).toBe('waiting');
    expect(world.operation({ scopes: [narrow, ORIGIN] }).enter().kind).toBe('pass');
  });

  test('a quota is that of the narrowest', async () => {
    for (const kind of ['accepted', 'failed', 'limited'] as const) {
      const world = gateWorld();
      const operation = world.operation({ scopes: [narrow, ORIGIN] });
      operation.enter();
      operation.pass.report({ kind, receivedMonoMs: 0, quota: [{ remaining: 0, resetMs: 5000 }] });
      expect(world.operation({ scopes: [narrow, ORIGIN] }).enter().kind).toBe('waiting');
      expect(world.operation({ scopes: [other, ORIGIN] }).enter().kind).toBe('pass');
    }
  });

  test('one exchange is the probe of all of them, and each gets its own verdict', async () => {
    const world = gateWorld();
    world.limit(1000, { scopes: [narrow] });
    world.limit(1000, { scopes: [ORIGIN] });
    const operation = world.operation({ scopes: [narrow, ORIGIN] });
    operation.enter();
    await world.clock.advance(1000);
    expect(world.notes.filter(({ event }) => event === 'probe')).toHaveLength(2);
    operation.answer('accepted');
    expect(stateOf(world)).toBe('open');
    expect(stateOf(world, 'https://a.example GET /a')).toBe('open');
  });

  test('a limit that probes a wide gate holds it again, whichever gate it closes', async () => {
    const world = gateWorld();
    world.limit(1000, { scopes: [ORIGIN] });
    const probe = world.operation({ scopes: [narrow, ORIGIN] });
    probe.enter();
    await world.clock.advance(1000);
    probe.limited(5000);
    expect(world.operation({ scopes: [other, ORIGIN] }).enter()).toMatchObject({
      kind: 'waiting',
      state: 'held',
    });
  });

  test.each([
    ['narrow', 'wide'],
    ['wide', 'narrow'],
  ])('the older ticket goes first where several gates open at once (%s first)', async (first) => {
    const world = gateWorld();
    const limits = [
      () => world.limit(1000, { scopes: [narrow] }),
      () => world.limit(1000, { scopes: [ORIGIN] }),
    ];
    for (const limit of first === 'narrow' ? limits : limits.reverse()) limit();
    const older = world.operation({ scopes: [ORIGIN] });
    const younger = world.operation({ scopes: [narrow, ORIGIN] });
    const waits = [() => older.enter(), () => younger.enter()];
    for (const wait of first === 'narrow' ? waits : waits.reverse()) wait();
    await world.clock.advance(1000);
    expect(kinds([older, younger])).toEqual(['pass', undefined]);
  });

  test('a waiter asks the present gate of a scope, when its first was forgotten meanwhile', async () => {
    const world = gateWorld();
    world.limit(200_000, { scopes: [narrow] });
    const waiting = world.operation({ scopes: [narrow, ORIGIN] });
    waiting.enter();
    await world.clock.advance(150_000);
    world.limit(100_000, { scopes: [ORIGIN] });
    await world.clock.advance(50_000);
    expect(waiting.entered).toBeUndefined();
    await world.clock.advance(50_000);
    expect(waiting.enteredMonoMs).toBe(250_000);
  });

  test('no pass is kept from a gate that lets go while another refuses', async () => {
    const world = gateWorld({ concurrency: 1 });
    world.operation({ scopes: [ORIGIN] }).enter();
    const waiting = world.operation({ scopes: [narrow, ORIGIN] });
    expect(waiting.enter()).toMatchObject({ kind: 'waiting', gate: 'https://a.example' });
    expect(world.operation({ scopes: [narrow] }).enter().kind).toBe('pass');
  });

  test('waiters of different narrow gates under one wide gate are all woken', async () => {
    const world = gateWorld();
    world.limit(5000, { scopes: [ORIGIN] });
    const operations = ['a', 'b', 'c'].map((route) => world.operation({ scopes: [routeOf(route), ORIGIN] }));
    for (const operation of operations) operation.enter();
    await world.clock.advance(5000);
    for (let round = 0; round < 3; round += 1) {
      for (const { entered, pass, answer } of operations.filter((one) => one.entered?.kind === 'pass')) {
        if (entered?.kind === 'pass' && pass.gates.length > 0) answer('accepted');
      }
      await world.clock.advance(100);
    }
    expect(kinds(operations)).toEqual(['pass', 'pass', 'pass']);
  });
});
