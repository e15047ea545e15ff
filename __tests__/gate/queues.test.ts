import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Heap } from '../../lib/gate/heap';
import { probeAmong } from '../../lib/gate/probe-choice';
import { WaitingLine } from '../../lib/gate/waiting-line';
import type { InLine } from '../../lib/gate/waiting-line';

interface Item {
  readonly key: number;
  place: number | undefined;
}

const itemHeap = (): Heap<Item> => new Heap<Item>('place', (a, b) => a.key < b.key);

const keysOf = (items: Iterable<Item>): number[] => [...items].map(({ key }) => key);
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('the heap', () => {
  test('gives what is first, whatever was added and taken out in between', () => {
    const steps = fc.array(fc.record({ key: fc.integer({ min: 0, max: 50 }), removes: fc.option(fc.nat()) }));
    fc.assert(
      fc.property(steps, (all) => {
        const heap = itemHeap();
        const held: Item[] = [];
        for (const { key, removes } of all) {
          const item = { key, place: undefined };
          heap.add(item);
          held.push(item);
          const victims = removes === null ? [] : held.splice(removes % held.length, 1);
          expect(victims.map((victim) => heap.remove(victim))).toEqual(victims.map(() => true));
          expect(victims.map((victim) => heap.remove(victim))).toEqual(victims.map(() => false));
          expect(heap.size).toBe(held.length);
          expect(heap.first?.key).toBe(ascending(keysOf(held))[0]);
          expect(keysOf(heap.firstFew(5))).toEqual(ascending(keysOf(held)).slice(0, 5));
          expect(ascending(keysOf(heap))).toEqual(ascending(keysOf(held)));
        }
      }),
    );
  });

  test('looks at few items to take one out of a hundred thousand', () => {
    let looks = 0;
    const heap = new Heap<Item>('place', (a, b) => {
      looks += 1;
      return a.key < b.key;
    });
    const items = Array.from({ length: 100_000 }, (_, at) => ({
      key: (at * 7919) % 100_003,
      place: undefined,
    }));
    for (const item of items) heap.add(item);
    looks = 0;
    for (let at = 0; at < 1000; at += 1) heap.remove(items[at * 97]!);
    expect(looks / 1000).toBeLessThan(2 * Math.log2(100_000));
  });
});

let numbers = 0;
function waiter(
  more: { number?: number; turn?: string; notBefore?: number; latest?: number; maxHoldMs?: number } = {},
): InLine {
  numbers += 1;
  return {
    number: more.number ?? numbers,
    turn: more.turn,
    dueMonoMs: more.notBefore ?? 0,
    isDue: false,
    latestMonoMs: more.latest,
    reserveMs: 0,
    maxHoldMs: more.maxHoldMs,
    linePlace: undefined,
    latestPlace: undefined,
  };
}

const numbersOf = (waiters: readonly InLine[]): number[] => waiters.map(({ number }) => number);

function lineOf(...waiters: readonly InLine[]): WaitingLine<InLine> {
  const line = new WaitingLine<InLine>();
  for (const one of waiters) line.add(one, 0);
  return line;
}

function served(line: WaitingLine<InLine>): number[] {
  const order: number[] = [];
  for (let next = line.first; next !== undefined; next = line.first) {
    order.push(next.number);
    line.remove(next, 'pass');
  }
  return order;
}

