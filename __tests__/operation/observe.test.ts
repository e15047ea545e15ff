import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { JournalEntry, ObservationEvent, OperationProgress } from '../../lib/index';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import { settled } from '../support/world';
import { sentenceOf } from '../../lib/journal/index';

function observations(journal: readonly JournalEntry[]): readonly ObservationEvent[] {
  return journal.filter((entry): entry is JournalEntry & ObservationEvent => entry.event === 'observation');
}

describe('an observation', () => {
  test('tells when it was sent, the clock of the server and the caches on the way', async () => {
    const date = 'Thu, 01 Jan 2026 00:00:07 GMT';
    const { get } = scriptedClient([
      {
        status: 503,
        afterMs: 40,
        headers: { 'retry-after': date, date: 'Thu, 01 Jan 2026 00:00:05 GMT', age: '1' },
      },
      { status: 200, headers: { date, age: '1' } },
    ]);
    const [first, second] = observations((await get()).journal);
    expect(first).toMatchObject({
      ...{ sentEpochMs: T0, receivedEpochMs: T0 + 40, tookMs: 40, resolved: false },
      ...{ serverDateEpochMs: T0 + 5000, ageSeconds: 1, fromCache: true },
      hint: { kind: 'hint', clock: 'server-date', skewMs: 5960, atEpochMs: T0 + 7000, delayMs: 2000 },
    });
    // Nobody asks why a success succeeded: it is not read any further.
    expect(second).not.toHaveProperty('serverDateEpochMs');
  });

  test('tells that a browser may have kept headers back', async () => {
    const { get } = scriptedClient([
      { status: 503, headers: { 'content-type': 'text/plain' } },
      { status: 200 },
    ]);
    const [hidden, plain] = observations((await get()).journal);
    expect(hidden).toMatchObject({ headersHidden: true, hint: { kind: 'silent', because: 'not-visible' } });
    expect(plain).not.toHaveProperty('headersHidden');
  });

  test('tells what the policy called it', async () => {
    const { get } = scriptedClient([{ status: 200 }], { ...EXACT, classify: () => ({ kind: 'final' }) });
    expect(observations((await get()).journal)).toMatchObject([{ classified: 'final', resolved: true }]);
  });

  test('has of a reading what a reading has, whatever else its reader hangs on it', async () => {
    const hint = {
      source: 'x',
      raw: 'r',
      form: 'own',
      delayMs: 5,
      clock: 'none',
      body: 'all of it',
    } as const;
    const { get } = scriptedClient([{ status: 503 }, { status: 200 }], {
      ...EXACT,
      hints: [() => ({ kind: 'hint', hint, headers: { cookie: 'c' } }) as never],
    });
    const [{ hint: note } = { hint: undefined }] = observations((await get()).journal);
    expect(note).toEqual({ kind: 'hint', source: 'x', raw: 'r', form: 'own', delayMs: 5, clock: 'none' });
  });
});

describe("the caller's cancel", () => {
  test.each([
    ['in flight', { silent: true } as const, 'observation'],
    ['while it waits', { status: 429, headers: { 'retry-after': '9' } } as const, 'wait-ended'],
  ])('is noted at its instant %s', async (_, step, follows) => {
    const { api, clock, entries } = scriptedClient([step]);
    const controller = new AbortController();
    const call = settled(api.get('/things', { signal: controller.signal }));
    await clock.advance(300);
    controller.abort();
    await clock.until(call);
    const at = entries.findIndex(({ event }) => event === 'cancel-requested');
    expect(entries[at]).toMatchObject({ monoMs: 300, operation: entries[0]?.operation });
    expect(entries[at + 1]?.event).toBe(follows);
    expect(entries.at(-1)).toMatchObject({ event: 'operation-closed', outcome: 'cancelled' });
  });

  // axios itself looks before its transforms: what cancels in one of them was seen, and not noted.
  test.each([
    ['a signal', 'act'],
    ['a token of axios', 'act'],
    ['a signal', 'observe'],
    ['a token of axios', 'observe'],
  ] as const)('is noted once when it was there before the operation: %s, mode %s', async (by, mode) => {
    const { get, entries, server } = scriptedClient([{ status: 200 }], { ...EXACT, mode });
    const controller = new AbortController();
    const { token, cancel } = axios.CancelToken.source();
    const transformRequest = (data: unknown): unknown => {
      if (by === 'a signal') controller.abort();
      else cancel();
      return data;
    };
    const { error } = await get({ transformRequest, signal: controller.signal, cancelToken: token });
    expect(axios.isCancel(error)).toBe(true);
    const events = entries.map(({ event }) => event);
    expect(events.slice(0, 2)).toEqual(['operation-opened', 'cancel-requested']);
    expect(events.filter((event) => event === 'cancel-requested')).toHaveLength(1);
    expect(entries.at(-1)).toMatchObject({ event: 'operation-closed', outcome: 'cancelled' });
    expect(server.sent).toEqual([]);
  });

  // A listener that comes to a signal after its abort hears nothing: the wait went on to its end.
  test('ends a wait at once when it comes while the wait begins', async () => {
    const { api, clock, entries } = scriptedClient([{ status: 429, headers: { 'retry-after': '9' } }]);
    const controller = new AbortController();
    const onProgress = ({ kind }: OperationProgress): void => {
      if (kind === 'held') controller.abort();
    };
    const { signal } = controller;
    await clock.until(settled(api.get('/things', { signal, heed: { onProgress } })));
    expect(clock.monoMs()).toBe(0);
    expect(entries.slice(-4)).toMatchObject([
      { event: 'hold-entered' },
      { event: 'cancel-requested' },
      { event: 'wait-ended', how: 'left', waitedMs: 0 },
      { event: 'operation-closed', outcome: 'cancelled' },
    ]);
    clock.assertIdle();
  });

  test('that comes after the end is nobody’s any more', async () => {
    const { api, clock, entries } = scriptedClient([{ status: 200 }]);
    const controller = new AbortController();
    await clock.until(api.get('/things', { signal: controller.signal }));
    controller.abort();
    expect(entries.map(({ event }) => event)).not.toContain('cancel-requested');
  });
});

test('a hold that is longer than its hint says why: probe after probe has met a limit', async () => {
  const limit = { status: 429, headers: { 'retry-after': '1' } };
  const { get } = scriptedClient([limit], { ...EXACT, exchanges: 5 });
  const { journal } = await get();
  const holds = journal.flatMap((entry) => (entry.event === 'gate-hold-began' ? [entry] : []));
  const told = holds.map(({ untilEpochMs, atEpochMs, hintMs, limitedProbes }) => [
    untilEpochMs - atEpochMs,
    hintMs,
    limitedProbes,
  ]);
  expect(told).toEqual([
    [1000, 1000, undefined],
    [1000, 1000, undefined],
    [1500, 1000, 2],
    [2250, 1000, 3],
    [3375, 1000, 4],
  ]);
  expect(sentenceOf(holds[3]!)).toMatch(/1 s and longer: 3 probes in a row met a limit/);
});
