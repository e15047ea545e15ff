import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { journalRing } from '../../lib/journal/index';
import { collectGarbage } from '../support/collect-garbage';
import { entries, entryOf } from './entries';

describe('journalRing', () => {
  test('keeps the last entries, oldest first, and counts the rest, however they come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 40 }), (most, count) => {
        const ring = journalRing(most);
        const all = [...entries(count)];
        all.forEach((entry) => ring.onEntry(entry));
        expect(ring.entries()).toEqual(all.slice(-most));
        expect(ring.dropped).toBe(Math.max(0, count - most));
      }),
    );
  });

  test('gives a list that does not change when more entries come', () => {
    const ring = journalRing(2);
    ring.onEntry(entryOf('gate-opened', 1));
    const seen = ring.entries();
    ring.onEntry(entryOf('gate-opened', 2));
    expect(seen).toHaveLength(1);
  });

  test('is as new once it is cleared', () => {
    const ring = journalRing(2);
    for (const entry of entries(5)) ring.onEntry(entry);
    ring.clear();
    expect([ring.entries(), ring.dropped]).toEqual([[], 0]);
    for (const entry of entries(3)) ring.onEntry(entry);
    expect([ring.entries().map(({ n }) => n), ring.dropped]).toEqual([[2, 3], 1]);
  });

  test('holds on to nothing that it has dropped', async () => {
    const ring = journalRing(3);
    const weak = [...entries(50)].map((entry) => {
      ring.onEntry(entry);
      return new WeakRef(entry);
    });
    await collectGarbage();
    expect(weak.map((one) => one.deref()?.n).filter((n) => n !== undefined)).toEqual([48, 49, 50]);
  });

  test.each([0, -1, 1.5, Number.NaN, Infinity, '5', undefined])('refuses a size of %p', (most) => {
    expect(() => journalRing(most as number)).toThrow(
      'axios-heed: expected `most` of journalRing to be a whole number of 1 or more, got',
    );
  });
});
