import { describe, expect, test } from '@jest/globals';
import { scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';
import { readDocument } from './markdown';

const FOR_EVER = [{ status: 429, headers: { 'retry-after': '60' } }];

/** What the README says, in ms. */
function said(pattern: RegExp): readonly number[] {
  const found = pattern.exec(readDocument('README.md').replace(/\s+/g, ' '));
  if (found === null) throw new Error(`the README does not say ${String(pattern)}`);
  return found.slice(1).map((seconds) => Number(seconds) * 1000);
}

describe('whoever sets no budget', () => {
  test.each([0, 0.5, 0.999])(
    'is told how long a call takes that is never served (dice at %s)',
    async (roll) => {
      const [least = 0, most = 0] = said(/`Retry-After: 60` for ever, that is between (\d+) and (\d+) s/);
      const { error, atMonoMs } = await scriptedClient(FOR_EVER, {}, { roll: () => roll }).get();
      expect(error?.heed).toMatchObject({ reason: 'exchanges-spent', exchanges: 4 });
      expect(atMonoMs).toBeGreaterThanOrEqual(least);
      expect(atMonoMs).toBeLessThanOrEqual(most);
    },
  );

  test('is told the waits of a server that says so little that 30 s are the most', async () => {
    const server = [{ status: 429, headers: { 'retry-after': '20' } }];
    const { atMonoMs } = await scriptedClient(server, { maxHint: 20_000 }, { roll: () => 0.999 }).get();
    expect(atMonoMs).toBeGreaterThan(3 * 20_000 * 1.1 + 100);
    expect(atMonoMs).toBeLessThan(3 * (30_000 * 1.1 + 30));
  });

  test('is told that of five calls which begin together the last takes a quarter of an hour', async () => {
    said(/Of five calls that begin together at that server, the last ends after a quarter of an hour/);
    const { api, clock } = scriptedClient(FOR_EVER, {});
    const ends = await clock.until(Promise.all(Array.from({ length: 5 }, () => settled(api.get('/things')))));
    expect(ends.map(({ error }) => error?.heed.reason)).toEqual(ends.map(() => 'exchanges-spent'));
    expect(Math.abs(clock.monoMs() / 60_000 - 15)).toBeLessThan(1.5);
  });
});
