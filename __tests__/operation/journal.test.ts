import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { CreateAxiosDefaults } from 'axios';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createGates, heed, journalOf } from '../../lib/index';
import type { JournalEntry, OperationOpenedEvent } from '../../lib/index';
import { JournalStream } from '../../lib/operation/journal-stream';
import { Journal } from '../../lib/operation/journal';
import { virtualClock } from '../../lib/testing/index';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import { settled, worldWith } from '../support/world';

const LIMITED_ONCE = [
  { status: 429, headers: { 'retry-after': '2' }, afterMs: 10 },
  { status: 200 },
] as const;
const NOBODY_LISTENS = { ...EXACT, onEntry: undefined };

const OPENED: OperationOpenedEvent = {
  ...{ event: 'operation-opened', method: 'GET', origin: '', route: '', scopes: [], mode: 'act' },
  terms: {
    ...{ exchanges: 4, jitter: 0, backoff: 'function', transient: 'function', notApplied: [] },
    allowance: 'none',
  },
};

/** Until the platform has collected what these referred to, or has had every opportunity. */
async function collected(all: readonly WeakRef<object>[]): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 20 && all.some((one) => one.deref() !== undefined); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

function eventsOf(journal: readonly JournalEntry[]): readonly string[] {
  return journal.map(({ event }) => event);
}

function only<Event extends JournalEntry['event']>(
  journal: readonly JournalEntry[],
  event: Event,
): readonly (JournalEntry & { readonly event: Event })[] {
  return journal.filter((entry): entry is JournalEntry & { readonly event: Event } => entry.event === event);
}

describe('the first entry', () => {
  test('names the gates and tells the terms', async () => {
    const { get } = scriptedClient([{ status: 200 }], {
      ...EXACT,
      concurrency: 3,
      maxHint: 'none',
      reserve: 50,
      transient: () => false,
      notApplied: [409],
      allowance: 'none',
    });
    const { journal } = await get({ heed: { budget: { seconds: 5 } }, headers: { Authorization: 'S1' } });
    expect(journal[0]).toEqual({
      v: 1,
      n: 1,
      atEpochMs: T0,
      monoMs: 0,
      operation: expect.any(String),
      event: 'operation-opened',
      method: 'GET',
      origin: 'https://api.example.com',
      route: '/things',
      scopes: ['https://api.example.com token#1 GET /things', 'https://api.example.com token#1'],
      mode: 'act',
      budgetMs: 5000,
      deadlineEpochMs: T0 + 5000,
      terms: {
        exchanges: 3,
        reserveMs: 50,
        jitter: 0,
        backoff: { firstMs: 200, factor: 2, maxMs: 30_000 },
        transient: 'function',
        notApplied: [409],
        allowance: 'none',
        concurrency: 3,
      },
    });
  });

  test('has no budget where the request has a nearer deadline', async () => {
    const { get } = scriptedClient([{ status: 200 }], { ...EXACT, budget: 5000 });
    const [opened] = only((await get({ heed: { deadline: T0 + 1000 } })).journal, 'operation-opened');
    expect(opened).toMatchObject({ deadlineEpochMs: T0 + 1000 });
    expect(opened).not.toHaveProperty('budgetMs');
  });

  test.each(['act', 'observe'] as const)(
    'is the same for who listens and who does not (%s)',
    async (mode) => {
      const heard = await scriptedClient([{ status: 200 }], { ...EXACT, mode }).get();
      const unheard = await scriptedClient([{ status: 200 }], { ...NOBODY_LISTENS, mode }).get();
      const anyOperation = (entry: JournalEntry): unknown => ({ ...entry, operation: expect.any(String) });
      expect(unheard.journal).toEqual(heard.journal.map(anyOperation));
    },
  );

  test('of a request that goes past the gates makes no gate', async () => {
    const { get, heeding } = scriptedClient([{ status: 200 }]);
    const { journal } = await get({ heed: false, headers: { Authorization: 'S1' } });
    expect(journal[0]).toMatchObject({
      mode: 'bare',
      scopes: [expect.stringContaining('token#0'), expect.any(String)],
    });
    expect(heeding.snapshot().gates).toEqual([]);
  });
});

test('the happy path has five entries', async () => {
  const { get } = scriptedClient([{ status: 200 }]);
  expect(eventsOf((await get()).journal)).toEqual([
    'operation-opened',
    'exchange-sent',
    'observation',
    'decision',
    'operation-closed',
  ]);
});

