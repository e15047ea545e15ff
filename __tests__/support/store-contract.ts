/* eslint-disable jest/no-export, jest/valid-title -- tests for every store: each suite gives them its own */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../lib/model';
import type { GateMessage, GateStand, GateStore, GateWord } from '../../lib/store/gate-store';

/** A store under test: several clients of it, and its time. */
export interface StoreBench {
  /** The store as one more client sees it: a process or a tab of its own. */
  join(): GateStore | Promise<GateStore>;
  /** Lets time pass, on whatever clock the store goes by; news that are under way arrive. */
  pass(ms: number): Promise<void>;
  /** On the clock that the store goes by. */
  nowMs(): number;
  close(): Promise<void>;
}

/**
 * What every store has to do. Times are real for some stores: holds of some hundred ms, looked at in the
 * middle, with `slackMs` for what is on its way.
 */
export function storeContract(title: string, open: () => Promise<StoreBench>, slackMs = 0): void {
  describe(title, () => {
    let bench: StoreBench;
    let one: Client;
    let two: Client;

    beforeEach(async () => {
      bench = await open();
      one = clientOf(await bench.join());
      two = clientOf(await bench.join());
      await bench.pass(0);
    });
    afterEach(async () => {
      one.stop();
      two.stop();
      await bench.close();
    });

    test('names equal scopes alike, and different ones not', () => {
      expect(one.store.nameOf(SCOPE)).toEqual(two.store.nameOf(SCOPE));
      expect(one.store.nameOf(SCOPE)).not.toEqual(one.store.nameOf(OTHER));
      expect(one.store.nameOf(SCOPE).kind).toBe('shared');
    });

    test('knows nothing of a scope that nobody has told of', async () => {
      expect(await one.tell({ kind: 'met' })).toEqual({ gate: { kind: 'unknown' }, members: 1 });
    });

    test('tells a hold to others at once and to those who come later, and not to its sender', async () => {
      await one.tell({ kind: 'held', forMs: 800, hintMs: 700 });
      await bench.pass(200);
      expectHeld(two.heard.at(-1)?.gate, { atMostMs: 800, atLeastMs: 600 - slackMs, hintMs: 700 });
      expectHeld((await two.tell({ kind: 'met' })).gate, {
        atMostMs: 600 + slackMs,
        atLeastMs: 1,
        hintMs: 700,
      });
      expect(one.heard).toEqual([]);
    });

    test('keeps the later end of two holds, and is silent about the shorter', async () => {
      await one.tell({ kind: 'held', forMs: 900, hintMs: 900 });
      await two.tell({ kind: 'held', forMs: 100, hintMs: 100 });
      await bench.pass(200);
      expect(one.heard).toEqual([]);
      expectHeld((await two.tell({ kind: 'sharing' })).gate, {
        atMostMs: 700 + slackMs,
        atLeastMs: 1,
        hintMs: 900,
      });
      await two.tell({ kind: 'held', forMs: 2000, hintMs: 2000 });
      await bench.pass(50);
      expectHeld(one.heard.at(-1)?.gate, { atMostMs: 2000, atLeastMs: 1900 - slackMs, hintMs: 2000 });
    });

    test('gives nobody the lease while a hold lasts', async () => {
      await one.tell({ kind: 'held', forMs: 400, hintMs: 400 });
      expect((await two.tell({ kind: 'over', leaseMs: 500 })).gate.kind).toBe('held');
    });

    test('gives the lease to one, and tells the others for how long', async () => {
      await one.tell({ kind: 'held', forMs: 50, hintMs: 50 });
      await bench.pass(60 + slackMs);
      expect((await two.tell({ kind: 'over', leaseMs: 600 })).gate.kind).toBe('yours');
      const { gate } = await one.tell({ kind: 'over', leaseMs: 600 });
      expect(gate).toMatchObject({ kind: 'probed' });
      expect(forMsOf(gate)).toBeGreaterThan(0);
      expect(forMsOf(gate)).toBeLessThanOrEqual(600);
    });

    test('lets the owner renew the lease, and gives it to another once it has ended by itself', async () => {
      const first = await one.tell({ kind: 'over', leaseMs: 300 });
      await bench.pass(200);
      expect(await one.tell({ kind: 'over', leaseMs: 300 })).toMatchObject({ gate: first.gate });
      await bench.pass(200);
      expect((await two.tell({ kind: 'over', leaseMs: 300 })).gate.kind).toBe('probed');
      await bench.pass(150 + slackMs);
      const second = await two.tell({ kind: 'over', leaseMs: 300 });
      expect(second.gate.kind).toBe('yours');
      expect(second.gate).not.toEqual(first.gate);
    });

    test('gives a lease back with whoever leaves, and says so', async () => {
      await one.tell({ kind: 'over', leaseMs: 5000 });
      await one.tell({ kind: 'left' }, 0);
      await bench.pass(50);
      expect(two.heard.at(-1)?.gate).toEqual({ kind: 'over' });
      expect((await two.tell({ kind: 'over', leaseMs: 300 })).gate.kind).toBe('yours');
    });

    test('is silent about one who leaves without a lease', async () => {
      await one.tell({ kind: 'over', leaseMs: 5000 });
      await two.tell({ kind: 'left' }, 0);
      await bench.pass(50);
      expect(one.heard).toEqual([]);
    });

    test('tells everybody of an accepted probe, those who come later too', async () => {
      const { gate } = await one.tell({ kind: 'over', leaseMs: 5000 });
      await two.tell({ kind: 'over', leaseMs: 5000 });
      const pace = { perSecond: 12.5, exchangeMs: 80.25 };
      const answer = await one.tell({ kind: 'accepted', generation: generationOf(gate), ...pace });
      const released = { gate: { kind: 'released' }, members: 2, ...pace };
      expect(answer).toEqual(released);
      await bench.pass(50);
      expect(two.heard).toEqual([released]);
      expect(await two.tell({ kind: 'over', leaseMs: 300 })).toEqual(released);
    });

    test('takes no accepted probe of a lease that another has taken over', async () => {
      const { gate } = await one.tell({ kind: 'over', leaseMs: 50 });
      await bench.pass(60 + slackMs);
      await two.tell({ kind: 'over', leaseMs: 5000 });
      const answer = await one.tell({ kind: 'accepted', generation: generationOf(gate) });
      expect(answer.gate.kind).toBe('probed');
      await bench.pass(50);
      expect(two.heard).toEqual([]);
    });

    test('takes no accepted probe once there has been another hold', async () => {
      const { gate } = await one.tell({ kind: 'over', leaseMs: 5000 });
      await two.tell({ kind: 'held', forMs: 900, hintMs: 900 });
      const answer = await one.tell({ kind: 'accepted', generation: generationOf(gate) });
      expect(answer.gate.kind).toBe('held');
    });

    test('counts what all were accepted in a release that a hold ended, late reports included', async () => {
      const { gate } = await one.tell({ kind: 'over', leaseMs: 5000 });
      const beginsMs = bench.nowMs();
      await one.tell({ kind: 'accepted', generation: generationOf(gate) });
      await bench.pass(200);
      await two.tell({ kind: 'sharing' }, { accepted: 3 });
      await one.tell({ kind: 'held', forMs: 50, hintMs: 50 }, { accepted: 4 });
      // As long as it really took: in real time a busy machine adds to the 200 ms.
      const atMostMs = bench.nowMs() - beginsMs;
      await bench.pass(60 + slackMs);
      const { gate: again } = await two.tell({ kind: 'over', leaseMs: 5000 }, { accepted: 2 });
      await one.tell({ kind: 'over', leaseMs: 5000 }, { accepted: 1 });
      const { lastRelease } = await two.tell({ kind: 'accepted', generation: generationOf(again) });
      expect(lastRelease?.accepted).toBe(10);
      expect(lastRelease?.tookMs).toBeGreaterThanOrEqual(195);
      // Redis tells whole milliseconds.
      expect(lastRelease?.tookMs).toBeLessThanOrEqual(atMostMs + 1);
      await bench.pass(50);
      expect(one.heard.at(-1)?.lastRelease).toEqual(lastRelease);
    });

    test('tells everybody of a faster pace while a release lasts', async () => {
      const { gate } = await one.tell({ kind: 'over', leaseMs: 5000 });
      await one.tell({ kind: 'paced', perSecond: 99 });
      await bench.pass(50);
      expect(two.heard).toEqual([]);
      await one.tell({ kind: 'accepted', generation: generationOf(gate) });
      await one.tell({ kind: 'paced', perSecond: 25 });
      await bench.pass(50);
      expect(two.heard.at(-1)).toMatchObject({ gate: { kind: 'released' }, perSecond: 25 });
      expect(await two.tell({ kind: 'met' })).toMatchObject({ perSecond: 25 });
    });

    test('ends a hold by hand, for everybody', async () => {
      await one.tell({ kind: 'held', forMs: 5000, hintMs: 5000 });
      await two.tell({ kind: 'let-go' });
      await bench.pass(50);
      expect(one.heard.at(-1)?.gate).toEqual({ kind: 'let-go' });
      expect((await one.tell({ kind: 'over', leaseMs: 300 })).gate.kind).toBe('yours');
    });

    test('counts those who share, until they leave or are not heard of any more', async () => {
      expect((await one.tell({ kind: 'met' }, { memberMs: 300 })).members).toBe(1);
      expect((await two.tell({ kind: 'met' }, { memberMs: 5000 })).members).toBe(2);
      await bench.pass(50);
      expect(one.heard).toEqual([{ gate: { kind: 'unknown' }, members: 2 }]);
      await bench.pass(260 + slackMs);
      expect((await two.tell({ kind: 'sharing' }, { memberMs: 5000 })).members).toBe(1);
      await one.tell({ kind: 'sharing' }, { memberMs: 5000 });
      await two.tell({ kind: 'left' }, 0);
      expect((await one.tell({ kind: 'sharing' }, { memberMs: 5000 })).members).toBe(1);
    });

    test('keeps what it knows of one name from another', async () => {
      await one.tell({ kind: 'held', forMs: 900, hintMs: 900 });
      const name = nameOf(one.store, OTHER);
      expect((await two.store.tell(name, { kind: 'met', memberMs: 300, accepted: 0 })).gate.kind).toBe(
        'unknown',
      );
    });

    test('tells nothing to a listener that has stopped', async () => {
      two.stop();
      await one.tell({ kind: 'held', forMs: 900, hintMs: 900 });
      await bench.pass(100);
      expect(two.heard).toEqual([]);
    });
  });
}

