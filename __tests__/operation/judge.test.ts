import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JournalEntry, ObservationEvent, OperationOpenedEvent, WeighedEvent } from '../../lib/index';
import { isSettled } from '../../lib/policy/decide';
import { judgmentOf, readingOf, weigh } from '../../lib/policy/judgment';
import { scriptedClient } from '../support/scripted-client';
import type { Step } from '../support/scripted-server';
import { settled } from '../support/world';

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    status: fc.constantFrom(200, 204, 400, 403, 404, 408, 409, 413, 425, 429, 500, 503),
    headers: fc.constantFrom({}, { 'retry-after': '1' }, { 'retry-after': '70' }, { 'retry-after': 'soon' }),
    afterMs: fc.nat(300),
    cut: fc.boolean(),
  }),
  fc.record({ code: fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'ERR_INVALID_URL'), afterMs: fc.nat(300) }),
);

const runs = fc.record({
  steps: fc.array(steps, { minLength: 1, maxLength: 5 }),
  method: fc.constantFrom('get', 'post', 'put'),
  budget: fc.option(fc.integer({ min: 100, max: 5000 }), { nil: undefined }),
  reserve: fc.option(fc.nat(500), { nil: undefined }),
  idempotent: fc.option(fc.boolean(), { nil: undefined }),
  reconcile: fc.constantFrom('applied', 'not-applied', 'unknown', undefined),
  mode: fc.constantFrom('act', 'observe'),
  abort: fc.boolean(),
  seed: fc.nat(),
});

/** The decisions that follow from all other entries, in order. */
function recomputed(entries: readonly JournalEntry[]): readonly object[] {
  let opened: OperationOpenedEvent | undefined;
  let seen: ObservationEvent | undefined;
  return entries.flatMap((entry) => {
    if (entry.event === 'operation-opened') opened = entry;
    if (entry.event === 'observation') seen = entry;
    if (entry.event === 'observation' && isSettled(entry)) return [{ decision: 'settle', row: 1 }];
    if (entry.event !== 'weighed' || seen === undefined || opened === undefined) return [];
    return [decisionOf(opened, seen, entry)];
  });
}

function decisionOf(
  { terms }: OperationOpenedEvent,
  { verdict, resolved, hint }: ObservationEvent,
  weighed: WeighedEvent,
): object {
  const observed = { verdict, resolved, hint: readingOf(hint) };
  const { backoff } = terms;
  if (backoff !== 'function') expect(weigh(observed, weighed, { ...terms, backoff })).toEqual(weighed);
  const { kind, ...rest } = judgmentOf(observed, weighed, terms).decision;
  return { decision: kind, ...rest };
}

describe('the judgment of an exchange', () => {
  test('follows from what the journal says of it, with the decisions left out', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ steps: script, method, seed, abort, ...run }) => {
        const { api, clock, entries } = scriptedClient(
          script,
          {
            ...{ mode: run.mode, reserve: run.reserve, allowance: { start: 1 } },
            ...(run.reconcile !== undefined && { reconcile: () => ({ outcome: run.reconcile }) as never }),
          },
          { seed },
        );
        const controller = new AbortController();
        if (abort) clock.setTimer(400, () => controller.abort());
        const call = api.request({
          ...{ method, url: '/things', signal: controller.signal },
          heed: { budget: run.budget, idempotent: run.idempotent },
        });
        await clock.until(settled(call));
        const written = JSON.parse(JSON.stringify(entries)) as readonly JournalEntry[];
        const decisions = written
          .filter(({ event }) => event === 'decision')
          .map((entry) => {
            const { row, decision, because, delayMs, floor } = entry as Extract<
              JournalEntry,
              { event: 'decision' }
            >;
            return JSON.parse(JSON.stringify({ row, decision, because, delayMs, floor })) as object;
          });
        expect(recomputed(written.filter(({ event }) => event !== 'decision'))).toEqual(decisions);
      }),
      { numRuns: 300, seed: 20260602 },
    );
  });

  test('of a success weighs nothing', async () => {
    const { get } = scriptedClient([{ status: 200 }]);
    const { journal } = await get();
    expect(journal.filter(({ event }) => event === 'weighed')).toEqual([]);
  });

  test('is written again when the caller has found out that a write was not applied', async () => {
    const { api, clock, entries } = scriptedClient([{ status: 500 }, { status: 200 }], {
      reconcile: () => ({ outcome: 'not-applied' }),
    });
    await clock.until(api.post('/things'));
    const told = entries.flatMap((entry) =>
      entry.event === 'weighed' ? [[entry.exchange, entry.knowledge]] : [],
    );
    expect(told).toEqual([
      [1, 'unknown'],
      [1, 'not-applied'],
    ]);
  });
});
