import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ran, withFiles } from './command';
import { closed, entriesOf, hint, ndjson, observation, opened, success, weighed } from './hand-made';

const entries = entriesOf([
  opened({ budgetMs: 6420, deadlineEpochMs: 0 }),
  observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(5000) }),
  weighed({ atMs: 20, exchange: 1, remainingMs: 6400, smoothedMs: 20 }),
  { event: 'decision', atMs: 20, exchange: 1, row: 11, decision: 'again', delayMs: 5000, floor: 'hint' },
  success({ atMs: 5100, exchange: 2 }),
  { event: 'decision', atMs: 5100, exchange: 2, row: 1, decision: 'settle' },
  closed({ atMs: 5100, exchanges: 2 }),
]);
const journal = ndjson(entries);
const half = journal.slice(0, journal.indexOf('\n', journal.length / 2) + 1);

describe('replay', () => {
  test('of a journal that is as its terms have it ends with 0', async () => {
    const { exitCode, out, complaints } = await ran(['replay', '-'], [journal]);
    expect([exitCode, complaints]).toEqual([0, '']);
    expect(out).toBe(
      '1 operation, 2 decisions recomputed.\nCompared with 2 recorded decisions: 2 the same, 0 different.\n',
    );
  });

  test('under a policy that decides otherwise ends with 1, and says what and why', async () => {
    await withFiles(
      { 'j.ndjson': journal, 'policy.json': '{ "reserve": { "seconds": 2 } }' },
      async (path) => {
        const { exitCode, out } = await ran(['replay', path('j.ndjson'), '--policy', path('policy.json')]);
        expect(exitCode).toBe(1);
        expect(out).toBe(
          [
            'GET https://api.example.com/orders/:id  exchange 1  (operation k3x9q1-17, 2026-01-01T02:14:07.020Z)',
            '  decided     again after 5 s            row 11: hint 5 s + reserve 20 ms <= 6.4 s left',
            '  would be    stop: deadline-too-near    row 10: hint 5 s + reserve 2 s > 6.4 s left',
            '',
            '1 operation, 1 decision recomputed.',
            'Under the other policy: 0 the same, 1 different.',
            '  again -> deadline-too-near: 1 time',
            'After its first difference an operation is compared no further: the record is of another story (1 decision).',
            '',
          ].join('\n'),
        );
      },
    );
  });

  test('says as JSON what it says in words', async () => {
    await withFiles({ 'policy.json': '{ "reserve": 2000 }' }, async (path) => {
      const { exitCode, out } = await ran(
        ['replay', '-', '--json', '--policy', path('policy.json')],
        [journal],
      );
      const [difference, summary, ...more] = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect([exitCode, more]).toEqual([1, []]);
      expect(difference).toMatchObject({
        difference: {
          kind: 'policy',
          operation: 'k3x9q1-17',
          exchange: 1,
          decided: {
            decision: 'again',
            delayMs: 5000,
            weighed: { reserveMs: 20, remainingMs: 6400, hintMs: 5000 },
          },
          wouldBe: { decision: 'stop', because: 'deadline-too-near', row: 10, weighed: { reserveMs: 2000 } },
        },
      });
      expect(summary).toMatchObject({ summary: { operations: 1, different: 1, unreadable: 0, dropped: 0 } });
    });
  });

  test('tells of a recorded decision that is not what its terms give', async () => {
    const { exitCode, out } = await ran(
      ['replay', '-'],
      [journal.replace('"delayMs":5000,"floor"', '"delayMs":4000,"floor"')],
    );
    expect(exitCode).toBe(1);
    expect(out).toContain('  recorded    again after 4 s');
    expect(out).toContain('  recomputed  again after 5 s            row 11: hint 5 s');
    expect(out).toContain('Compared with 2 recorded decisions: 1 the same, 1 different.');
  });

  test('says what could not be read, and goes on', async () => {
    const { exitCode, out } = await ran(['replay', '-'], ['{"v":1}\n', journal, '{"v":1,"n"']);
    expect(exitCode).toBe(0);
    expect(out).toContain('2 lines not readable (the first: line 1, not-an-entry).');
    expect(out).toContain('Compared with 2 recorded decisions: 2 the same');
  });

  test('reads a file together with those that it was rotated into', async () => {
    await withFiles({ 'j.ndjson': journal.slice(half.length), 'j.ndjson.1': half }, async (path) => {
      const { out } = await ran(['replay', path('j.ndjson')]);
      expect(out).toContain('1 operation, 2 decisions recomputed.');
    });
  });

  test('of an empty journal has nothing to say, and that is no difference', async () => {
    expect(await ran(['replay', '-'])).toMatchObject({ exitCode: 0, complaints: '' });
  });
});

