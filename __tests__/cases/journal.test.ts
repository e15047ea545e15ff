import { describe, expect, jest, test } from '@jest/globals';
import { inspect } from 'node:util';
import { byTenant, byToken, journalOf } from '../../lib/index';
import type { HeedPolicy, JournalEntry } from '../../lib/index';
import { EXACT, scriptedClient } from '../support/scripted-client';
import { failureOf, settled } from '../support/world';

/** A promise that is none of the platform's own. */
function thenable(reason: Error): object {
  const promise = Promise.reject(reason);
  return { then: promise.then.bind(promise) };
}

const ONCE_MORE = [{ status: 503 }, { status: 200 }] as const;

test.each(['get', 'post'] as const)('JRN-01: no secret of a %s is in the journal', async (method) => {
  const { api, clock, entries } = scriptedClient([
    { status: 429, headers: { 'retry-after': '1', 'set-cookie': 's=S9' }, data: 'S8' },
    { status: 500, data: '{"body":"S8"}' },
  ]);
  const error = await failureOf(
    clock,
    api.request({
      method,
      url: 'https://S7user:S7pass@api.example.com/things?q=S0#S0',
      headers: { Authorization: 'S1', Cookie: 'S2', 'X-API-KEY': 'S3', 'Proxy-Authorization': 'S4' },
      auth: { username: 'S5', password: 'S5' },
      params: { api_key: 'S6' },
      data: { card: 'S8' },
    }),
  );
  const shown = [JSON.stringify(journalOf(error)), ...entries.map((entry) => JSON.stringify(entry))];
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((text) => /S\d/.test(text))).toEqual([]);
  expect(JSON.stringify(error.heed)).not.toMatch(/S\d/);
});

test('JRN-01: what a server writes into Retry-After is kept short and in one line', async () => {
  const { api, clock } = scriptedClient([
    { status: 503, headers: { 'retry-after': `x\r\n\u001b[31m${'y'.repeat(999)}` } },
  ]);
  const error = await failureOf(clock, api.get('/things'));
  const shown = JSON.stringify(journalOf(error));
  expect(shown).toContain('malformed');
  expect(shown).not.toMatch(/y{128}/);
  const raws = journalOf(error).flatMap((entry) =>
    entry.event === 'observation' && 'raw' in entry.hint ? [entry.hint.raw] : [],
  );
  expect(raws).toHaveLength(3);
  expect(raws.filter((raw) => raw.split('').some((c) => c < ' ') || raw.length > 128)).toEqual([]);
});

test('JRN-03: a path that the caller masks is masked before anything is stored', async () => {
  const { api, clock, entries, heeding } = scriptedClient(
    [{ status: 429, headers: { 'retry-after': '1' } }, { status: 400 }],
    { ...EXACT, maskPath: (path) => path.replace(/\/bot[^/]+/, '/bot') },
  );
  const error = await failureOf(clock, api.get('/bot77:SECRET/send'));
  expect(error.heed.message).toContain('/bot/send');
  for (const part of [entries, journalOf(error), error.heed, heeding.snapshot()]) {
    expect(inspect(part, { depth: 20 })).not.toContain('SECRET');
  }
});

test('JRN-04: an error can be made into text, and the text is short', async () => {
  const { get } = scriptedClient([{ status: 503 }]);
  const { error } = await get();
  const texts = [
    JSON.stringify(error),
    JSON.stringify(error?.heed),
    JSON.stringify(journalOf(error)),
    inspect(error),
  ];
  expect(texts.filter((text) => text.length > 20_000)).toEqual([]);
  expect(inspect(error?.heed)).not.toContain('Circular');
  expect(error?.heed.message.split('\n')).toHaveLength(1);
});

test('JRN-05: the journal tells of each exchange what happened, what was decided and why', async () => {
  const { get } = scriptedClient([
    { status: 429, headers: { 'retry-after': '2' }, afterMs: 10 },
    { code: 'ECONNRESET', afterMs: 10 },
    { status: 503, afterMs: 10 },
  ]);
  const { journal } = await get();
  const of = (event: JournalEntry['event']): readonly JournalEntry[] =>
    journal.filter((entry) => entry.event === event);
  expect(of('exchange-sent').map(({ monoMs }) => monoMs)).toEqual([0, 2010, 2420]);
  expect(of('observation')).toMatchObject([
    { exchange: 1, verdict: 'limit', end: 'answer', status: 429, tookMs: 10, knowledge: 'not-applied' },
    { exchange: 2, verdict: 'transient', end: 'network-failure', code: 'ECONNRESET', tookMs: 10 },
    { exchange: 3, verdict: 'transient', end: 'answer', status: 503, tookMs: 10, knowledge: 'unknown' },
  ]);
  expect(of('observation')[0]).toMatchObject({
    hint: { kind: 'hint', source: 'retry-after', raw: '2', form: 'delay-seconds', delayMs: 2000 },
  });
  expect(of('decision')).toMatchObject([
    { exchange: 1, decision: 'again', delayMs: 2000, floor: 'hint' },
    { exchange: 2, decision: 'again', delayMs: 400, floor: 'own-backoff' },
    { exchange: 3, decision: 'stop', because: 'exchanges-spent', row: 7 },
  ]);
  expect(of('hold-entered').length).toBeGreaterThanOrEqual(1);
  expect(journal.at(-1)).toMatchObject({
    event: 'operation-closed',
    outcome: 'stopped',
    because: 'exchanges-spent',
    exchanges: 3,
  });
  expect(journal.map(({ n }) => n)).toEqual([...journal.map(({ n }) => n)].sort((a, b) => a - b));
});

