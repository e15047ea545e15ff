import { describe, expect, test } from '@jest/globals';
import { Gates } from '../../lib/gate/gates';
import type { GateNote } from '../../lib/gate/gate-note';
import type { Scope } from '../../lib/model';
import type { GateStore } from '../../lib/store/gate-store';
import type { Pass, Ticket } from '../../lib/gate/ticket';
import { virtualClock } from '../../lib/testing/virtual-clock';
import type { VirtualClock } from '../../lib/testing/virtual-clock';
import { deadlineAfter, momentOf } from '../../lib/time/deadline';
import { sharedStore } from '../../lib/store/shared-store';
import { ledgerHub } from '../support/ledger-store';
import type { LedgerHub } from '../support/ledger-store';

const ORIGIN: Scope = [{ by: 'origin', value: 'https://a.example', secret: false }];

/** One process with gates of its own. */
interface Process {
  readonly gates: Gates;
  readonly notes: GateNote[];
  /** Instants at which an operation was let go, in order. */
  readonly sent: number[];
  /** Sends one operation; `answer` says what comes of it when it goes. */
  send(answer?: (pass: Pass, atMs: number) => void): Ticket;
  readonly state: string | undefined;
}

interface Fleet {
  readonly clock: VirtualClock;
  readonly hub: LedgerHub;
  process(options?: { store?: GateStore; wallAheadMs?: number }): Process;
}

function fleet(options: Parameters<typeof ledgerHub>[1] = { latencyMs: 2 }): Fleet {
  const clock = virtualClock();
  const hub = ledgerHub(clock, options);
  let count = 0;
  return {
    ...{ clock, hub },
    process: ({ store = hub.join(), wallAheadMs = 0 } = {}) => {
      count += 1;
      return processOf(clock, store, { name: `process ${count}`, seed: count, wallAheadMs });
    },
  };
}

function processOf(
  clock: VirtualClock,
  store: GateStore,
  reader: Parameters<VirtualClock['reader']>[0],
): Process {
  const gates = new Gates({
    ...{ clock: clock.reader(reader), jitter: 0, backoffMs: (k) => 1000 * 2 ** (k - 1) },
    store: sharedStore(store),
    ...{ maxQueued: 10_000, maxGates: 10_000, maxHoldMs: 3_600_000 },
  });
  const notes: GateNote[] = [];
  const sent: number[] = [];
  gates.onNote((note) => notes.push(note));
  return {
    ...{ gates, notes, sent },
    send: (answer = accept) => {
      const ticket = gates.ticket({ scopes: [ORIGIN], owner: gates, operation: reader.name });
      const terms = { notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 9, repeatable: true };
      const asked = ticket.enter(terms);
      const entered = asked.kind === 'waiting' ? asked.entered : Promise.resolve(asked);
      void entered.then((one) => {
        if (one.kind !== 'pass') return;
        sent.push(clock.monoMs());
        one.pass.sent();
        answer(one.pass, clock.monoMs());
      });
      return ticket;
    },
    get state() {
      return gates.snapshot().gates[0]?.state;
    },
  };
}

const accept = (pass: Pass, atMs: number): void => pass.report({ kind: 'accepted', receivedMonoMs: atMs });
const limit =
  (hintMs: number) =>
  (pass: Pass, atMs: number): void =>
    pass.report({ kind: 'limited', receivedMonoMs: atMs, hintMs });
const never = (): void => undefined;

const kindsOf = ({ told }: LedgerHub): string[] => told.map(({ message }) => message.kind);
const eventsOf = ({ notes }: Process): string[] => notes.map(({ event }) => event);

