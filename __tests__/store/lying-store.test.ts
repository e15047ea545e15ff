import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GateNote } from '../../lib/gate/gate-note';
import type { GateMessage, GateStand, GateWord } from '../../lib/store/gate-store';
import { sharedStore } from '../../lib/store/shared-store';
import { virtualClock } from '../../lib/testing/virtual-clock';
import { gateWorld } from '../gate/gate-world';
import type { GateWorld, TestOperation } from '../gate/gate-world';

/** No gate follows its store for longer than this without sending anything itself. */
const MOST_MS = 60_000;

/** A store that says what it is told to say; after very many messages it is silent, so that a test ends. */
interface Liar extends GateWorld {
  readonly told: readonly GateMessage[];
  readonly all: readonly TestOperation[];
  tellNews(word: GateWord): void;
  /** Operations that are answered 50 ms after they go; `limitedMs` of the n-th pass, if it is limited. */
  load(count: number): void;
}

interface Lies {
  readonly answer: (message: GateMessage, count: number) => GateWord;
  /** News, while it is told something. */
  readonly news?: (count: number) => readonly GateWord[];
  readonly limitedMs?: (pass: number) => number | undefined;
}

const SILENT_AFTER = 20_000;
const UNKNOWN: GateWord = { gate: { kind: 'unknown' }, members: 1 };

function liar({ answer, news = () => [], limitedMs = firstOnly }: Lies): Liar {
  const told: GateMessage[] = [];
  const all: TestOperation[] = [];
  let listener: (name: string, word: GateWord) => void = () => undefined;
  let passes = 0;
  const store = sharedStore({
    nameOf: () => ({ kind: 'shared', name: 'a' }),
    tell: (_, message) => {
      told.push(message);
      if (told.length > SILENT_AFTER) return new Promise(() => undefined);
      for (const word of news(told.length)) listener('a', word);
      return Promise.resolve(message.kind === 'met' ? UNKNOWN : answer(message, told.length));
    },
    subscribe: (one) => {
      listener = one;
      return () => undefined;
    },
  });
  const world = gateWorld({ store, maxHoldMs: MOST_MS, clock: virtualClock() });
  const { clock } = world;
  const serve = async (operation: TestOperation): Promise<void> => {
    for (;;) {
      const asked = operation.enter();
      const entered = asked.kind === 'waiting' ? await asked.entered : asked;
      if (entered.kind !== 'pass') return;
      await Promise.resolve();
      const limit = limitedMs((passes += 1));
      await new Promise<void>((resolve) => void clock.setTimer(50, resolve));
      if (limit === undefined) {
        operation.answer('accepted');
        return;
      }
      operation.limited(limit);
    }
  };
  return {
    ...{ ...world, told, all },
    tellNews: (word) => listener('a', word),
    load: (count) => {
      for (let i = 0; i < count; i += 1) {
        const operation = world.operation();
        all.push(operation);
        void serve(operation);
      }
    },
  };
}

function firstOnly(pass: number): number | undefined {
  return pass === 1 ? 1000 : undefined;
}

const always =
  (gate: GateStand, more: Partial<GateWord> = {}) =>
  (): GateWord => ({ gate, members: 1, ...more });

/** Five operations behind one hold, and when the last of them had gone. */
async function drained(
  lies: Lies,
  forMs: number,
): Promise<Liar & { readonly lastMonoMs: number | undefined }> {
  const one = liar(lies);
  one.load(1);
  await one.clock.advance(500);
  one.load(5);
  await one.clock.advance(forMs);
  const instants = one.all.map(({ enteredMonoMs }) => enteredMonoMs);
  const isDone = instants.every((atMonoMs) => atMonoMs !== undefined);
  return { ...one, lastMonoMs: isDone ? Math.max(...instants) : undefined };
}

const ignored = (notes: readonly GateNote[]): string[] =>
  notes.flatMap((note) => (note.event === 'store-ignored' ? note.because : []));

