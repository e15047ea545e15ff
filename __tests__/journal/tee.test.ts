import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { tee } from '../../lib/journal/index';
import type { JournalListener } from '../../lib/operation/journal-entry';
import { entryOf } from './entries';
import { strayRejections } from './stray-rejections';

describe('tee', () => {
  const entry = entryOf('gate-opened');

  test('tells every listener, in their order', () => {
    const told: string[] = [];
    tee(
      () => told.push('first'),
      (heard) => told.push(heard.event),
    )(entry);
    expect(told).toEqual(['first', 'gate-opened']);
  });

  test.each<[string, JournalListener]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
    [
      'rejects by a promise of another realm',
      () => runInNewContext('Promise.reject(new Error("mine"))') as never,
    ],
  ])('goes on when one of them %s, and nothing is left over', async (_, failing) => {
    const last = jest.fn();
    expect(await strayRejections(() => tee(failing, last)(entry))).toEqual([]);
    expect(last).toHaveBeenCalledWith(entry);
  });

  test('of nobody tells nobody', () => {
    expect(() => tee()(entry)).not.toThrow();
  });

  test('refuses what is no function', () => {
    expect(() => tee(jest.fn(), {} as JournalListener)).toThrow(
      'axios-heed: expected listener 2 of tee to be a function, got an object',
    );
  });
});
