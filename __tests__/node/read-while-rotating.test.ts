import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import fs from 'node:fs';
import { join } from 'node:path';
import { journalFile } from '../../lib/node/index';
import { entryOf } from '../journal/entries';
import { folders, range, readAll } from './folder';
import { MovingFiles } from './moving-files';

const { make, removeAll } = folders();
afterEach(removeAll);

/** Runs before each look that a reader takes at the disk: at a name, or at the folder. */
function beforeEachLook(act: () => void): void {
  const { open, readdir } = fs.promises;
  jest.spyOn(fs.promises, 'open').mockImplementation(async (...args) => {
    act();
    return open(...args);
  });
  jest.spyOn(fs.promises, 'readdir').mockImplementation(async (...args: Parameters<typeof readdir>) => {
    act();
    return readdir(...args);
  });
}

describe('readJournalFile while files are rotated', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 40 });

  test.each([
    ['none is pushed over the end', 1000],
    ['old ones go', 6],
    ['there is one old one', 1],
  ])('misses none, in whatever state it meets them, where %s', async (_, maxOldFiles) => {
    const path = join(make(), 'journal.ndjson');
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(8), fc.nat(5), async (schedule, before, half) => {
        const files = new MovingFiles(path, maxOldFiles);
        try {
          files.write(before + 1);
          for (let step = 0; step < half; step += 1) files.step();
          const first = files.newest;
          let look = 0;
          beforeEachLook(() => {
            for (let left = schedule[look] ?? 0; left > 0; left -= 1) files.step();
            look += 1;
          });
          const { numbers, report } = await readAll(path);
          const [oldest = 0, newest = 0] = [numbers[0], numbers.at(-1)];
          expect(report.unreadable).toBe(0);
          expect(numbers).toEqual(range(oldest, newest));
          expect(newest).toBeGreaterThanOrEqual(first);
          // All that were there when it began, but for those that the writer has deleted since: in the middle of a
          // rotation it has deleted one, and the new one is not yet there.
          const kept = Math.max(1, files.newest - maxOldFiles + 1); // in the first case: 1
          expect(oldest).toBeLessThanOrEqual(Math.min(kept, newest));
        } finally {
          jest.restoreAllMocks();
          files.removeAll();
        }
      }),
      { numRuns: 100 },
    );
  });

  test('of a real writer reads without a gap, time after time', async () => {
    const path = join(make(), 'journal.ndjson');
    const file = journalFile(path, { maxFileBytes: 2000, maxOldFiles: 10_000 });
    const writing = (async () => {
      for (let n = 1; n <= 1500; n += 1) {
        file.onEntry({ ...entryOf('gate-opened'), n });
        if (n % 10 === 0) await file.flush();
      }
      await file.close();
    })();
    await file.flush();
    for (let reads = 0; reads < 40; reads += 1) {
      const { numbers } = await readAll(path);
      expect(numbers).toEqual(range(1, numbers.length));
    }
    await writing;
    expect((await readAll(path)).numbers).toEqual(range(1, 1500));
  });

  test('finds files whatever their numbers, without trying every number between', async () => {
    const path = join(make(), 'journal.ndjson');
    for (const name of [path, `${path}.2`, `${path}.7`, `${path}.20260101`]) {
      const file = journalFile(name);
      file.onEntry({ ...entryOf('gate-opened'), n: 1 });
      await file.close();
    }
    let looks = 0;
    beforeEachLook(() => (looks += 1));
    expect((await readAll(path)).numbers).toHaveLength(4);
    expect(looks).toBeLessThan(30);
  });
});