describe('JRN-07: what an observer does changes nothing', () => {
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('observer');
      },
    ],
    ['returns a rejected promise', () => Promise.reject(new Error('observer'))],
    [
      'returns a thenable that throws',
      () => ({
        then: () => {
          throw new Error('observer');
        },
      }),
    ],
  ])('when it %s', async (_, onEntry) => {
    const stray = jest.fn();
    process.on('unhandledRejection', stray);
    try {
      const { get, clock } = scriptedClient(ONCE_MORE, { ...EXACT, onEntry });
      expect((await get()).status).toBe(200);
      await new Promise((resolve) => setImmediate(resolve));
      expect(stray).not.toHaveBeenCalled();
      clock.assertIdle();
    } finally {
      process.off('unhandledRejection', stray);
    }
  });

  test('when it throws while gates change and others wait', async () => {
    const { api, clock, heeding } = scriptedClient(
      ({ number }) =>
        number === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200, afterMs: 20 },
      {
        ...EXACT,
        onEntry: () => {
          throw new Error('observer');
        },
      },
    );
    heeding.subscribe(() => {
      throw new Error('subscriber');
    });
    const calls = Array.from({ length: 5 }, () => settled(api.get('/things')));
    const ends = await clock.until(Promise.all(calls));
    expect(ends.map(({ value }) => value?.status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('JRN-07: a judgment of the caller that fails is the error of the call, and nothing stays pending', () => {
  const failure = new Error('mine');
  const fail = (): never => {
    throw failure;
  };
  const policies: [string, HeedPolicy][] = [
    ['transient', { transient: fail }],
    ['notApplied', { notApplied: fail }],
    ['backoff', { backoff: fail }],
    ['classify', { classify: fail }],
    ['scopes', { scopes: [fail] }],
    ['turn', { turn: fail }],
    ['maskPath', { maskPath: fail }],
    ['beforeExchange, at once', { beforeExchange: fail }],
    ['beforeExchange, later', { beforeExchange: () => Promise.reject(failure) }],
  ];
  test.each(policies)('%s', async (_, policy) => {
    const { api, clock, heeding } = scriptedClient(ONCE_MORE, { ...EXACT, concurrency: 1, ...policy });
    const error = await failureOf(clock, api.get('/things'));
    expect(error).toBe(failure);
    expect(
      heeding
        .snapshot()
        .gates.map(({ inFlight }) => inFlight)
        .filter((n) => n > 0),
    ).toEqual([]);
    expect(heeding.snapshot().waiting).toBe(0);
    clock.assertIdle();
  });

  const rejected = (): never => Promise.reject(failure) as never;
  const later = rejected as never;
  test.each<[string, HeedPolicy]>([
    ['transient', { transient: later }],
    ['notApplied', { notApplied: later }],
    ['backoff', { backoff: later }],
    ['classify', { classify: later }],
    ['scopes', { scopes: [later] }],
    ['byTenant', { scopes: [byTenant(later)] }],
    ['byToken', { scopes: [byToken(later)] }],
    ['the label of byToken', { scopes: [byToken(() => 'token', later)] }],
    ['turn', { turn: later }],
    ['maskPath', { maskPath: later }],
    ['idempotencyKey', { idempotencyKey: later }],
    ['the key of idempotencyKey', { idempotencyKey: { key: later } }],
    ['hints', { hints: [later] }],
    ['some of hints', { hints: [() => [rejected()]] }],
    ['onEntry', { onEntry: later }],
    ['onEntry, by a promise of another library', { onEntry: () => thenable(failure) }],
  ])('that gives a promise where none is waited for, which rejects: %s', async (name, policy) => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    const { api, clock, heeding } = scriptedClient(ONCE_MORE, { ...EXACT, ...policy });
    const { value, error } = await clock.until(
      settled(api.post('/things', {}, { heed: { idempotent: true } })),
    );
    // What only observes changes nothing; a reader that fails is silent.
    const isObserver = /hints|onEntry/.test(name);
    const told = value?.status ?? /xpected|to give a key/.test(String(error.message));
    expect(told).toBe(isObserver ? 200 : true);
    expect(clock.monoMs()).toBeLessThanOrEqual(200);
    expect(heeding.snapshot().waiting).toBe(0);
    clock.assertIdle();
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
  });

  test.each([
    ['throws', fail],
    ['gives no number', (() => 'soon') as never],
    ['gives less than nothing', () => -1],
    ['gives NaN', () => NaN],
  ])('a backoff that %s after a limit without a hint', async (_, backoff) => {
    const { api, clock, heeding } = scriptedClient([{ status: 429 }, { status: 200 }], {
      ...EXACT,
      concurrency: 1,
      backoff,
    });
    const error = await failureOf(clock, api.get('/things'));
    expect(error).toBeInstanceOf(Error);
    expect(
      heeding
        .snapshot()
        .gates.map(({ inFlight }) => inFlight)
        .filter((n) => n > 0),
    ).toEqual([]);
    const next = await clock.until(settled(api.get('/things')));
    expect(next.value?.status ?? next.error).toBe(200);
  });

  test('a classify that gives a wait that is none', async () => {
    const { get, heeding } = scriptedClient([{ status: 200 }], {
      ...EXACT,
      concurrency: 1,
      classify: () => ({ kind: 'limit', delayMs: -5 }),
    });
    expect((await get()).error).toBeInstanceOf(TypeError);
    expect(
      heeding
        .snapshot()
        .gates.map(({ inFlight }) => inFlight)
        .filter((n) => n > 0),
    ).toEqual([]);
  });
});

test('JRN-09: what is refused on this side looks like no answer of a server', async () => {
  const { api, clock, entries } = scriptedClient(
    ({ atMonoMs }) =>
      atMonoMs < 60_000 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200, afterMs: 20 },
    { ...EXACT, maxQueued: 1 },
  );
  const first = settled(api.get('/things', { heed: { budget: 90_000 } }));
  await clock.advance(10);
  const second = await failureOf(clock, api.get('/things'));
  expect([second.code, second.heed.reason, second.response]).toEqual([
    'ERR_HEED_QUEUE_FULL',
    'queue-full',
    undefined,
  ]);
  const third = await failureOf(clock, api.get('/things', { heed: { budget: 1000 } }));
  expect([third.code, third.heed.reason, third.response]).toEqual([
    'ERR_HEED_DEADLINE',
    'deadline-too-near',
    undefined,
  ]);
  expect(third.heed.releaseAt).toBe(clock.wallEpochMs() - 10 + 60_000);
  expect((await clock.until(first)).value?.status).toBe(200);
  const closed = entries.filter((entry) => entry.event === 'operation-closed');
  expect(closed.map((entry) => [entry.outcome, entry.because])).toEqual([
    ['refused', 'queue-full'],
    ['refused', 'deadline-too-near'],
    ['succeeded', undefined],
  ]);
  expect(entries.filter((entry) => entry.event === 'observation' && entry.status === 429)).toHaveLength(1);
});

test('JRN-09: a deadline that passes in the queue looks like no answer of a server', async () => {
  const { api, clock, entries, server } = scriptedClient(() => ({ status: 200, afterMs: 5000 }), {
    ...EXACT,
    concurrency: 1,
  });
  const first = settled(api.get('/things'));
  await clock.advance(10);
  const { code, heed, response, status } = await failureOf(
    clock,
    api.get('/things', { heed: { budget: 1000 } }),
  );
  expect([code, heed.reason, response, status]).toEqual([
    'ERR_HEED_DEADLINE',
    'deadline-passed',
    undefined,
    undefined,
  ]);
  expect([clock.monoMs(), heed.exchanges, heed.knowledge]).toEqual([1010, 0, 'not-sent']);
  expect((await clock.until(first)).value?.status).toBe(200);
  expect(server.sent).toHaveLength(1);
  const seen = entries.filter((entry) => entry.event === 'observation' || entry.event === 'weighed');
  expect(seen.filter(({ operation }) => operation === heed.operationId)).toEqual([]);
});

test('JRN-10: the journal of one operation is a ring with its first and its last entries', async () => {
  const { api, clock } = scriptedClient(({ number }) => ({ status: number <= 300 ? 503 : 200 }), {
    ...EXACT,
    exchanges: 400,
    backoff: { first: 1, factor: 1 },
    allowance: 'none',
  });
  const journal = journalOf(await clock.until(api.get('/things')));
  expect(journal.length).toBeLessThanOrEqual(500);
  expect(journal[0]).toMatchObject({ event: 'operation-opened' });
  expect(journal.at(-1)).toMatchObject({ event: 'operation-closed', exchanges: 301 });
});

test('JRN-10: a client keeps no entries of its own, however many operations there were', async () => {
  const { api, clock } = scriptedClient(({ number }) => ({ status: number % 2 === 1 ? 503 : 200 }), {
    ...EXACT,
    allowance: 'none',
  });
  const first = await clock.until(api.get('/things'));
  for (let n = 0; n < 20; n += 1) await clock.until(api.get('/things'));
  const operations = new Set(journalOf(first).map(({ operation }) => operation));
  expect(operations.size).toBe(1);
});
