import { describe, expect, test } from '@jest/globals';
import { collectGarbage } from '../support/collect-garbage';
import { Replay } from '../../lib/cli/replay';
import type { JournalEntry } from '../../lib/index';
import { closed, entriesOf, hint, observation, opened, replayed, success, weighed } from './hand-made';
import type { Line } from './hand-made';

/** A hint of 5 s at 20 ms, waited for, then a success. */
const HINTED: readonly Line[] = [
  opened({ budgetMs: 6420, deadlineEpochMs: 0 }),
  observation({
    ...{ atMs: 20, exchange: 1, status: 429, verdict: 'limit', knowledge: 'not-applied' },
    hint: hint(5000),
  }),
  weighed({
    atMs: 20,
    exchange: 1,
    knowledge: 'not-applied',
    remainingMs: 6400,
    smoothedMs: 20,
    reserveMs: 20,
  }),
  { event: 'decision', atMs: 20, exchange: 1, row: 11, decision: 'again', delayMs: 5000, floor: 'hint' },
  success({ atMs: 5100, exchange: 2 }),
  { event: 'decision', atMs: 5100, exchange: 2, row: 1, decision: 'settle' },
  closed({ atMs: 5100, exchanges: 2 }),
];

/** A 500 to a POST: nobody knows, so it stops. */
const IN_DOUBT: readonly Line[] = [
  opened({ method: 'POST' }),
  observation({ atMs: 20, exchange: 1, status: 500 }),
  weighed({ atMs: 20, exchange: 1, request: { method: 'POST', keyed: false, bodyReplayable: true } }),
  { event: 'decision', atMs: 20, exchange: 1, row: 6, decision: 'stop', because: 'outcome-unknown' },
  closed({ atMs: 20, outcome: 'stopped', because: 'outcome-unknown' }),
];

/** A 500 to a GET, repeated with success. */
const REPEATED: readonly Line[] = [
  opened(),
  { event: 'exchange-sent', atMs: 0, exchange: 1, gates: [] },
  observation({ atMs: 20, exchange: 1, status: 500 }),
  weighed({ atMs: 20, exchange: 1 }),
  {
    event: 'decision',
    atMs: 20,
    exchange: 1,
    row: 11,
    decision: 'again',
    delayMs: 625,
    floor: 'own-backoff',
  },
  success({ atMs: 700, exchange: 2 }),
  { event: 'decision', atMs: 700, exchange: 2, row: 1, decision: 'settle' },
  closed({ atMs: 700, exchanges: 2 }),
];

/** The budget of 5 s is too short for the hint of 5 s. */
const TOO_NEAR: readonly Line[] = [
  opened({ budgetMs: 5000, deadlineEpochMs: 0 }),
  observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(5000) }),
  weighed({ atMs: 20, exchange: 1, remainingMs: 4980 }),
  { event: 'decision', atMs: 20, exchange: 1, row: 10, decision: 'stop', because: 'deadline-too-near' },
  closed({ atMs: 20, outcome: 'stopped', because: 'deadline-too-near' }),
];

/** The deadline cuts the first exchange. */
const CUT: readonly Line[] = [
  opened({ budgetMs: 1000, deadlineEpochMs: 0 }),
  observation({ atMs: 1000, exchange: 1, end: 'deadline', status: undefined, verdict: 'final' }),
  weighed({ atMs: 1000, exchange: 1, deadlinePassed: true, remainingMs: 0, backoffMs: 0, roll: 0 }),
  { event: 'decision', atMs: 1000, exchange: 1, row: 3, decision: 'stop', because: 'deadline-passed' },
  closed({ atMs: 1000, outcome: 'stopped', because: 'deadline-passed' }),
];

const EMPTY_ALLOWANCE: readonly Line[] = [
  opened({ terms: { allowance: { start: 0, perExchange: 0, perSecond: 0, max: 1 } } }),
  observation({ atMs: 20, exchange: 1, status: 500 }),
  weighed({ atMs: 20, exchange: 1, allowanceEmpty: true }),
  { event: 'decision', atMs: 20, exchange: 1, row: 8, decision: 'stop', because: 'allowance-empty' },
  closed({ atMs: 20, outcome: 'stopped', because: 'allowance-empty' }),
];

const RECORDS = { HINTED, IN_DOUBT, REPEATED, TOO_NEAR, CUT, EMPTY_ALLOWANCE };

function withoutDecisions(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(({ event }) => event !== 'decision' && !event.startsWith('permission-'));
}

