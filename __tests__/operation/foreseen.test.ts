import { describe, expect, test } from '@jest/globals';
import type { JournalEntry } from '../../lib/index';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';

const LIMITED = { status: 429, headers: { 'retry-after': '10' } } as const;

function observing(): ScriptedClient {
  return scriptedClient(({ number }) => (number === 1 ? LIMITED : { status: 200 }), {
    ...EXACT,
    mode: 'observe',
  });
}

function holdsIn(journal: readonly JournalEntry[]): readonly JournalEntry[] {
  return journal.filter(({ event }) => event.startsWith('hold-') || event.startsWith('pause-'));
}

describe('what only observes', () => {
  test('tells at which gate an operation would have been held, and until when', async () => {
    const { get, clock } = observing();
    await get();
    await clock.advance(4000);
    const { journal, atMonoMs } = await get();
    expect(atMonoMs).toBe(4000);
    expect(holdsIn(journal)).toMatchObject([
      {
        event: 'hold-entered',
        gate: 'https://api.example.com none GET /things',
        state: 'held',
        ahead: 0,
        releaseAtEpochMs: T0 + 10_000,
      },
    ]);
  });

  test.each([
    ['deadline-too-near', { budget: 1000 }],
    ['hint-too-long', { maxHint: 1000 }],
  ])('tells that it would have been refused: %s', async (because, heed) => {
    const { get } = observing();
    await get();
    const { journal, status } = await get({ heed });
    expect(status).toBe(200);
    expect(holdsIn(journal)).toMatchObject([
      { event: 'hold-refused', because, releaseAtEpochMs: T0 + 10_000 },
    ]);
  });

  // Only gates that were there already were asked.
  test('tells of a hold by hand that is older than the gate', async () => {
    const { api, get, ended, heeding, clock } = observing();
    heeding.hold({ by: 'origin', value: 'https://api.example.com' }, T0 + 5000, 'maintenance');
    const { journal, atMonoMs } = await get();
    expect(atMonoMs).toBe(0);
    expect(holdsIn(journal)).toMatchObject([
      {
        event: 'hold-entered',
        gate: 'https://api.example.com none GET /things',
        state: 'held',
        releaseAtEpochMs: T0 + 5000,
      },
    ]);
    const hurried = await ended(api.get('/others', { heed: { budget: 1000 } }));
    expect(holdsIn(hurried.journal)).toMatchObject([{ event: 'hold-refused', because: 'deadline-too-near' }]);
    heeding.release({ by: 'origin', value: 'https://api.example.com' });
    expect(holdsIn((await ended(api.get('/third'))).journal)).toEqual([]);
    await clock.advance(5001);
    expect(holdsIn((await ended(api.get('/fourth'))).journal)).toEqual([]);
    clock.assertIdle();
  });

  test('tells nothing where nothing would have held it: before a limit, elsewhere, afterwards', async () => {
    const { api, get, ended, clock } = observing();
    expect(holdsIn((await get()).journal)).toEqual([]);
    expect(holdsIn((await ended(api.get('/others'))).journal)).toEqual([]);
    await clock.advance(10_001);
    expect(holdsIn((await get()).journal)).toEqual([]);
  });

  test('leaves the gates as they are', async () => {
    const { get, clock, heeding } = observing();
    await get();
    const before = heeding.snapshot();
    await get();
    await get({ headers: { Authorization: 'S1' } });
    expect(heeding.snapshot()).toBe(before);
    clock.assertIdle();
  });
});