describe('the cases of several processes', () => {
  test('MPR-01: what one process learns of a limit holds another that comes later', async () => {
    const { clock, process } = fleet();
    process().send(limit(30_000));
    await clock.advance(5000);
    const second = process();
    second.send();
    await clock.advance(60_000);
    expect(second.sent).toHaveLength(1);
    expect(second.sent[0]).toBeGreaterThanOrEqual(30_000);
    expect(second.sent[0]).toBeLessThan(30_100);
  });

  test('MPR-03: a store that answers after five seconds costs its time limit and no more', async () => {
    const { clock, process } = fleet({ latencyMs: 5000, timeoutMs: 100 });
    const one = process();
    one.send();
    await clock.advance(300);
    expect(one.sent).toEqual([100]);
    for (let i = 0; i < 5; i += 1) one.send();
    await clock.advance(0);
    expect(one.sent).toHaveLength(6);
  });

  test('MPR-05: when the process that probes dies, another probes once its lease is over', async () => {
    const { clock, hub, process } = fleet();
    const mortal = mortalStore(hub.join());
    const [first, second] = [process({ store: mortal.store }), process()];
    first.send(limit(10_000));
    await clock.advance(50);
    first.send(never);
    await clock.advance(9960);
    expect(first.sent).toHaveLength(2);
    mortal.die();
    for (let i = 0; i < 3; i += 1) second.send();
    await clock.advance(4980);
    expect(second.sent).toEqual([]);
    await clock.advance(500);
    expect(second.sent[0]).toBeLessThan(15_500);
    expect(second.sent).toHaveLength(3);
  });

  test('MPR-07: a shorter hold of one process does not shorten a longer one of another', async () => {
    const { clock, process } = fleet();
    const [first, second] = [process(), process()];
    second.send(never);
    await clock.advance(10);
    first.send(limit(60_000));
    second.send(limit(5000));
    await clock.advance(10_000);
    first.send();
    second.send();
    await clock.advance(80_000);
    expect(first.sent.slice(1)).toEqual([expect.closeTo(60_000, -2)]);
    expect([...first.sent.slice(1), ...second.sent.slice(2)].every((atMs) => atMs >= 60_000)).toBe(true);
    expect(second.sent).toHaveLength(3);
  });
});

describe('an open gate', () => {
  test('asks the store once, when a process meets the scope, and then never', async () => {
    const { clock, hub, process } = fleet();
    const one = process();
    for (let i = 0; i < 200; i += 1) {
      one.send();
      await clock.advance(100);
    }
    expect(one.sent).toHaveLength(200);
    expect(kindsOf(hub)).toEqual(['met']);
  });

  test('waits for that answer, and no longer than it takes', async () => {
    const { clock, process } = fleet({ latencyMs: 40 });
    const one = process();
    one.send();
    expect(one.state).toBe('asking');
    await clock.advance(100);
    expect(one.sent).toEqual([40]);
    expect(eventsOf(one)).not.toContain('opened');
  });

  test('is closed by the news of another process at once', async () => {
    const { clock, process } = fleet();
    const [first, second] = [process(), process()];
    second.send();
    await clock.advance(1000);
    first.send(limit(5000));
    await clock.advance(10);
    expect(second.state).toBe('held');
    second.send();
    await clock.advance(10_000);
    expect(second.sent[1]).toBeGreaterThanOrEqual(6000);
  });

  test('shares its first burst with those who come at the same time', async () => {
    const { clock, process } = fleet();
    const all = Array.from({ length: 8 }, () => process());
    for (const one of all) for (let i = 0; i < 25; i += 1) one.send(never);
    await clock.advance(3);
    expect(all.reduce((sum, { sent }) => sum + sent.length, 0)).toBeLessThanOrEqual(28);
  });
});

