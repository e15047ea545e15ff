import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JournalEntry } from '../../lib/index';
import { runCommand } from '../../lib/cli/run-command';
import { ran, withFiles } from './command';
import type { Ran } from './command';
import { closed, entriesOf, hint, ndjson, observation, opened, success, weighed } from './hand-made';

/** Escape sequences, BEL, C1, DEL, a carriage return, a tab, and what turns the direction of writing. */
const EVIL = '\u001b[2J\u001b]0;pwn\u0007\u009b31m\u007f\r\t\u202eEVIL\u2028\u2066\u200f\u{e0001}';
const LONG = 'z'.repeat(1_000_000);
const TEXTS: readonly (readonly [string, string])[] = [
  ['controls', EVIL],
  ['a megabyte', LONG],
  ['controls around a lot', `${EVIL}${'z'.repeat(100_000)}${EVIL}`],
];

const entries = entriesOf([
  opened({ budgetMs: 6420, deadlineEpochMs: 0 }),
  observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(5000) }),
  weighed({ atMs: 20, exchange: 1, remainingMs: 6400, smoothedMs: 20 }),
  { event: 'decision', atMs: 20, exchange: 1, row: 11, decision: 'again', delayMs: 4000, floor: 'hint' },
  { event: 'permission-denied', atMs: 20, because: 'outcome-unknown', knowledge: 'unknown' },
  { event: 'gate-opened', atMs: 30, gate: 'api.example.com', epoch: 1 },
  { event: 'gate-opened', atMs: 30, gate: 'other.example.com', epoch: 1 },
  success({ atMs: 5100, exchange: 2 }),
  { event: 'decision', atMs: 5100, exchange: 2, row: 1, decision: 'settle', because: 'x' },
  closed({ atMs: 5100, exchanges: 2, because: 'x' }),
]);

/** The journal as often as it has texts, each time with something more in one of them. */
function* spoilt(more: string): Generator<readonly JournalEntry[]> {
  yield entries.map((entry) => ({ ...entry, operation: `${String(entry.operation)}${more}` }));
  yield [...entries, { ...entries[0]!, event: `novel${more}`, [more]: more } as unknown as JournalEntry];
  for (const [at, entry] of entries.entries()) {
    const { event, operation, ...facts } = entry;
    for (const other of variants(facts, more)) {
      yield entries.map((one, place) =>
        place === at ? ({ event, operation, ...(other as object) } as JournalEntry) : one,
      );
    }
  }
}

/** One for each text that is in the value. */
function* variants(value: unknown, more: string): Generator {
  if (typeof value === 'string') yield value + more;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    for (const other of variants(part, more)) {
      if (Array.isArray(value)) yield value.map((one: unknown, at) => (String(at) === name ? other : one));
      else yield { ...value, [name]: other };
    }
  }
}

function expectHarmless(...texts: readonly string[]): void {
  for (const text of texts) {
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(1000);
  }
}

/** Of lines of JSON, which are not cut: what is in them is. */
function expectHarmlessJson(out: string): void {
  expect(out).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  for (const line of out.trim().split('\n')) {
    expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(line.length).toBeLessThan(50_000);
  }
}

async function withPolicy(policy: string | undefined, args: readonly string[], stdin: string): Promise<Ran> {
  if (policy === undefined) return ran(args, [stdin]);
  return withFiles({ policy }, (path) => ran([...args, '--policy', path('policy')], [stdin]));
}