describe('those who are due', () => {
  test('go by ticket number, whatever the order of coming', () => {
    const line = lineOf(...[5, 1, 4, 2, 3].map((number) => waiter({ number })));
    expect(line.due).toBe(5);
    expect(served(line)).toEqual([1, 2, 3, 4, 5]);
  });

  test('go by turns over keys, and by number within a key', () => {
    const heavy = [1, 2, 3, 4, 5, 6].map((number) => waiter({ number, turn: 'heavy' }));
    const line = lineOf(...heavy, waiter({ number: 7, turn: 'light' }), waiter({ number: 8 }));
    expect(numbersOf(line.firstFew(5))).toEqual([1, 7, 8, 2, 3]);
    expect(served(line)).toEqual([1, 7, 8, 2, 3, 4, 5, 6]);
  });

  test('a key that comes anew waits for its turn behind the others', () => {
    const a1 = waiter({ number: 1, turn: 'a' });
    const line = lineOf(a1, waiter({ number: 2, turn: 'a' }), waiter({ number: 3, turn: 'b' }));
    line.remove(a1, 'pass');
    line.add(waiter({ number: 4, turn: 'c' }), 0);
    expect(served(line)).toEqual([3, 2, 4]);
  });

  test('whoever leaves costs its key no turn', () => {
    const a1 = waiter({ number: 1, turn: 'a' });
    const line = lineOf(a1, waiter({ number: 2, turn: 'a' }), waiter({ number: 3, turn: 'b' }));
    line.remove(a1, 'left');
    expect(served(line)).toEqual([2, 3]);
    line.remove(a1, 'left');
    expect(line.size).toBe(0);
  });
});

describe('the waiting line', () => {
  test('lets nobody into the queue before his own instant', () => {
    const line = new WaitingLine<InLine>();
    const [late, early] = [waiter({ number: 1, notBefore: 200 }), waiter({ number: 2, notBefore: 100 })];
    line.add(late, 0);
    line.add(early, 0);
    expect([line.due, line.size, line.nextMonoMs]).toEqual([0, 2, 100]);
    line.wake(100);
    expect([line.due, line.first, line.nextMonoMs]).toEqual([1, early, 200]);
    expect(early.dueMonoMs).toBe(100);
    line.wake(500);
    expect(line.first).toBe(late);
    line.remove(late, 'left');
    expect([...line]).toEqual([early]);
  });

  test('knows whose time runs out first, and before what', () => {
    const line = new WaitingLine<InLine>();
    const [sooner, later] = [waiter({ latest: 500 }), waiter({ latest: 900 })];
    for (const one of [later, sooner, waiter()]) line.add(one, 0);
    expect(line.nextMonoMs).toBe(500);
    expect(line.tooLate(499, undefined)).toBeUndefined();
    expect(line.tooLate(500, undefined)).toBe(sooner);
    expect(line.tooLate(0, 500)).toBe(sooner);
    expect(line.tooLate(0, 499)).toBeUndefined();
    line.remove(sooner, 'left');
    expect(line.tooLate(0, 900)).toBe(later);
    line.remove(later, 'pass');
    expect(line.nextMonoMs).toBeUndefined();
  });

  test('finds those whose own bound a hold exceeds', () => {
    const line = new WaitingLine<InLine>();
    const [tight, loose] = [waiter({ maxHoldMs: 1000 }), waiter({ maxHoldMs: 5000 })];
    for (const one of [tight, loose, waiter()]) line.add(one, 0);
    expect(line.unwillingFor(1000)).toEqual([]);
    expect(line.unwillingFor(1001)).toEqual([tight]);
    line.remove(tight, 'left');
    expect(line.unwillingFor(5000)).toEqual([]);
    expect(line.unwillingFor(6000)).toEqual([loose]);
  });
});

describe('the choice of a probe', () => {
  const of = (exchangesLeft: number, repeatable: boolean) => ({ exchangesLeft, repeatable });

  test('is the one with most exchanges left among those fit to be repeated, the oldest of several', () => {
    const candidates = [of(9, false), of(1, true), of(3, true), of(3, true)];
    expect(probeAmong(candidates)).toBe(candidates[2]);
  });

  test('is the oldest where none is fit to be repeated', () => {
    const candidates = [of(1, false), of(9, false)];
    expect(probeAmong(candidates)).toBe(candidates[0]);
    expect(probeAmong(candidates.slice(2))).toBeUndefined();
  });
});