describe('after a hold', () => {
  /** Eight processes behind one hold, five operations each. */
  const held = async ({ clock, process }: Fleet, answer = accept): Promise<readonly Process[]> => {
    const all = Array.from({ length: 8 }, () => process());
    for (const one of all) one.send();
    await clock.advance(500);
    all[0]?.send(limit(1000));
    await clock.advance(50);
    for (const one of all) for (let i = 0; i < 5; i += 1) one.send(answer);
    return all;
  };
  const probesOf = (all: readonly Process[]): number =>
    all.flatMap(eventsOf).filter((event) => event === 'probe').length;

  test('one process probes, and the others join when its probe is accepted', async () => {
    const world = fleet();
    const all = await held(world);
    await world.clock.advance(20_000);
    expect(probesOf(all)).toBe(1);
    expect(all.map(({ sent }) => sent.length).sort()).toEqual([6, 6, 6, 6, 6, 6, 6, 7]);
    expect(all.flatMap(({ sent }) => sent).filter((atMs) => atMs > 520 && atMs < 1500)).toEqual([]);
  });

  test('a limited probe holds them all again, and one probes again', async () => {
    const world = fleet();
    let answers = 0;
    const all = await held(world, (pass, atMs) =>
      (answers += 1) === 1 ? limit(3000)(pass, atMs) : accept(pass, atMs),
    );
    await world.clock.advance(2000);
    expect(probesOf(all)).toBe(1);
    expect(all.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'held'));
    await world.clock.advance(20_000);
    expect(probesOf(all)).toBe(2);
  });

  test('the lease is renewed while the probe is under way, and the probe of another does not go', async () => {
    const world = fleet();
    let probe: Pass | undefined;
    const all = await held(world, (pass, atMs) => {
      if (probe === undefined) probe = pass;
      else accept(pass, atMs);
    });
    await world.clock.advance(5500);
    expect(probesOf(all)).toBe(1);
    probe?.report({ kind: 'accepted', receivedMonoMs: world.clock.monoMs() });
    await world.clock.advance(5000);
    expect(probesOf(all)).toBe(1);
    expect(all.flatMap(({ sent }) => sent)).toHaveLength(49);
  });

  test('a lease that is of no use to its owner any more is given to another', async () => {
    const { clock, process } = fleet();
    const [first, second] = [process(), process()];
    for (const one of [first, second]) one.send();
    await clock.advance(100);
    first.send(limit(1000));
    await clock.advance(50);
    let probe: Pass | undefined;
    first.send((pass) => (probe = pass));
    await clock.advance(940);
    second.send();
    await clock.advance(40);
    expect(first.sent).toHaveLength(3);
    probe?.report({ kind: 'unjudged' });
    await clock.advance(2000);
    expect(second.sent).toHaveLength(2);
  });

  describe('a lease that is of no use any more is given back at once', () => {
    /** Two processes behind a hold by the first, which asks for the lease at 1100 ms; 20 ms there and back. */
    const asking = async () => {
      const { clock, hub, process } = fleet({ latencyMs: 20 });
      const [first, second] = [process(), process()];
      for (const one of [first, second]) one.send();
      await clock.advance(100);
      first.send(limit(1000));
      await clock.advance(50);
      let probe: Pass | undefined;
      const ticket = first.send((pass) => (probe = pass));
      await clock.advanceTo(1105);
      second.send();
      return { clock, hub, first, second, ticket, probe: () => probe };
    };

    test('when whoever had asked for it has left meanwhile', async () => {
      const { clock, hub, first, second, ticket } = await asking();
      ticket.leave();
      await clock.advance(60);
      expect(first.sent).toHaveLength(2);
      expect(kindsOf(hub).slice(-4)).toEqual(['over', 'over', 'left', 'over']);
      expect(second.sent).toHaveLength(2);
      expect(clock.monoMs()).toBeLessThan(1200);
    });

    test('when the probe ends without an answer', async () => {
      const { clock, second, probe } = await asking();
      await clock.advance(50);
      probe()?.report({ kind: 'unjudged' });
      await clock.advance(60);
      expect(second.sent).toHaveLength(2);
    });

    test('when the client is done before the store has answered', async () => {
      const { clock, first, second } = await asking();
      first.gates.detach(first.gates);
      await clock.advance(80);
      expect(first.sent).toHaveLength(2);
      expect(second.sent).toHaveLength(2);
    });

    test('when the client is done while another of its gates keeps the probe back', async () => {
      const { clock, hub, process } = fleet();
      const one = process();
      const wider: Scope = [{ by: 'host', value: 'a.example', secret: false }];
      const scopes = [ORIGIN, wider];
      one.gates.hold([ORIGIN], clock.wallEpochMs() + 1000, 'narrow');
      one.gates.hold([wider], clock.wallEpochMs() + 60_000, 'wide');
      const ticket = one.gates.ticket({ scopes, owner: one.gates, operation: 'both' });
      ticket.enter({ notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 9, repeatable: true });
      await clock.advance(1100);
      expect(hub.told.at(-1)?.message.kind).toBe('over');
      one.gates.detach(one.gates);
      await clock.advance(10);
      expect(hub.told.at(-1)?.message.kind).toBe('left');
    });

    test('but not while its probe is under way', async () => {
      const { clock, hub } = await asking();
      await clock.advance(4000);
      expect(kindsOf(hub)).not.toContain('left');
    });
  });

  test('the end of a hold by the hand of another is noted as what it is', async () => {
    const { clock, process } = fleet();
    const [first, second] = [process(), process()];
    for (const one of [first, second]) one.send();
    await clock.advance(100);
    first.send(limit(10_000));
    await clock.advance(50);
    second.send();
    first.gates.release([ORIGIN]);
    await clock.advance(50);
    const heldEvents = (one: Process): string[] =>
      eventsOf(one).filter((event) => event.startsWith('hold-') || event === 'released-by-hand');
    for (const one of [first, second])
      expect(heldEvents(one)).toEqual(['hold-began', 'released-by-hand', 'hold-ended']);
    expect(second.sent).toHaveLength(2);
  });

  test('no operation is refused because of a lease that may end at any time', async () => {
    const { clock, process } = fleet();
    const [first, second] = [process(), process()];
    for (const one of [first, second]) one.send();
    await clock.advance(100);
    first.send(limit(1000));
    await clock.advance(50);
    first.send((pass, atMs) => void clock.setTimer(200, () => accept(pass, atMs + 200)));
    await clock.advance(900);
    second.send();
    await clock.advance(100);
    const ticket = second.gates.ticket({ scopes: [ORIGIN], owner: second, operation: 'short' });
    const deadline = deadlineAfter(momentOf(clock), 1000);
    const terms = { notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 9, repeatable: true, maxHoldMs: 100 };
    const asked = ticket.enter({ ...terms, deadline });
    expect(asked.kind).toBe('waiting');
    await clock.advance(500);
    await expect(asked.kind === 'waiting' ? asked.entered : asked).resolves.toMatchObject({ kind: 'pass' });
  });

  test('the sum of what they send follows the quota, when some join and when some die', async () => {
    const { clock, process } = fleet();
    const perSecond = (all: readonly Process[], fromMs: number, toMs: number): number =>
      all.flatMap(({ sent }) => sent).filter((atMs) => atMs >= fromMs && atMs < toMs).length /
      ((toMs - fromMs) / 1000);
    const bucket = bucketOf(20, 20);
    const serve = (pass: Pass, atMs: number): void => bucket(pass, atMs);
    const first = Array.from({ length: 4 }, () => process());
    const load = (one: Process, count: number): void => {
      for (let i = 0; i < count; i += 1) one.send(serve);
    };
    for (const one of first) load(one, 400);
    await clock.advance(10_000);
    const later = Array.from({ length: 4 }, () => process());
    for (const one of later) load(one, 400);
    await clock.advance(20_000);
    expect(perSecond([...first, ...later], 15_000, 30_000)).toBeGreaterThan(16);
    expect(perSecond([...first, ...later], 15_000, 30_000)).toBeLessThan(22);
    expect(perSecond(later, 15_000, 30_000)).toBeGreaterThan(6);
    for (const one of first) one.gates.detach(one.gates);
    await clock.advance(20_000);
    expect(perSecond(later, 35_000, 50_000)).toBeGreaterThan(16);
  });

  test('a light process is not starved by a heavy one', async () => {
    const { clock, process } = fleet();
    const bucket = bucketOf(20, 20);
    const [heavy, light] = [process(), process()];
    for (let i = 0; i < 1000; i += 1) heavy.send(bucket);
    await clock.advance(10_000);
    const waitsMs: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      const beganMs = clock.monoMs();
      light.send((pass, atMs) => {
        waitsMs.push(atMs - beganMs);
        bucket(pass, atMs);
      });
      await clock.advance(2000);
    }
    expect(waitsMs).toHaveLength(10);
    expect(waitsMs.sort((a, b) => a - b)[4]).toBeLessThan(1000);
  });

  test('clocks an hour apart change nothing', async () => {
    const instants = async (aheadMs: number): Promise<readonly number[]> => {
      const world = fleet();
      const all = Array.from({ length: 3 }, (_, i) => world.process({ wallAheadMs: i * aheadMs }));
      all[0]?.send(limit(2000));
      await world.clock.advance(50);
      for (const one of all) one.send();
      await world.clock.advance(10_000);
      return all.flatMap(({ sent }) => sent);
    };
    expect(await instants(3_600_000)).toEqual(await instants(0));
  });
});

