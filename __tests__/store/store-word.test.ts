import { describe, expect, test } from '@jest/globals';
import { readWord } from '../../lib/store/store-word';

const word = (gate: unknown, more: object = {}): unknown => ({ gate, members: 1, ...more });
const held = (forMs: number, hintMs = 1000): object => ({ kind: 'held', forMs, hintMs });

describe('a word of a store', () => {
  test('is read as it stands where it can be true', () => {
    const whole = word(held(2000), {
      members: 8,
      perSecond: 12.5,
      exchangeMs: 80,
      lastRelease: { accepted: 3, tookMs: 200 },
    });
    expect(readWord(whole)).toEqual(whole);
  });

  test('of a hold that is over in less than a millisecond says that it is over', () => {
    for (const forMs of [0, 0.5, 0.999]) expect(readWord(word(held(forMs)))?.gate).toEqual({ kind: 'over' });
    expect(readWord(word(held(1)))?.gate).toEqual(held(1));
  });

  test.each([
    ['a hold longer than a week', word(held(7 * 86_400_000 + 1))],
    ['an instant for a duration', word(held(1_700_000_000_000))],
    ['a hold of no number', word(held(Number.NaN))],
    ['nobody that shares', word({ kind: 'over' }, { members: 0 })],
    ['a lease of no number', word({ kind: 'yours' })],
    ['a field that throws', { members: 1, gate: throwing() }],
    ['a word that throws', throwing()],
    ['a stand of another kind', word({ kind: 'shut' })],
    ['a text', 'held'],
    ['nothing', undefined],
  ])('that is %s is none', (_, value) => {
    expect(readWord(value)).toBeUndefined();
  });

  test('counts no more who share than ten thousand, and no longer exchanges than a minute', () => {
    const many = readWord(word({ kind: 'released' }, { members: 1_000_000, exchangeMs: 9e15 }));
    expect(many).toEqual({ gate: { kind: 'released' }, members: 10_000, exchangeMs: 60_000 });
  });

  test('is a copy: what the store changes later has no effect', () => {
    const lastRelease = { accepted: 3, tookMs: 200 };
    const read = readWord(word({ kind: 'released' }, { lastRelease }));
    lastRelease.tookMs = Number.NaN;
    expect(read?.lastRelease).toEqual({ accepted: 3, tookMs: 200 });
  });
});

function throwing(): object {
  return new Proxy(
    {},
    {
      get: () => {
        throw new Error('a getter');
      },
    },
  );
}