describe('show', () => {
  test('tells the story of an operation with the seconds since its beginning', async () => {
    const { exitCode, out } = await ran(['show', '-'], [journal]);
    expect(exitCode).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toBe('Operation k3x9q1-17, from 2026-01-01T02:14:07.000Z');
    expect(lines.slice(1, 8).map((line) => line.slice(0, 13))).toEqual(
      ['0.000', '0.020', '0.020', '0.020', '5.100', '5.100', '5.100'].map(
        (at) => `${`${at} s`.padStart(11)}  `,
      ),
    );
    expect(lines[1]).toContain('GET https://api.example.com/orders/:id');
  });

  test('sums up', async () => {
    const { out } = await ran(['show', '-', '--summary'], [journal]);
    expect(out).toBe(
      [
        '1 operation from 2026-01-01T02:14:07.000Z to 2026-01-01T02:14:12.100Z.',
        '        1  succeeded',
        '2 exchanges.',
        '        1  429',
        '        1  200',
        'No waits.',
        '',
      ].join('\n'),
    );
  });

  test.each([[[]], [['--summary']]])('refuses an operation that is not there, with %j', async (more) => {
    const { exitCode, out, complaints } = await ran(
      ['show', '-', '--operation', 'k3x9q1-99', ...more],
      [journal],
    );
    expect([exitCode, out]).toEqual([2, '']);
    expect(complaints).toContain("there is no operation 'k3x9q1-99'");
  });
});

describe('a command line that cannot be obeyed ends with 2 and says what was expected', () => {
  test.each<[readonly string[], string]>([
    [[], 'expected a command, replay or show'],
    [['relpay', 'j'], "expected the command replay or show, got 'relpay'"],
    [['replay'], 'expected a journal after replay'],
    [['replay', 'a', 'b'], "expected one journal, got also 'b'"],
    [['replay', '-', '--summary'], 'expected options of replay, got --summary'],
    [['show', '-', '--json'], 'expected options of show, got --json'],
    [['replay', '-', '--polic', 'x'], "Unknown option '--polic'"],
    [['replay', '-', '--policy'], '--policy'],
    [['replay', '/no/such/file'], 'cannot read /no/such/file: there is no such file'],
    [['replay', '/'], 'cannot read /'],
    [['replay', '-', '--policy', '/no/such/policy'], 'cannot read /no/such/policy: there is no such file'],
  ])('%j', async (args, words) => {
    const { exitCode, out, complaints } = await ran(args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(complaints).toContain(words);
    expect(complaints).toContain('axios-heed --help');
  });

  test.each<[string, string]>([
    ['not json', 'is no JSON'],
    ['[]', 'expected the policy to be an object, got an array'],
    ['null', 'expected the policy to be an object, got null'],
    ['{"bugdet": 5}', 'expected the policy to have known options (budget, reserve, maxHint'],
    ['{"scopes": []}', 'got `scopes`: no decision can be recomputed from it'],
    [
      '{"budget": -1}',
      'expected the policy `budget` to be milliseconds (finite, >= 0) or a date-fns Duration, got -1',
    ],
    ['{"budget": {"minute": 1}}', 'expected the policy `budget` to be milliseconds'],
    ['{"transient": "5xx"}', "`transient` to be a list of status codes or a function, got '5xx'"],
    ['{"exchanges": null}', '`exchanges` to be a whole number of 1 or more, got null'],
    ['{"__proto__": {"budget": 5}}', 'got `__proto__`'],
  ])('the policy file %s', async (text, words) => {
    await withFiles({ 'policy.json': text }, async (path) => {
      const { exitCode, complaints } = await ran(['replay', '-', '--policy', path('policy.json')], [journal]);
      expect([exitCode, complaints]).toEqual([2, expect.stringContaining(words)]);
    });
  });

  test('a file that is no journal', async () => {
    const { exitCode, complaints } = await ran(['replay', '-'], ['hello\nworld\n']);
    expect([exitCode, complaints]).toEqual([
      2,
      expect.stringContaining('- is no journal: line 1 is not-json'),
    ]);
  });
});

describe('help and version', () => {
  test.each(['--help', '-h'])('%s names every command and option', async (option) => {
    const { exitCode, out } = await ran([option]);
    expect(exitCode).toBe(0);
    for (const word of ['replay', 'show', '--policy', '--json', '--operation', '--summary', 'Exit code'])
      expect(out).toContain(word);
  });

  test.each(['--version', '-v'])('%s is that of the package', async (option) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await ran([option])).out).toBe(`${version}\n`);
  });
});