describe('a store whose words would go round and round', () => {
  test.each<[string, GateStand]>([
    ['a hold of no length', { kind: 'held', forMs: 0, hintMs: 1 }],
    ['a lease of another of no length', { kind: 'probed', forMs: 0 }],
    ['that the lease is yours, whatever it is told', { kind: 'yours', generation: 1 }],
    ['that the hold is over', { kind: 'over' }],
    ['that the hold was ended by hand', { kind: 'let-go' }],
    ['a hold of a millisecond', { kind: 'held', forMs: 1, hintMs: 1 }],
  ])('(%s) is told little, and everybody goes', async (_, gate) => {
    const { told, lastMonoMs } = await drained({ answer: always(gate) }, 10_000);
    expect(told.length).toBeLessThan(150);
    expect(lastMonoMs).toBeLessThan(5000);
  });

  test('is asked for a lease some twenty times a second, then the gate probes by itself, which is noted once', async () => {
    const { told, notes } = await drained({ answer: always({ kind: 'probed', forMs: 0 }) }, 10_000);
    expect(told.filter(({ kind }) => kind === 'over').length).toBeGreaterThanOrEqual(20);
    expect(told.filter(({ kind }) => kind === 'over').length).toBeLessThanOrEqual(45);
    expect(ignored(notes)).toEqual(['asks-without-end']);
  });

  test('is not believed a lease that nobody asked for', async () => {
    const one = liar({ answer: always({ kind: 'unknown' }) });
    one.load(1);
    await one.clock.advance(2000);
    one.tellNews({ gate: { kind: 'yours', generation: 1 }, members: 1 });
    await one.clock.advance(10);
    expect(one.told.map(({ kind }) => kind)).toEqual(['met', 'held', 'over', 'left']);
  });

  test('by failing and recovering in turns is tried again once a second, whatever else it answers', async () => {
    const one = gateWorldOfTwo();
    await one.clock.advance(10_000);
    expect(one.told()).toBeLessThan(60);
  });
});

describe('a store whose words would keep everybody waiting', () => {
  test('by a hold without end is followed for as long as a hint may be, and then for as long not at all', async () => {
    const lies = { answer: always({ kind: 'held', forMs: 59_000, hintMs: 1 }) };
    const { lastMonoMs, notes } = await drained(lies, 10 * MOST_MS);
    expect(lastMonoMs).toBeGreaterThan(MOST_MS);
    expect(lastMonoMs).toBeLessThan(MOST_MS + 5000);
    expect(ignored(notes)).toEqual(['wait-without-end']);
  });

  test('by news that make its hold longer before it ends is followed no longer either', async () => {
    const one = liar({ answer: always({ kind: 'unknown' }) });
    one.load(1);
    await one.clock.advance(500);
    one.load(5);
    for (let i = 0; i < 20; i += 1) {
      one.tellNews({ gate: { kind: 'held', forMs: 30_000, hintMs: 1 }, members: 1 });
      await one.clock.advance(MOST_MS / 10);
    }
    expect(Math.max(...one.all.map(({ enteredMonoMs = Infinity }) => enteredMonoMs))).toBeLessThan(
      MOST_MS + 5000,
    );
  });

  test('by a hold that no server may ask for is not heeded, fails nobody, and is noted', async () => {
    const lies = { answer: always({ kind: 'held', forMs: 9e15, hintMs: 1 }) };
    const { lastMonoMs, notes } = await drained(lies, 10_000);
    expect(lastMonoMs).toBeLessThan(5000);
    expect(ignored(notes)).toEqual(['unreadable']);
  });

  test.each<[string, Partial<GateWord>, number]>([
    ['a rate of next to nothing', { perSecond: 1e-6 }, 6 * MOST_MS],
    ['a million who share', { members: 1_000_000 }, 8 * MOST_MS],
    ['a million who share a rate', { members: 1_000_000, perSecond: 100 }, 8 * MOST_MS],
    ['exchanges that take for ever', { members: 10, exchangeMs: 9e15 }, 8 * MOST_MS],
    ['a release of ages', { members: 2, lastRelease: { accepted: 1, tookMs: 9e15 } }, 8 * MOST_MS],
  ])('by %s lets one go per longest hint at least', async (_, more, byMs) => {
    const { lastMonoMs } = await drained({ answer: always({ kind: 'released' }, more) }, 20 * MOST_MS);
    expect(lastMonoMs).toBeLessThan(byMs);
  });

  test('is heeded again afterwards', async () => {
    let isLying = true;
    const one = liar({
      answer: () => (isLying ? always({ kind: 'held', forMs: 59_000, hintMs: 1 })() : UNKNOWN),
    });
    one.load(1);
    await one.clock.advance(500);
    one.load(5);
    await one.clock.advance(MOST_MS + 5000);
    isLying = false;
    one.tellNews({ gate: { kind: 'held', forMs: 30_000, hintMs: 30_000 }, members: 2 });
    expect(one.gates.snapshot().gates[0]?.state).toBe('open');
    await one.clock.advance(MOST_MS);
    one.tellNews({ gate: { kind: 'held', forMs: 30_000, hintMs: 30_000 }, members: 2 });
    expect(one.gates.snapshot().gates[0]?.state).toBe('held');
  });

  test('a long hold of its own is nothing that the store is blamed for', async () => {
    const one = liar({ answer: always({ kind: 'unknown' }) });
    one.load(1);
    await one.clock.advance(2000);
    one.gates.hold({ by: 'origin', value: 'https://a.example' }, one.clock.wallEpochMs() + 5 * MOST_MS, 'x');
    one.load(2);
    await one.clock.advance(6 * MOST_MS);
    expect(one.all.every(({ entered }) => entered?.kind === 'pass')).toBe(true);
    expect(ignored(one.notes)).toEqual([]);
  });
});