describe('a store that is of no use', () => {
  const heldProcess = async (world: Fleet, store: GateStore): Promise<Process> => {
    const one = world.process({ store });
    one.send(limit(1000));
    await world.clock.advance(200);
    for (let i = 0; i < 3; i += 1) one.send();
    await world.clock.advance(30_000);
    return one;
  };
  const broken = (tell: GateStore['tell'], subscribe: GateStore['subscribe'] = () => never): GateStore => {
    return { timeoutMs: 100, nameOf: () => ({ kind: 'shared', name: 'a' }), tell, subscribe };
  };
  const boom = (): never => {
    throw new Error('down');
  };

  test.each([
    ['throws', broken(boom)],
    ['throws on everything', { nameOf: boom, tell: boom, subscribe: boom }],
    ['rejects', broken(() => Promise.reject(new Error('down')))],
    ['never answers', broken(() => new Promise(never))],
    ['answers with nonsense', broken(() => Promise.resolve('nonsense' as never))],
    ['lies about numbers', broken(() => Promise.resolve({ gate: { kind: 'unknown' }, members: Number.NaN }))],
    ['gives no promise', broken((() => undefined) as never)],
    [
      'says for ever that others probe',
      broken(() => Promise.resolve({ gate: { kind: 'probed', forMs: 1000 }, members: 1 })),
    ],
  ])('%s fails no operation and is noted once', async (_, store) => {
    const one = await heldProcess(fleet(), store);
    expect(one.sent).toHaveLength(4);
    const noted = eventsOf(one).filter((event) => event === 'store-failed' || event === 'store-ignored');
    expect(noted.length).toBeGreaterThanOrEqual(1);
    expect(new Set(noted).size).toBe(noted.length);
  });

  test('is asked again once a second at the most', async () => {
    const world = fleet();
    let asked = 0;
    const one = world.process({ store: broken(() => Promise.reject(new Error(`down ${(asked += 1)}`))) });
    for (let i = 0; i < 100; i += 1) {
      one.send(i % 2 === 0 ? limit(10) : accept);
      await world.clock.advance(100);
    }
    expect(asked).toBeLessThanOrEqual(11);
  });

  test('that was late once hears of the hold that began meanwhile, as long as somebody waits', async () => {
    const world = fleet();
    const { clock, hub } = world;
    const other = world.process();
    other.send();
    await clock.advance(100);
    const store = hub.join();
    const late: GateStore = {
      ...store,
      tell: (name, message) => (message.kind === 'met' ? new Promise(never) : store.tell(name, message)),
    };
    const one = world.process({ store: late });
    one.send(limit(10_000));
    one.send();
    await clock.advance(400);
    expect([one.state, other.state]).toEqual(['held', 'open']);
    await clock.advance(2000);
    expect([one.state, other.state]).toEqual(['held', 'held']);
    await clock.advance(20_000);
    clock.assertIdle();
  });

  test('is used again when it is back, which is noted, and is told of the holds that stand', async () => {
    const world = fleet();
    const { clock, hub } = world;
    const [one, two] = [world.process(), world.process()];
    for (const each of [one, two]) each.send();
    await clock.advance(100);
    hub.state = 'refused';
    one.send(limit(20_000));
    await clock.advance(5000);
    hub.state = 'up';
    hub.restart();
    one.gates.hold([ORIGIN], clock.wallEpochMs() + 30_000, 'by hand');
    await clock.advance(50);
    expect(eventsOf(one).filter((event) => event.startsWith('store-'))).toEqual([
      'store-failed',
      'store-recovered',
    ]);
    expect(two.state).toBe('held');
  });

  test('loses nothing when it is lost in the middle of a hold', async () => {
    const world = fleet();
    const { clock, hub } = world;
    const all = Array.from({ length: 8 }, () => world.process());
    for (const one of all) one.send();
    await clock.advance(100);
    all[0]?.send(limit(2000));
    await clock.advance(50);
    for (const one of all) for (let i = 0; i < 5; i += 1) one.send();
    hub.state = 'lost';
    await clock.advance(30_000);
    expect(all.flatMap(({ sent }) => sent)).toHaveLength(49);
  });

  test('that answers too late gives its lease to nobody', async () => {
    const world = fleet({ latencyMs: 300, timeoutMs: 100 });
    const one = world.process();
    one.send(limit(1000));
    await world.clock.advance(5000);
    one.send();
    await world.clock.advance(10_000);
    const last = world.hub.told
      .filter(({ message }) => message.kind === 'over' || message.kind === 'left')
      .at(-1);
    expect(last?.message.kind === 'over' ? one.state : 'left').toBe('left');
  });

  test('has unreadable news ignored, and noted once', async () => {
    const world = fleet();
    let tell: (name: string, word: never) => void = never;
    const store = broken(
      () => Promise.resolve({ gate: { kind: 'unknown' }, members: 1 }),
      (listener) => {
        tell = listener;
        return never;
      },
    );
    const one = world.process({ store });
    one.send();
    await world.clock.advance(10);
    for (const news of [undefined, {}, { gate: { kind: 'held', forMs: -1, hintMs: 0 }, members: 1 }])
      tell('a', news as never);
    expect(one.state).toBe('open');
    one.send();
    await world.clock.advance(10);
    expect(eventsOf(one).filter((event) => event.startsWith('store-'))).toEqual(['store-ignored']);
  });
});

