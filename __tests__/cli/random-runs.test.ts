import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HeedPolicy, JournalEntry } from '../../lib/index';
import { readJournal } from '../../lib/journal/read-journal';
import { ndjson, replayed } from './hand-made';
import type { Replayed } from './hand-made';
import { dataOf, journalOfRun, policyFiles, runs } from './random-run';

// The world of these runs is random: servers, hints and nonsense, methods, keys, deadlines, cancels, clocks.
const RUNS = { numRuns: 120, seed: 20_260_101 };

type Decided = Extract<JournalEntry, { event: 'decision' }>;

function decisionsOf(entries: readonly JournalEntry[]): readonly Decided[] {
  return entries.filter((entry) => entry.event === 'decision');
}

async function readAll(text: Uint8Array): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of readJournal([text])) entries.push(entry);
  return entries;
}

test('a run that is replayed under its own terms comes out as it was recorded', async () => {
  let decisions = 0;
  await fc.assert(
    fc.asyncProperty(runs, async (plan) => {
      const entries = await journalOfRun(plan);
      const { differences, summary } = replayed(entries);
      decisions += summary.decisions;
      expect(differences).toEqual([]);
      expect(summary.recorded).toBe(decisionsOf(entries).length);
      expect(summary).toMatchObject({
        decisions: summary.recorded,
        notJudged: 0,
        withoutOpening: 0,
        unfinished: 0,
      });
    }),
    RUNS,
  );
  expect(decisions).toBeGreaterThan(500);
});

test('a policy file that says what the recorded policy said changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async (plan) => {
      const calls = plan.calls.map((call, at) => ({
        ...call,
        heed: undefined,
        atMs: at === 0 ? 0 : call.atMs,
      }));
      const entries = await journalOfRun({ ...plan, calls });
      expect(replayed(entries, dataOf(plan.policy)).differences).toEqual([]);
    }),
    RUNS,
  );
});

test('what another policy would have decided first is what a client with that policy decides', async () => {
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(runs, policyFiles, async ({ calls, ...plan }, file) => {
      const [call] = calls;
      // One operation, and the waits of the other policy as long as those of the record.
      const { jitter = 0.1 } = plan.policy;
      const alone = { ...plan, calls: [{ ...call!, heed: undefined, atMs: 0 }], jumps: [] };
      const other: HeedPolicy = { ...plan.policy, ...file, jitter };
      const recorded = await journalOfRun(alone);
      const really = decisionsOf(await journalOfRun({ ...alone, policy: other }));
      const { differences, summary } = replayed(recorded, { ...file, jitter });
      const [first] = differences;
      const same = decisionsOf(recorded).slice(0, summary.decisions - differences.length);
      const alike = really.slice(0, same.length).map(({ row, because, delayMs }) => [row, because, delayMs]);
      expect(alike).toEqual(
        same.slice(0, alike.length).map(({ row, because, delayMs }) => [row, because, delayMs]),
      );
      const next = really[same.length];
      if (first === undefined || next === undefined || first.wouldBe.decision === 'beyond-record') return;
      checked += 1;
      expect([first.wouldBe.decision, first.wouldBe.row, first.wouldBe.because]).toEqual([
        next.decision,
        next.row,
        next.because,
      ]);
    }),
    { ...RUNS, numRuns: 300 },
  );
  expect(checked).toBeGreaterThan(80);
});

test('the entries of decisions and permissions can be deleted: nothing else comes out', async () => {
  await fc.assert(
    fc.asyncProperty(runs, policyFiles, async (plan, file) => {
      const entries = await journalOfRun(plan);
      const bare = entries.filter(({ event }) => event !== 'decision' && !event.startsWith('permission-'));
      const whole = replayed(entries, file);
      const without = replayed(bare, file);
      expect(without.differences).toEqual(whole.differences);
      expect(without.summary).toEqual({ ...whole.summary, recorded: 0 });
    }),
    RUNS,
  );
});

test('a journal that is cut at any byte is replayed as far as it goes', async () => {
  await fc.assert(
    fc.asyncProperty(runs, policyFiles, fc.nat(), async (plan, file, anywhere) => {
      const whole = Buffer.from(ndjson(await journalOfRun(plan)));
      const cut = whole.subarray(0, anywhere % (whole.length + 1));
      const { differences }: Replayed = replayed(await readAll(whole), file);
      const found = replayed(await readAll(cut), file).differences;
      expect(found).toEqual(differences.slice(0, found.length));
    }),
    RUNS,
  );
});