describe('whatever a store says, in whatever order', () => {
  const durations = fc.constantFrom(0, 0.5, 1, 7, 100, 1000, 59_000, 9e15);
  const stands: fc.Arbitrary<GateStand> = fc.oneof(
    fc.constantFrom<GateStand>(
      { kind: 'unknown' },
      { kind: 'over' },
      { kind: 'released' },
      { kind: 'let-go' },
      { kind: 'yours', generation: 1 },
    ),
    fc.record({ kind: fc.constant('held'), forMs: durations, hintMs: durations }),
    fc.record({ kind: fc.constant('probed'), forMs: durations }),
  );
  const words: fc.Arbitrary<GateWord> = fc.record({
    gate: stands,
    members: fc.constantFrom(1, 1, 2, 100, 1_000_000),
    perSecond: fc.constantFrom(undefined, undefined, 1e-6, 1, 20, 1e6),
    exchangeMs: fc.constantFrom(undefined, 50, 9e15),
    lastRelease: fc.constantFrom(undefined, { accepted: 5, tookMs: 100 }, { accepted: 1, tookMs: 9e15 }),
  });
  const lies = fc.record({
    answers: fc.array(words, { minLength: 1, maxLength: 6 }),
    news: fc.array(fc.array(words, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    limits: fc.array(fc.constantFrom(undefined, undefined, 10, 400), { minLength: 1, maxLength: 5 }),
  });
  interface Script {
    readonly answers: readonly GateWord[];
    readonly news: readonly (readonly GateWord[])[];
    readonly limits: readonly (number | undefined)[];
  }
  /** Learned here to be a window; of what length, a store has said. */
  const LONG_CYCLE: Script = {
    answers: [
      {
        gate: { kind: 'probed', forMs: 0 },
        members: 100,
        lastRelease: { accepted: 1, tookMs: 9e15 },
      },
      { gate: { kind: 'probed', forMs: 0 }, members: 1 },
    ],
    news: [[{ gate: { kind: 'released' }, members: 1 }], []],
    limits: [10, undefined],
  };
  const scripted = ({ answers, news, limits }: Script, limited: number): Lies => ({
    answer: (_, count) => answers[count % answers.length]!,
    news: (count) => news[count % news.length]!,
    limitedMs: (pass) => (pass === 1 ? 1000 : pass > limited ? undefined : limits[pass % limits.length]),
  });

  test('it is told at most some hundred things a second', async () => {
    const run = async (script: Script): Promise<void> => {
      const { told } = await drained(scripted(script, Number.MAX_SAFE_INTEGER), 10_000);
      expect(told.length).toBeLessThan(12 * 120);
    };
    await fc.assert(fc.asyncProperty(lies, run), { numRuns: 150 });
  });

  test('it refuses nobody, and everybody goes in the end', async () => {
    const run = async (script: Script): Promise<void> => {
      const { all, told } = await drained(scripted(script, 6), 20 * MOST_MS);
      expect(all.map(({ entered }) => entered?.kind)).toEqual(all.map(() => 'pass'));
      expect(told.length).toBeLessThan(SILENT_AFTER);
    };
    await fc.assert(fc.asyncProperty(lies, run), { numRuns: 100, examples: [[LONG_CYCLE]] });
  });
});

/** Two gates held, of which the store answers for one and says nonsense of the other. */
function gateWorldOfTwo(): { readonly clock: GateWorld['clock']; told(): number } {
  let told = 0;
  const store = sharedStore({
    nameOf: ([part]) => ({ kind: 'shared', name: part?.value ?? '' }),
    tell: (name, { kind }) => {
      told += 1;
      if (told > SILENT_AFTER) return new Promise(() => undefined);
      const isNonsense = name === 'b' && kind !== 'met';
      return Promise.resolve(isNonsense ? ('nonsense' as never) : UNKNOWN);
    },
    subscribe: () => () => undefined,
  });
  const clock = virtualClock();
  const { gates } = gateWorld({ store, clock });
  // The one that fails is told first: the other's answer comes after it.
  for (const value of ['b', 'a']) {
    const scope = [{ by: 'origin', value, secret: false }];
    gates.hold([scope], clock.wallEpochMs() + 60_000, 'both');
  }
  return { clock, told: () => told };
}
