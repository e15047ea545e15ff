import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JournalSums } from '../../lib/cli/journal-sums';
import { Storybook } from '../../lib/cli/storybook';
import { ran } from './command';
import {
  closed,
  entriesOf,
  hint,
  ndjson,
  observation,
  opened,
  replayed,
  success,
  weighed,
} from './hand-made';
import { readJournal } from '../../lib/journal/read-journal';

const lines = [
  opened({ budgetMs: 6420, deadlineEpochMs: 0 }),
  observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(5000) }),
  weighed({ atMs: 20, exchange: 1, remainingMs: 6400, smoothedMs: 20 }),
  { event: 'decision', atMs: 20, exchange: 1, row: 11, decision: 'again', delayMs: 5000, floor: 'hint' },
  { event: 'reconciled', atMs: 30, exchange: 1, outcome: 'not-applied' },
  success({ atMs: 5100, exchange: 2 }),
  closed({ atMs: 5100, exchanges: 2 }),
];
const text = ndjson(entriesOf(lines));

describe('whatever stands in the file, it is read to its end and nothing is thrown', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(1e308, -1, '', [], {}, 'function', 'none', '__proto__'),
  );
  /** Entries in which one part or another is not what it should be. */
  const damaged = fc
    .array(
      fc.record({
        at: fc.nat({ max: lines.length - 1 }),
        part: fc.nat(),
        value: anything,
        deep: fc.boolean(),
      }),
    )
    .map((damages) => {
      const entries: unknown[] = structuredClone(entriesOf(lines)) as unknown[];
      for (const { at, part, value, deep } of damages) damage(entries[at], { part, value, deep });
      return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    });

  test('wrong types', async () => {
    await fc.assert(
      fc.asyncProperty(
        damaged,
        fc.constantFrom(undefined, { budget: 9000, allowance: {}, transient: [] }),
        async (journal, policy) => {
          const entries = [];
          for await (const entry of readJournal([journal])) entries.push(entry);
          replayed(entries, policy);
          const [storybook, sums] = [new Storybook(), new JournalSums()];
          for (const entry of entries) {
            storybook.read(entry);
            sums.read(entry);
          }
          const stories = [...storybook.end()].join('');
          expect(stories).not.toMatch(/[^\n -~]/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 })), async (chunks) => {
        const { exitCode } = await ran(['replay', '-'], [text, ...chunks, '\n', text]);
        expect(exitCode).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  test('a file that is cut at any byte', async () => {
    const bytes = Buffer.from(text);
    for (let end = 0; end <= bytes.length; end += 1) {
      const { exitCode } = await ran(['show', '-'], [bytes.subarray(0, end)]);
      // Less than one entry is no journal.
      expect([0, ...(end < text.indexOf('\n') ? [2] : [])]).toContain(exitCode);
    }
  });
});

function damage(
  entry: unknown,
  { part, value, deep }: { part: number; value: unknown; deep: boolean },
): void {
  if (typeof entry !== 'object' || entry === null) return;
  const names = Object.keys(entry);
  const name = names[part % Math.max(1, names.length)];
  if (name === undefined) return;
  const parts = entry as Record<string, unknown>;
  if (deep && typeof parts[name] === 'object') damage(parts[name], { part, value, deep });
  else parts[name] = value;
}

describe('long journals', () => {
  function* journal(operations: number): Generator<string> {
    for (let n = 0; n < operations; n += 1) yield text.replaceAll('k3x9q1-17', `k3x9q1-${n}`);
  }

  // A million are read in __tests__/package, outside the sandbox of jest, which makes it five times slower.
  test('a hundred thousand entries are replayed', async () => {
    const { exitCode, out } = await ran(['replay', '-'], journal(100_000 / lines.length));
    expect(exitCode).toBe(0);
    expect(out).toContain('14,286 operations');
  });

  test.each([
    ['--summary', ['--summary'], '10,000 operations'],
    ['--operation', ['--operation', 'k3x9q1-7'], 'Operation k3x9q1-7,'],
  ])('tens of thousands of entries are read by show %s', async (_, options, words) => {
    const { out } = await ran(['show', '-', ...options], journal(10_000));
    expect(out).toContain(words);
  });

  test('entries of operations that never end are let go of, the oldest story first', () => {
    const storybook = new Storybook();
    const [entry] = entriesOf([opened()]);
    let told = 0;
    for (let n = 0; n < 101_000; n += 1) {
      told += storybook.read({ ...entry!, operation: `k3x9q1-${n}` }).length;
    }
    expect(told).toBe(1000);
  });
});