describe('under the recorded terms', () => {
  test.each(Object.entries(RECORDS))('%s is decided as it is recorded', (_, lines) => {
    const { differences, summary } = replayed(entriesOf(lines));
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ operations: 1, notJudged: 0, unfinished: 0, recordedDifferently: 0 });
    expect([summary.decisions, summary.recorded]).toEqual(
      ['decision', 'decision'].map((event) => lines.filter((line) => line.event === event).length),
    );
  });

  test.each([
    ['another delay', { delayMs: 4000 }],
    [
      'another row',
      { row: 10, decision: 'stop', because: 'deadline-too-near', delayMs: undefined, floor: undefined },
    ],
    ['another floor', { floor: 'own-backoff' }],
  ])('a recorded decision with %s is told', (_, change) => {
    const lines = HINTED.map((line) =>
      line.event === 'decision' && line['exchange'] === 1 ? { ...line, ...change } : line,
    );
    const { differences, summary } = replayed(entriesOf(lines));
    expect(differences).toMatchObject([
      { kind: 'record', exchange: 1, wouldBe: { decision: 'again', row: 11, delayMs: 5000, floor: 'hint' } },
    ]);
    expect(summary).toMatchObject({ recorded: 2, recordedDifferently: 1 });
  });

  test('a recorded reason that is not that of the terms is told, with both', () => {
    const lines = IN_DOUBT.map((line) =>
      line.event === 'decision' ? { ...line, because: 'answer-lost' } : line,
    );
    expect(replayed(entriesOf(lines)).differences).toMatchObject([
      { decided: { because: 'answer-lost' }, wouldBe: { because: 'outcome-unknown' } },
    ]);
  });

  test('without decision entries there is nothing to compare with, and all is recomputed', () => {
    const { differences, summary } = replayed(withoutDecisions(entriesOf(HINTED)));
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ decisions: 2, recorded: 0 });
  });
});