describe('what is not shared', () => {
  test('a scope for whose secret the store has no key stays local, which is noted once', async () => {
    const world = fleet();
    const told: string[] = [];
    const store: GateStore = {
      nameOf: () => ({ kind: 'no-secret' }),
      tell: (name) => Promise.reject(new Error(String(told.push(name)))),
      subscribe: () => never,
    };
    const one = world.process({ store });
    one.send(limit(1000));
    one.gates.overhear([[{ by: 'token', value: 'x', secret: true }]], { kind: 'limited', receivedMonoMs: 0 });
    await world.clock.advance(10);
    expect(one.notes.filter(({ event }) => event === 'store-ignored')).toMatchObject([
      { because: 'no-secret' },
    ]);
    expect(told).toEqual([]);
  });

  test('a store that shares no scope is never told', async () => {
    const world = fleet();
    const store: GateStore = {
      nameOf: () => ({ kind: 'local' }),
      tell: () => Promise.reject(new Error('asked')),
      subscribe: () => () => undefined,
    };
    const one = world.process({ store });
    one.send(limit(1000));
    await world.clock.advance(200);
    one.send();
    await world.clock.advance(2000);
    expect(eventsOf(one)).not.toContain('store-failed');
    expect(one.sent).toHaveLength(2);
  });
});