describe('what an operation waited for', () => {
  test('stands in its own journal: the hold that another met, its end, the probe, the release', async () => {
    const { api, clock } = scriptedClient(LIMITED_ONCE, { ...NOBODY_LISTENS, concurrency: 1 });
    const calls = [1, 2, 3].map(() => settled(api.get('/things')));
    const [first, second, third] = await clock.until(Promise.all(calls));
    const journal = journalOf(third?.value);
    const [limited, probing] = [first, second].map((ended) => journalOf(ended?.value)[0]?.operation);
    expect(eventsOf(journal)).toEqual([
      'operation-opened',
      'hold-entered',
      'gate-hold-began',
      'gate-hold-ended',
      'gate-lease',
      'gate-probe',
      'gate-verdict',
      'gate-released',
      'gate-opened',
      'wait-ended',
      'exchange-sent',
      'observation',
      'decision',
      'operation-closed',
    ]);
    expect(only(journal, 'gate-hold-began')).toMatchObject([
      {
        ...{ because: 'hint', hintMs: 2000, epoch: 1, operation: limited },
        ...{ untilMonoMs: 2010, untilEpochMs: T0 + 2010 },
      },
    ]);
    expect(only(journal, 'gate-probe')).toMatchObject([{ operation: probing }]);
    expect(only(journal, 'gate-verdict')).toMatchObject([{ verdict: 'accepted', operation: probing }]);
    const numbers = journal.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  test('is not told of gates that it did not wait at', async () => {
    const { api, clock } = scriptedClient(
      ({ url }) =>
        url.includes('/held')
          ? { status: 429, headers: { 'retry-after': '1' } }
          : { status: 200, afterMs: 5000 },
      NOBODY_LISTENS,
    );
    const other = settled(api.get('/other'));
    await clock.until(settled(api.get('/held')));
    const { value } = await clock.until(other);
    expect(eventsOf(journalOf(value)).filter((event) => event.startsWith('gate-'))).toEqual([]);
  });

  test('ends with the operation, and the word of the application comes after', async () => {
    const { api, clock, heeding } = scriptedClient(LIMITED_ONCE, NOBODY_LISTENS);
    const response = await clock.until(api.get('/things'));
    heeding.hold({ by: 'origin', value: 'https://api.example.com' }, T0 + 60_000, 'maintenance');
    heeding.conclude(response, { conclusion: 'charged once', detail: 'order 7' });
    const journal = journalOf(response);
    expect(eventsOf(journal).slice(-2)).toEqual(['operation-closed', 'concluded']);
    expect(journal.at(-1)).toMatchObject({ conclusion: 'charged once', detail: 'order 7' });
  });

  test('is told of shared gates in the numbers of its own client', async () => {
    const { api, clock, policy } = worldWith(({ number }) =>
      number === 2 ? { status: 429, headers: { 'retry-after': '2' }, afterMs: 10 } : { status: 200 },
    );
    const gates = createGates({ clock, jitter: 0, concurrency: 1 });
    const other = axios.create(api.defaults as CreateAxiosDefaults);
    for (const instance of [api, other]) heed(instance, { ...policy, gates });
    await clock.until(other.get('/warm-up'));
    const calls = [api, other].map((instance) => instance.get('/things'));
    const journals = (await clock.until(Promise.all(calls))).map(journalOf);
    expect(journals.map((journal) => only(journal, 'gate-hold-began').length)).toEqual([1, 1]);
    expect(journals.map(([opened]) => opened?.n)).toEqual([1, 6]);
  });
});

describe('what is kept', () => {
  test('of gates are the last 300 entries, refusals not among them', () => {
    const stream = new JournalStream('k3x9q1', virtualClock(), undefined);
    const journal = new Journal('op', stream, { opened: () => OPENED });
    journal.open();
    journal.write({ event: 'hold-entered', gate: 'a', state: 'held', ahead: 0 });
    const facts = { gate: 'a', epoch: 1, atMonoMs: 0 } as const;
    for (let i = 0; i < 400; i += 1) stream.note({ ...facts, event: 'probe' });
    for (let i = 0; i < 400; i += 1) stream.note({ ...facts, event: 'refused', because: 'queue-full' });
    expect(eventsOf(journal.entries())).toEqual([
      'operation-opened',
      'hold-entered',
      ...Array.from({ length: 300 }, () => 'gate-probe'),
    ]);
  });

  test('of an operation are the first 100 entries and the last, and how many are missing', () => {
    const journal = new Journal('op', new JournalStream('k3x9q1', virtualClock(), undefined), {
      opened: () => OPENED,
    });
    journal.open();
    for (let exchange = 1; exchange <= 300; exchange += 1)
      journal.write({ event: 'exchange-sent', exchange, gates: [] });
    const entries = journal.entries();
    expect(entries).toHaveLength(200);
    expect(entries.filter(({ dropped }) => dropped !== undefined)).toMatchObject([
      { dropped: 101, exchange: 201 },
    ]);
    expect(entries.slice(98, 102)).toMatchObject([{ exchange: 98 }, { exchange: 99 }, { exchange: 201 }, {}]);
  });

  test('of a client that nobody remembers is nothing, though it shares gates with others', async () => {
    const gates = createGates();
    const clients = Array.from({ length: 3 }, () => {
      const instance = axios.create();
      heed(instance, { gates });
      return new WeakRef(instance);
    });
    await collected(clients);
    expect(clients.map((client) => client.deref())).toEqual([undefined, undefined, undefined]);
  });
});