describe('under another policy', () => {
  const again = { decision: 'again', row: 11 } as const;
  const stop = (row: number, because: string): object => ({ decision: 'stop', row, because });

  test.each<[keyof typeof RECORDS, object, object, object, string]>([
    [
      'HINTED',
      { reserve: { seconds: 2 } },
      again,
      stop(10, 'deadline-too-near'),
      'hint 5 s + reserve 2 s > 6.4 s left',
    ],
    ['HINTED', { maxHint: 3000 }, again, stop(9, 'hint-too-long'), 'hint 5 s > maxHint 3 s'],
    ['HINTED', { exchanges: 1 }, again, stop(7, 'exchanges-spent'), 'exchanges spent: 1 of 1'],
    [
      'HINTED',
      { budget: { seconds: 4 } },
      again,
      stop(10, 'deadline-too-near'),
      'hint 5 s + reserve 20 ms > 3.98 s left',
    ],
    [
      'HINTED',
      { backoff: { first: { seconds: 6 } } },
      again,
      stop(10, 'deadline-too-near'),
      'own backoff 7.5 s + reserve',
    ],
    [
      'REPEATED',
      { transient: [502, 503] },
      again,
      stop(5, 'not-transient'),
      'neither a limit nor transient: status 500',
    ],
    [
      'REPEATED',
      { jitter: 0 },
      { ...again, delayMs: 625 },
      { ...again, delayMs: 500 },
      'own backoff 500 ms, no deadline',
    ],
    [
      'REPEATED',
      { allowance: { start: 0, perSecond: 0 } },
      again,
      stop(8, 'allowance-empty'),
      'the allowance is empty',
    ],
    ['REPEATED', { budget: 10 }, again, stop(3, 'deadline-passed'), 'the deadline has passed'],
    ['IN_DOUBT', { notApplied: [500] }, stop(6, 'outcome-unknown'), again, 'own backoff 625 ms, no deadline'],
    ['TOO_NEAR', { budget: { seconds: 30 } }, stop(10, 'deadline-too-near'), again, '<= 29.98 s left'],
    ['EMPTY_ALLOWANCE', { allowance: 'none' }, stop(8, 'allowance-empty'), again, 'own backoff 625 ms'],
    [
      'CUT',
      { budget: { seconds: 9 } },
      stop(3, 'deadline-passed'),
      { decision: 'beyond-record' },
      'would not have been cut',
    ],
  ])('%s with %j comes out otherwise, and it is told why', (name, policy, decided, wouldBe, why) => {
    const entries = entriesOf(RECORDS[name]);
    const { differences, summary } = replayed(entries, policy);
    expect(differences).toMatchObject([{ kind: 'policy', exchange: 1, decided, wouldBe }]);
    expect(differences[0]?.wouldBe.why).toContain(why);
    expect(differences[0]).toMatchObject({ operation: 'k3x9q1-17', origin: 'https://api.example.com' });
    expect(summary).toMatchObject({ different: 1, recordedDifferently: 0 });
    expect(replayed(withoutDecisions(entries), policy).differences).toEqual(differences);
  });

  test.each<[keyof typeof RECORDS, object]>([
    ['HINTED', {}],
    ['HINTED', { budget: 6420 }],
    ['HINTED', { reserve: { seconds: 1 } }],
    ['HINTED', { maxHint: 5000 }],
    ['HINTED', { maxHint: 'none', exchanges: 2 }],
    ['REPEATED', { transient: [500] }],
    ['REPEATED', { allowance: { start: 1 } }],
    ['IN_DOUBT', { transient: [500], notApplied: [503] }],
    ['TOO_NEAR', { budget: 5019 }],
    ['CUT', { budget: 500 }],
    ['CUT', { budget: 1000 }],
  ])('%s with %j comes out the same', (name, policy) => {
    expect(replayed(entriesOf(RECORDS[name]), policy).differences).toEqual([]);
  });

  test('a success that came after the end of a shorter budget would not have been seen', () => {
    const { differences } = replayed(entriesOf(HINTED), { budget: 5050, reserve: 0 });
    expect(differences).toMatchObject([
      { exchange: 2, decided: { decision: 'settle' }, wouldBe: { because: 'deadline-passed' } },
    ]);
  });

  test('a success is not undone by a jump of the wall clock, but by the time that has passed', () => {
    const jumped = entriesOf(HINTED).map((entry) => ({
      ...entry,
      atEpochMs: entry.atEpochMs + 3_600_000 * entry.n,
    }));
    expect(replayed(jumped, { budget: 5101, reserve: 0 }).differences).toEqual([]);
    expect(replayed(jumped, { budget: 5100, reserve: 0 }).differences).toMatchObject([{ exchange: 2 }]);
  });

  test('what a policy would not have taken for a success is told, though nothing more of it is weighed', () => {
    const lines = [opened(), success({ atMs: 20, exchange: 1, status: 404 }), closed({ atMs: 20 })];
    expect(replayed(entriesOf(lines), { transient: [404] }).differences).toMatchObject([
      { decided: { decision: 'settle', row: 1 }, wouldBe: { decision: 'beyond-record' } },
    ]);
  });

  test('a new budget ends the default bound of hints, as it does in heed()', () => {
    const lines = [
      opened(),
      observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(90_000) }),
      weighed({ atMs: 20, exchange: 1 }),
      closed({ atMs: 20, outcome: 'stopped' }),
    ];
    expect(replayed(entriesOf(lines), { budget: { minutes: 5 } }).differences).toMatchObject([
      { decided: { because: 'hint-too-long' }, wouldBe: { decision: 'again', delayMs: 90_000 } },
    ]);
  });

  test('the deadline of a request stands where a new budget is longer', () => {
    const lines = HINTED.map((line) =>
      line.event === 'operation-opened' ? { ...line, budgetMs: undefined } : line,
    );
    expect(replayed(entriesOf(lines), { budget: { minutes: 5 } }).differences).toEqual([]);
    expect(replayed(entriesOf(lines), { budget: 4000 }).differences).toMatchObject([
      { wouldBe: { because: 'deadline-too-near' } },
    ]);
  });

  test('after its first difference an operation is compared no further', () => {
    const fail = (exchange: number, atMs: number): readonly Line[] => [
      observation({ atMs, exchange, status: 500 }),
      weighed({ atMs, exchange }),
    ];
    const lines = [opened(), ...fail(1, 20), ...fail(2, 900), ...fail(3, 2500), closed({ atMs: 2500 })];
    const { differences, summary } = replayed(entriesOf(lines), { jitter: 0 });
    expect(differences).toHaveLength(1);
    expect(summary).toMatchObject({ decisions: 1, different: 1, notCompared: 2 });
  });

  test('what an operation has learned of earlier exchanges goes on under the other policy', () => {
    const lines = [
      opened({ method: 'POST' }),
      observation({ atMs: 20, exchange: 1, status: 503 }),
      weighed({ atMs: 20, exchange: 1, request: { method: 'POST', keyed: true, bodyReplayable: true } }),
      observation({ atMs: 900, exchange: 2, status: 409, verdict: 'transient', knowledge: 'answered' }),
      weighed({
        ...{ atMs: 900, exchange: 2, knowledge: 'answered' },
        request: { method: 'POST', keyed: true, bodyReplayable: true },
      }),
      closed({ atMs: 900 }),
    ];
    expect(replayed(entriesOf(lines)).summary).toMatchObject({ decisions: 2, notJudged: 0 });
    // A 503 that applied nothing leaves nothing in doubt: the 409 is then about something else.
    expect(replayed(entriesOf(lines), { notApplied: [503] }).differences).toMatchObject([
      { exchange: 2, decided: { decision: 'again' }, wouldBe: { because: 'not-transient' } },
    ]);
  });

  test('rules that were functions are taken at their word, until lists replace them', () => {
    const lines = REPEATED.map((line) =>
      line.event === 'operation-opened'
        ? opened({ terms: { transient: 'function', notApplied: 'function', backoff: 'function' } })
        : line,
    );
    expect(replayed(entriesOf(lines)).differences).toEqual([]);
    expect(replayed(entriesOf(lines), { exchanges: 2 }).differences).toEqual([]);
    expect(replayed(entriesOf(lines), { transient: [503] }).differences).toMatchObject([
      { wouldBe: { because: 'not-transient' } },
    ]);
  });
});