describe('a client that is done', () => {
  test('listens no more, and listens again when it is used again', async () => {
    const { clock, hub, process } = fleet();
    const one = process();
    one.send();
    await clock.advance(10);
    expect(hub.listeners).toBe(1);
    one.gates.detach(one.gates);
    expect(hub.listeners).toBe(0);
    one.send();
    expect(hub.listeners).toBe(1);
  });

  test('leaves no timer behind', async () => {
    const { clock, process } = fleet();
    const [one, two] = [process(), process()];
    for (const each of [one, two]) each.send();
    await clock.advance(100);
    one.send(limit(1000));
    await clock.advance(50);
    for (const each of [one, two]) for (let i = 0; i < 5; i += 1) each.send();
    await clock.advance(10_000);
    expect(clock.pending).toEqual([]);
  });
});

/** A store that hears no more of a process that has died. */
function mortalStore(store: GateStore): { readonly store: GateStore; die(): void } {
  let isDead = false;
  return {
    store: { ...store, tell: (...words) => (isDead ? new Promise(never) : store.tell(...words)) },
    die: () => {
      isDead = true;
    },
  };
}

/** A token bucket that answers at once, in whole seconds. */
function bucketOf(perSecond: number, capacity: number): (pass: Pass, atMs: number) => void {
  let tokens = capacity;
  let lastMs = 0;
  return (pass, atMs) => {
    tokens = Math.min(capacity, tokens + ((atMs - lastMs) * perSecond) / 1000);
    lastMs = atMs;
    if (tokens < 1) limit(1000)(pass, atMs);
    else {
      tokens -= 1;
      accept(pass, atMs);
    }
  };
}
