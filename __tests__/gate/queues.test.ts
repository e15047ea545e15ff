import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Heap } from '../../lib/gate/heap';
import { probeAmong } from '../../lib/gate/probe-choice';
import { TicketQueue } from '../../lib/gate/ticket-queue';
import type { Waiter } from '../../lib/gate/waiter';
import { WaitingLine } from '../../lib/gate/waiting-line';

interface Item {
  readonly key: number;
  place: number | undefined;
}

const itemHeap = (): Heap<Item> =>
  new Heap<Item>({
    isBefore: (a, b) => a.key < b.key,
    placeOf: (item) => item.place,
    setPlace: (item, place) => {
      item.place = place;
    },
  });

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
    const heap = new Heap<Item>({
      isBefore: (a, b) => {
        looks += 1;
        return a.key < b.key;
      },
      placeOf: (item) => item.place,
      setPlace: (item, place) => {
        item.place = place;
      },
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
): Waiter {
  numbers += 1;
  return {
    party: { number: more.number ?? numbers, turn: more.turn },
    terms: {
      notBeforeMonoMs: more.notBefore ?? 0,
      reserveMs: 0,
      exchangesLeft: 1,
      repeatable: true,
      maxHoldMs: more.maxHoldMs,
    },
    latestMonoMs: more.latest,
    dueSinceMonoMs: 0,
    stands: 'due',
    linePlace: undefined,
    latestPlace: undefined,
  };
}

const numbersOf = (waiters: readonly Waiter[]): number[] => waiters.map(({ party }) => party.number);

function served(queue: TicketQueue<Waiter>): number[] {
  const order: number[] = [];
  for (let next = queue.first; next !== undefined; next = queue.first) {
    order.push(next.party.number);
    queue.serve(next);
  }
  return order;
}

describe('the ticket queue', () => {
  test('goes by ticket number, whatever the order of coming', () => {
    const queue = new TicketQueue<Waiter>();
    for (const number of [5, 1, 4, 2, 3]) queue.add(waiter({ number }));
    expect(queue.size).toBe(5);
    expect(served(queue)).toEqual([1, 2, 3, 4, 5]);
  });

  test('goes by turns over keys, and by number within a key', () => {
    const queue = new TicketQueue<Waiter>();
    for (let number = 1; number <= 6; number += 1) queue.add(waiter({ number, turn: 'heavy' }));
    queue.add(waiter({ number: 7, turn: 'light' }));
    queue.add(waiter({ number: 8 }));
    expect(numbersOf(queue.firstFew(5))).toEqual([1, 7, 8, 2, 3]);
    expect(served(queue)).toEqual([1, 7, 8, 2, 3, 4, 5, 6]);
  });

  test('a key that comes anew waits for its turn behind the others', () => {
    const queue = new TicketQueue<Waiter>();
    const [a1, a2, b1] = [
      waiter({ number: 1, turn: 'a' }),
      waiter({ number: 2, turn: 'a' }),
      waiter({ number: 3, turn: 'b' }),
    ];
    for (const one of [a1, a2, b1]) queue.add(one);
    queue.serve(a1);
    queue.add(waiter({ number: 4, turn: 'c' }));
    expect(served(queue)).toEqual([3, 2, 4]);
  });

  test('whoever leaves costs its key no turn', () => {
    const queue = new TicketQueue<Waiter>();
    const [a1, a2] = [waiter({ number: 1, turn: 'a' }), waiter({ number: 2, turn: 'a' })];
    for (const one of [a1, a2, waiter({ number: 3, turn: 'b' })]) queue.add(one);
    queue.remove(a1);
    expect(served(queue)).toEqual([2, 3]);
    queue.remove(a1);
    expect(queue.size).toBe(0);
  });
});

describe('the waiting line', () => {
  test('lets nobody into the queue before his own instant', () => {
    const line = new WaitingLine<Waiter>();
    const [late, early] = [waiter({ number: 1, notBefore: 200 }), waiter({ number: 2, notBefore: 100 })];
    line.add(late, 0);
    line.add(early, 0);
    expect([line.due, line.size, line.nextDueMonoMs]).toEqual([0, 2, 100]);
    line.wake(100);
    expect([line.due, line.first, line.nextDueMonoMs]).toEqual([1, early, 200]);
    expect(early.dueSinceMonoMs).toBe(100);
    line.wake(500);
    expect(line.first).toBe(late);
    line.remove(late);
    expect([...line]).toEqual([early]);
  });

  test('knows whose time runs out first, and before what', () => {
    const line = new WaitingLine<Waiter>();
    const [sooner, later] = [waiter({ latest: 500 }), waiter({ latest: 900 })];
    for (const one of [later, sooner, waiter()]) line.add(one, 0);
    expect(line.nextLatestMonoMs).toBe(500);
    expect(line.tooLate(499, undefined)).toBeUndefined();
    expect(line.tooLate(500, undefined)).toBe(sooner);
    expect(line.tooLate(0, 500)).toBe(sooner);
    expect(line.tooLate(0, 499)).toBeUndefined();
    line.remove(sooner);
    expect(line.tooLate(0, 900)).toBe(later);
    line.serve(later);
    expect(line.nextLatestMonoMs).toBeUndefined();
  });

  test('finds those whose own bound a hold exceeds', () => {
    const line = new WaitingLine<Waiter>();
    const [tight, loose] = [waiter({ maxHoldMs: 1000 }), waiter({ maxHoldMs: 5000 })];
    for (const one of [tight, loose, waiter()]) line.add(one, 0);
    expect(line.unwillingFor(1000)).toEqual([]);
    expect(line.unwillingFor(1001)).toEqual([tight]);
    line.remove(tight);
    expect(line.unwillingFor(5000)).toEqual([]);
    expect(line.unwillingFor(6000)).toEqual([loose]);
  });
});

describe('the choice of a probe', () => {
  const of = (exchangesLeft: number, repeatable: boolean) => ({ terms: { exchangesLeft, repeatable } });

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