describe('a write in doubt that was reconciled', () => {
  const RECONCILED: readonly Line[] = [
    ...IN_DOUBT.slice(0, 4),
    { event: 'reconciled', atMs: 30, exchange: 1, outcome: 'not-applied' },
    weighed({
      ...{ atMs: 30, exchange: 1, knowledge: 'not-applied' },
      request: { method: 'POST', keyed: false, bodyReplayable: true },
    }),
    {
      event: 'decision',
      atMs: 30,
      exchange: 1,
      row: 11,
      decision: 'again',
      delayMs: 625,
      floor: 'own-backoff',
    },
    success({ atMs: 700, exchange: 2 }),
    closed({ atMs: 700 }),
  ];

  test('is judged twice, the second time by what was found out', () => {
    const { differences, summary } = replayed(entriesOf(RECONCILED));
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ decisions: 3, recorded: 2 });
  });

  test('may come out otherwise at either', () => {
    expect(replayed(entriesOf(RECONCILED), { exchanges: 1 }).differences).toMatchObject([
      { exchange: 1, decided: { decision: 'again' }, wouldBe: { because: 'exchanges-spent' } },
    ]);
    expect(replayed(entriesOf(RECONCILED), { notApplied: [500] }).differences).toMatchObject([
      { exchange: 1, decided: { because: 'outcome-unknown' }, wouldBe: { decision: 'again' } },
    ]);
  });
});

describe('a record with gaps', () => {
  test('an operation whose beginning is missing is passed over and counted', () => {
    const { differences, summary } = replayed(entriesOf(HINTED.slice(1)), { exchanges: 1 });
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ operations: 0, decisions: 0, withoutOpening: 1 });
  });

  test('an operation whose end is missing is judged as far as it goes', () => {
    const { summary } = replayed(entriesOf(HINTED.slice(0, 4)));
    expect(summary).toMatchObject({ operations: 1, decisions: 1, unfinished: 1 });
  });

  test('an exchange of which nothing was weighed is counted as not judged', () => {
    const lines = HINTED.filter(({ event }) => event !== 'weighed');
    const { differences, summary } = replayed(entriesOf(lines), { exchanges: 1 });
    expect(differences).toEqual([]);
    expect(summary).toMatchObject({ notJudged: 1, decisions: 1 });
  });

  test('an operation past the gates has no decisions', () => {
    const lines = [opened({ mode: 'bare' }), observation({ atMs: 20, exchange: 1 }), closed({ atMs: 20 })];
    expect(replayed(entriesOf(lines)).summary).toMatchObject({ operations: 1, decisions: 0, notJudged: 0 });
  });

  test('operations that never end are forgotten, the oldest first', () => {
    const replay = replayed(
      (function* () {
        for (let n = 0; n < 100_010; n += 1) yield* entriesOf([opened()], `k3x9q1-${n}`);
      })(),
    );
    expect(replay.summary).toMatchObject({ operations: 100_010, unfinished: 100_010 });
  });

  test('two operations in one file are not mixed up', () => {
    const [one, other] = [entriesOf(HINTED), entriesOf(REPEATED, 'k3x9q1-18')];
    const mixed = one.flatMap((entry, at) => [entry, ...(other[at] === undefined ? [] : [other[at]])]);
    const { differences, summary } = replayed([...mixed, ...other.slice(one.length)], { exchanges: 1 });
    expect(differences.map(({ operation }) => operation)).toEqual(['k3x9q1-17', 'k3x9q1-18']);
    expect(summary).toMatchObject({ operations: 2, byReason: { 'again -> exchanges-spent': 2 } });
  });
});

test('operations without an end are forgotten, the oldest first, when what is kept of them grows too large', async () => {
  const replay = new Replay();
  const long = 'x'.repeat(500_000);
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 400; at += 1) {
    const [begun, seen] = entriesOf(
      [opened({ why: long }), observation({ atMs: 20, exchange: 1, code: long })],
      `k3x9q1-${at}`,
    );
    // As from a file: each text is one of its own.
    for (const entry of [begun, seen]) replay.read(JSON.parse(JSON.stringify(entry)) as JournalEntry);
  }
  await collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  // The newest is still open, and judged as ever.
  const weighing = entriesOf([weighed({ atMs: 20, exchange: 1, remainingMs: 6400 })], 'k3x9q1-399');
  weighing.forEach((entry) => replay.read(entry));
  expect(replay.summary()).toMatchObject({ operations: 400, unfinished: 400, decisions: 1 });
});