const SCOPE: Scope = [{ by: 'origin', value: 'https://a.example', secret: false }];
const OTHER: Scope = [{ by: 'origin', value: 'https://b.example', secret: false }];

interface Client {
  readonly store: GateStore;
  readonly heard: GateWord[];
  readonly stop: () => void;
  tell(message: Said, facts?: 0 | Partial<Facts>): Promise<GateWord>;
}

type Said = GateMessage extends infer One
  ? One extends GateMessage
    ? Omit<One, keyof Facts>
    : never
  : never;
type Facts = Pick<GateMessage, 'memberMs' | 'accepted'>;

function clientOf(store: GateStore): Client {
  const heard: GateWord[] = [];
  const stop = store.subscribe((name, word) => {
    if (name === nameOf(store, SCOPE)) heard.push(word);
  });
  const tell = (said: Said, facts: 0 | Partial<Facts> = {}): Promise<GateWord> => {
    const more = facts === 0 ? { memberMs: 0 } : facts;
    return store.tell(nameOf(store, SCOPE), {
      memberMs: 10_000,
      accepted: 0,
      ...more,
      ...said,
    });
  };
  return { store, heard, stop, tell };
}

function nameOf(store: GateStore, scope: Scope): string {
  const named = store.nameOf(scope);
  if (named.kind !== 'shared') throw new Error(`a store that shares nothing: ${named.kind}`);
  return named.name;
}

function generationOf(gate: GateStand): number {
  if (gate.kind !== 'yours') throw new Error(`no lease: ${gate.kind}`);
  return gate.generation;
}

function forMsOf(gate: GateStand | undefined): number {
  if (gate?.kind !== 'held' && gate?.kind !== 'probed')
    throw new Error(`no time: ${gate?.kind ?? 'no word'}`);
  return gate.forMs;
}

function expectHeld(
  gate: GateStand | undefined,
  { atMostMs, atLeastMs, hintMs }: { atMostMs: number; atLeastMs: number; hintMs: number },
): void {
  expect(gate).toMatchObject({ kind: 'held', hintMs });
  expect(forMsOf(gate)).toBeLessThanOrEqual(atMostMs);
  expect(forMsOf(gate)).toBeGreaterThanOrEqual(atLeastMs);
}
