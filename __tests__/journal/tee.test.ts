import { describe, expect, jest, test } from '@jest/globals';
import { tee } from '../../lib/journal/index';
import type { JournalListener } from '../../lib/operation/journal-entry';
import { entryOf } from './entries';

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
  ])('goes on when one of them %s, and nothing is left over', async (_, failing) => {
    const stray = jest.fn();
    process.on('unhandledRejection', stray);
    try {
      const last = jest.fn();
      tee(failing, last)(entry);
      await new Promise((resolve) => setImmediate(resolve));
      expect(last).toHaveBeenCalledWith(entry);
      expect(stray).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', stray);
    }
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
