import { describe, expect, test } from '@jest/globals';
import type { JournalEntry } from '../../lib/index';
import { Storybook } from '../../lib/cli/storybook';
import { collectGarbage } from '../support/collect-garbage';
import { closed, entriesOf, opened, success, T0 } from './hand-made';

const GATE = 'api.example.com /orders/:id';
const lines = [opened(), success({ atMs: 20, exchange: 1 }), closed({ atMs: 20 })];

function gateEntry(event: string, atMs: number, parts: object = {}): JournalEntry {
  const stamp = { v: 1, n: 0, atEpochMs: T0 + atMs, monoMs: 1000 + atMs };
  const whose = { client: 'k3x9q1', gate: GATE, epoch: 1 };
  return { ...stamp, event: `gate-${event}`, ...whose, ...parts } as unknown as JournalEntry;
}

function told(entries: readonly JournalEntry[], only?: string): readonly string[] {
  const storybook = new Storybook(only);
  return [...entries.flatMap((entry) => storybook.read(entry)), ...storybook.end()];
}

/** When, and the first words, of each line of a story. */
function linesOf(story: string | undefined): readonly string[] {
  return (story ?? '').trim().split('\n');
}

describe('stories', () => {
  const [one, other] = [entriesOf(lines, 'k3x9q1-1'), entriesOf(lines, 'k3x9q1-2')];

  test('are told one by one, in the order in which they end', () => {
    const stories = told([one[0]!, other[0]!, other[1]!, other[2]!, one[1]!, one[2]!]);
    expect(stories.map((story) => linesOf(story)[0])).toEqual([
      'Operation k3x9q1-2, from 2026-01-01T02:14:07.000Z',
      'Operation k3x9q1-1, from 2026-01-01T02:14:07.000Z',
    ]);
    expect(stories.map((story) => linesOf(story).length)).toEqual([4, 4]);
  });

  test('have what happened at their gates meanwhile, in its place', () => {
    const probe = gateEntry('probe', 10, { operation: 'k3x9q1-9' });
    const [story] = told([one[0]!, probe, one[1]!, one[2]!]);
    expect(linesOf(story)[2]).toMatch(/^ {4}0\.010 s {2}.*probe.*\(operation k3x9q1-9\)$/);
  });

  test('have nothing of gates that they have nothing to do with, which is told by itself', () => {
    const elsewhere = gateEntry('probe', 10, { gate: 'other.example.com' });
    const [alone, story] = told([one[0]!, elsewhere, one[1]!, one[2]!]);
    expect(alone).toMatch(/^2026-01-01T02:14:07\.010Z {2}.*other\.example\.com/);
    expect(linesOf(story)).toHaveLength(4);
  });

  test('have nothing of a gate of another client that has the same label', () => {
    const elsewhere = gateEntry('probe', 10, { client: 'zs512g' });
    const [alone, story] = told([one[0]!, elsewhere, one[1]!, one[2]!]);
    expect(alone).toMatch(/^2026-01-01T02:14:07\.010Z {2}.*probe/);
    expect(linesOf(story)).toHaveLength(4);
  });

  test('have nothing of what happened at their gates before', () => {
    const entries = [other[0]!, gateEntry('probe', 10), one[0]!, one[1]!, one[2]!];
    expect(linesOf(told(entries)[0])).toHaveLength(4);
  });

  test('whose beginning or end is missing say so', () => {
    expect(told(one.slice(1))[0]).toContain('(its beginning is not in the record)');
    expect(told(one.slice(0, 2))[0]).toContain('(its end is not in the record)');
    expect(told(one)[0]).not.toContain('not in the record');
  });

  test('under an id that is opened anew are two', () => {
    const stories = told([...one.slice(0, 2), ...one]);
    expect(stories).toHaveLength(2);
    expect(stories[0]).toContain('(its end is not in the record)');
  });

  test('of one operation leave out all others, and what belongs to none', () => {
    const entries = [...one, gateEntry('probe', 30), ...other];
    expect(told(entries, 'k3x9q1-2').map((story) => linesOf(story)[0])).toEqual([
      'Operation k3x9q1-2, from 2026-01-01T02:14:07.000Z',
    ]);
  });

  test('do not grow without end', () => {
    const many = Array.from({ length: 500 }, () => one[1]!);
    expect(linesOf(told([one[0]!, ...many, one[2]!])[0])).toHaveLength(202);
    const probes = Array.from({ length: 1000 }, () => gateEntry('probe', 10));
    expect(linesOf(told([one[0]!, ...probes, one[1]!, one[2]!])[0]).length).toBeLessThan(210);
  });

  test('say how much they leave out, of their own and of their gates', () => {
    const own = Array.from({ length: 1_000 }, () => one[1]!);
    const [long] = told([one[0]!, ...own, one[2]!]);
    // The opening, 1,000 and the end, of which 200 are kept.
    expect(linesOf(long).at(-1)?.trim()).toBe('(802 more entries)');
    const probes = Array.from({ length: 5_000 }, () => gateEntry('probe', 10));
    const before = [other[0]!, ...probes];
    const [story] = told([...before, one[0]!, ...probes, one[1]!, one[2]!, ...other.slice(1)]);
    // A story has the last 200 of its gates, and none of those that were before it.
    expect(linesOf(story)).toHaveLength(1 + 3 + 200 + 1);
    expect(linesOf(story).at(-1)?.trim()).toBe('(4,800 more entries)');
    const [alone] = told([one[0]!, ...probes.slice(0, 201), one[1]!, one[2]!]);
    expect(linesOf(alone).at(-1)?.trim()).toBe('(1 more entry)');
  });

  test.each<[string, (at: number, long: string) => Partial<JournalEntry>]>([
    ['one operation', () => ({})],
    ['operations without an end', (at) => ({ operation: `k-${at}` })],
    ['operations with long ids', (at, long) => ({ operation: `${at}-${long}` })],
    ['gates with long labels', (at, long) => ({ event: 'exchange-sent', gates: [`${at}-${long}`] })],
  ])('of %s take the memory of a few lines, however long their entries are', async (_, parts) => {
    const storybook = new Storybook();
    const long = 'x'.repeat(500_000);
    const feed = (at: number): void => {
      // As from a file: each text is one of its own.
      const line = JSON.stringify({ ...one[1]!, code: long, why: long, ...parts(at, long) });
      for (const text of storybook.read(JSON.parse(line) as JournalEntry))
        expect(text.length).toBeLessThan(300_000);
    };
    feed(0);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let at = 1; at <= 150; at += 1) feed(at);
    await collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect([...storybook.end()].length).toBeGreaterThan(0);
  });

  test('of a million entries in one operation are as long as of two hundred', async () => {
    const storybook = new Storybook();
    storybook.read(one[0]!);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let at = 1; at < 1_000_000; at += 1) storybook.read(one[1]!);
    await collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    const [story] = [...storybook.end()];
    expect(linesOf(story)).toHaveLength(203);
    expect(story).toContain('(999,800 more entries)');
  });

  test('take what they do not know as it is', () => {
    const novel = { ...one[1]!, event: 'novel', scopes: 1e308, gates: [7, {}], gate: null };
    expect(linesOf(told([one[0]!, novel as unknown as JournalEntry, one[2]!])[0])).toHaveLength(4);
    for (const gate of [null, 7, {}, undefined]) {
      expect(told([{ ...novel, event: 'gate-novel', gate } as unknown as JournalEntry])).toHaveLength(1);
    }
  });

  test('show no control characters of a file', () => {
    const entries = entriesOf(lines, 'k3\u001b[31m').map((entry) => ({ ...entry, method: '\u0007\n' }));
    expect(told(entries).join('')).not.toMatch(/[^\n -~]/);
  });
});

test("the application's own word after the end of an operation is told by itself", () => {
  const concluded = {
    ...entriesOf(lines)[0],
    event: 'concluded',
    conclusion: 'paid',
  } as unknown as JournalEntry;
  const [story, word] = told([...entriesOf(lines), concluded]);
  expect(linesOf(story)).toHaveLength(4);
  expect(word).toMatch(/paid.*\(operation k3x9q1-17\)/);
});
