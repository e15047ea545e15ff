import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from '@jest/globals';
import { closed, entriesOf, hint, ndjson, observation, opened, success, weighed } from '../cli/hand-made';
import { consumer, installed, place } from './consumer';

const program = join(consumer, 'node_modules/.bin/axios-heed');

const journal = ndjson(
  entriesOf([
    opened({ budgetMs: 6420, deadlineEpochMs: 0 }),
    observation({ atMs: 20, exchange: 1, status: 429, verdict: 'limit', hint: hint(5000) }),
    weighed({ atMs: 20, exchange: 1, remainingMs: 6400, smoothedMs: 20 }),
    success({ atMs: 5100, exchange: 2 }),
    closed({ atMs: 5100, exchanges: 2 }),
  ]),
);

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ran(args: readonly string[], input: string = ''): Ran {
  return spawnSync(program, args, { cwd: consumer, input, encoding: 'utf8' });
}

describe('the program of the tarball', () => {
  test('is there under its name, and knows its version', () => {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(existsSync(program)).toBe(true);
    expect(ran(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('shows under a policy file what it would change, and ends with 1', () => {
    place('reserve.json', '{ "reserve": { "seconds": 2 } }');
    place('journal.ndjson', journal);
    const { status, stdout, stderr } = ran(['replay', 'journal.ndjson', '--policy', 'reserve.json']);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout).toContain(
      'would be    stop: deadline-too-near    row 10: hint 5 s + reserve 2 s > 6.4 s left',
    );
  });

  test('reads standard input', () => {
    expect(ran(['show', '-'], journal)).toMatchObject({ status: 0, stderr: '' });
    expect(ran(['replay', '-'], journal)).toMatchObject({ status: 0, stderr: '' });
  });

  test('ends with 2 and a word on what was expected', () => {
    expect(ran(['replay', 'no-such-file'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'axios-heed: cannot read no-such-file: there is no such file\nTry: axios-heed --help\n',
    });
  });

  test('says nothing when its reader has had enough', async () => {
    const child = spawn(program, ['show', '-'], { cwd: consumer, stdio: 'pipe' });
    let complaints = '';
    child.stderr.on('data', (chunk) => (complaints += String(chunk)));
    child.stdout.once('data', () => child.stdout.destroy());
    const ended = once(child, 'exit');
    await pipeline(Readable.from(journals(20_000)), child.stdin).catch(() => undefined);
    expect(await ended).toEqual([0, null]);
    expect(complaints).toBe('');
  });

  test('reads a million entries in a heap that has no room for a tenth of them', async () => {
    const args = ['--max-old-space-size=32', join(installed, 'dist/esm/cli/index.js'), 'replay', '-'];
    const child = spawn(process.execPath, args, { cwd: consumer, stdio: ['pipe', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk) => (told += String(chunk)));
    const ended = once(child, 'close');
    await pipeline(Readable.from(journals(200_000)), child.stdin);
    expect(await ended).toEqual([0, null]);
    expect(told).toContain('200,000 operations, 400,000 decisions recomputed.');
  }, 120_000);
});

/** Of so many operations, each of five entries. */
function* journals(operations: number): Generator<string> {
  for (let n = 0; n < operations; n += 1) yield journal.replaceAll('k3x9q1-17', `k3x9q1-${n}`);
}
