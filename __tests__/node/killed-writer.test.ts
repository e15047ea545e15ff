import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { journalFile } from '../../lib/node/index';
import { entryOf } from '../journal/entries';
import { folders, range, readAll } from './folder';

const { make, removeAll } = folders();
afterEach(removeAll);

const one = entryOf('gate-opened');
let program = '';

// Writes as many entries as it is asked for, fifty at a time, or goes on until it is killed.
const WRITER = `
import { journalFile } from './lib/node/index.ts';
const [path, ...facts] = process.argv.slice(1);
const [options, entry, count] = facts.map((text) => JSON.parse(text));
const codes = [];
// The signal that comes with it would end the process.
process.on('SIGXFSZ', () => {});
process.on('exit', () => codes.length > 0 && console.log(JSON.stringify({ dropped: file.dropped, codes })));
const file = journalFile(path, { ...options, onError: ({ code }) => codes.push(code) });
let n = 0;
function more() {
  for (let left = 50; left > 0 && n !== count; left -= 1) file.onEntry({ ...entry, n: n += 1 });
  if (n !== count) setImmediate(more);
}
more();
`;

beforeAll(() => {
  const { outputFiles } = buildSync({
    stdin: { contents: WRITER, resolveDir: join(__dirname, '../..') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  program = outputFiles[0]!.text;
});

function start(path: string, options: object, count?: number): ChildProcess {
  const facts = [options, one, count ?? 'endless'].map((fact) => JSON.stringify(fact));
  return spawn(process.execPath, ['-e', program, '--', path, ...facts], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Kills the process, with no chance to say anything more, once the file has grown so far. */
async function killOnce(child: ChildProcess, enough: () => boolean): Promise<void> {
  const ended = once(child, 'exit');
  while (!enough() && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

describe('a process that is killed while it writes', () => {
  test('leaves a file of which the last line may be torn, and the next process goes on in it', async () => {
    const path = join(make(), 'journal.ndjson');
    for (let kills = 1; kills <= 3; kills += 1) {
      const enough = sizeOf(path) + 50_000 * kills;
      await killOnce(start(path, {}), () => sizeOf(path) > enough);
      const { numbers, report } = await readAll(path);
      expect(report.unreadable).toBeLessThanOrEqual(kills);
      expect(report.dropped).toBe(0);
      // Each life counts from one, without a gap but for a line that was torn at its end.
      const lives = numbers.filter((n) => n === 1).length;
      expect(lives).toBe(kills);
      const breaks = numbers.filter((n, at) => at > 0 && n !== numbers[at - 1]! + 1);
      expect(breaks).toEqual(Array.from({ length: kills - 1 }, () => 1));
    }
    const before = await readAll(path);
    const file = journalFile(path);
    file.onEntry({ ...one, n: 7 });
    await file.close();
    const after = await readAll(path);
    expect(after.numbers).toEqual([...before.numbers, 7]);
    expect(after.report.unreadable).toBe(before.report.unreadable);
  });

  test('leaves rotated files that follow on each other', async () => {
    const path = join(make(), 'journal.ndjson');
    const child = start(path, { maxFileBytes: 4000, maxOldFiles: 1000 });
    await killOnce(child, () => existsSync(`${path}.20`));
    const { numbers, report } = await readAll(path);
    expect(numbers).toEqual(range(1, numbers.length));
    expect(numbers.length).toBeGreaterThan(200);
    expect(report.unreadable).toBeLessThanOrEqual(1);
  });
});

describe('a disk that fills in the middle of a write', () => {
  test('is counted to the entry: all that is not in the file, and nothing that is', async () => {
    const path = join(make(), 'journal.ndjson');
    const facts = ['{}', JSON.stringify(one), '500'];
    // The largest file that the process may write stands for the end of the disk, which needs no rights.
    const limited = ['-c', 'ulimit -f 20; exec "$0" "$@"', process.execPath, '-e', program, '--', path];
    const { stdout, status } = spawnSync('sh', [...limited, ...facts], { encoding: 'utf8' });
    expect([status, statSync(path).size]).toEqual([0, 20 * 512]);
    const { dropped, codes } = JSON.parse(stdout) as { dropped: number; codes: string[] };
    const { numbers } = await readAll(path);
    expect(codes).toEqual(['EFBIG']);
    expect(numbers).toEqual(range(1, numbers.length));
    expect(numbers.length).toBeGreaterThan(50);
    expect(dropped).toBe(500 - numbers.length);
  });
});

describe('a process that has nothing more to do', () => {
  test('ends, with all in the file, though nobody has closed it', async () => {
    const path = join(make(), 'journal.ndjson');
    const [code] = (await once(start(path, {}, 1000), 'exit')) as [number];
    expect(code).toBe(0);
    expect((await readAll(path)).numbers).toEqual(range(1, 1000));
  });
});