describe('a hostile journal', () => {
  const commands = [
    ['show', '-'],
    ['show', '-', '--summary'],
    ['replay', '-'],
  ];
  const policies = [undefined, '{ "reserve": { "seconds": 2 } }'];

  test.each(TEXTS.flatMap((text) => commands.map((args) => [...text, args] as const)))(
    'with %s in any of its texts shows all of it in short lines without a control: %#',
    async (_, more, args) => {
      for (const policy of args[0] === 'replay' ? policies : [undefined]) {
        for (const journal of spoilt(more)) {
          const { out, complaints, exitCode } = await withPolicy(policy, args, ndjson(journal));
          expectHarmless(out, complaints);
          expect([complaints, exitCode < 2]).toEqual(['', true]);
        }
      }
    },
  );

  test.each(TEXTS)('with %s in any of its texts is JSON all the same', async (_, more) => {
    for (const policy of policies) {
      for (const journal of spoilt(more)) {
        const { out, complaints } = await withPolicy(policy, ['replay', '-', '--json'], ndjson(journal));
        expectHarmlessJson(out);
        expect(complaints).toBe('');
      }
    }
  });

  test('says of a line how much of it is left out, and keeps its beginning and its end', async () => {
    const { complaints } = await ran(['show', `/no/such/${LONG}/journal`]);
    expect(complaints).toMatch(
      /^axios-heed: cannot read \/no\/such\/z+ \[\.\.\. [\d,]+ characters \.\.\.\] z+\S*'?\n/,
    );
  });

  test('keeps what a control was, in JSON too', async () => {
    const evil = entries.map((entry) => ({ ...entry, operation: 'a\u009b\u202eb' }));
    const { out } = await ran(['replay', '-', '--json'], [ndjson(evil)]);
    expect(out).toContain('"operation":"a\\u009b\\u202eb"');
    expect(JSON.parse(out.split('\n')[0]!)).toMatchObject({ difference: { operation: 'a\u009b\u202eb' } });
  });
});

describe('a complaint', () => {
  const policies: readonly (readonly [string, string])[] = TEXTS.flatMap(([word, more]) => [
    [`a name that is ${word}`, JSON.stringify({ [more]: 1 })],
    [`a value that is ${word}`, JSON.stringify({ exchanges: more })],
    [`a name inside that is ${word}`, JSON.stringify({ budget: { [more]: 1 } })],
    [`no JSON but ${word}`, `{"a":\n\n${more}`],
  ]);

  test.each(policies)('of a policy with %s is two short lines without a control', async (_, policy) => {
    const { exitCode, out, complaints } = await withPolicy(policy, ['replay', '-'], ndjson(entries));
    expectHarmless(out, complaints);
    expect([exitCode, out, complaints.split('\n').length]).toEqual([2, '', 3]);
  });

  test.each(
    TEXTS.flatMap(([, more]) => [
      [more],
      ['show', more],
      ['show', '-', more],
      ['show', '-', `--${more}`],
      ['show', '-', '--operation', more],
      ['show', `a\nb${more}`],
      ['replay', '-', '--policy', more],
    ]),
  )('of a command line is two short lines without a control: %#', async (...args) => {
    const { exitCode, complaints } = await ran(args, [ndjson(entries)]);
    expectHarmless(complaints);
    expect([exitCode, complaints.split('\n').length]).toEqual([2, 3]);
  });

  test('of what nobody has foreseen is one, too, and the program ends with 2', async () => {
    let complaints = '';
    const exitCode = await runCommand(['show', '-'], {
      stdin: (async function* () {
        yield ndjson(entries);
      })(),
      write: () => Promise.reject(new Error(`the pipe${EVIL}\n${LONG}`)),
      complain: (text) => void (complaints += text),
      program: __filename,
    });
    expectHarmless(complaints);
    expect([exitCode, complaints.split('\n').length]).toEqual([2, 2]);
  });
});

describe('the program itself', () => {
  let program = '';
  beforeAll(() => {
    const { outputFiles } = buildSync({
      entryPoints: [`${__dirname}/../../lib/cli/index.ts`],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    });
    program = outputFiles[0]!.text.replace(/^#!.*/, '');
  });

  const run = (args: readonly string[], input: string): { out: string; complaints: string } => {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program, '--', 'axios-heed', ...args], {
      input,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    return { out: stdout, complaints: stderr };
  };

  test('writes and complains in short lines without a control', () => {
    const evil = entries.map((entry) => ({ ...entry, operation: `a${EVIL}${LONG}` }));
    for (const args of [['show', '-'], ['replay', '-'], ['show', '-', '--operation', `b${EVIL}`], [EVIL]]) {
      const { out, complaints } = run(args, ndjson(evil));
      expectHarmless(out, complaints);
      expect((out + complaints).length).toBeGreaterThan(50);
    }
  });
});
