import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import { journalFile, readJournalFile } from '../../lib/node/index';
import type { JournalFileOptions } from '../../lib/node/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';
import { entries, entryOf, lineOf } from '../journal/entries';
import { strayRejections } from '../journal/stray-rejections';
import { folders, range, readAll } from './folder';

const { make, removeAll } = folders();
afterEach(removeAll);

const one = entryOf('gate-opened');
const lineBytes = Buffer.byteLength(lineOf(one));

function journalIn(folder: string): string {
  return join(folder, 'journal.ndjson');
}

/** Writes entries, and waits after each `batch` of them. */
async function write(
  path: string,
  numbers: readonly number[],
  options: JournalFileOptions = {},
): Promise<void> {
  const file = journalFile(path, options);
  for (const n of numbers) {
    file.onEntry({ ...one, n });
    await file.flush();
  }
  await file.close();
}

describe('journalFile', () => {
  test('writes one entry a line, and readJournalFile reads them back', async () => {
    const path = journalIn(make());
    const file = journalFile(path);
    const written = [...entries(500)];
    written.forEach((entry) => file.onEntry(entry));
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe(written.map(lineOf).join(''));
    const { entries: read, report } = await readAll(path);
    expect(read).toEqual(JSON.parse(JSON.stringify(written)));
    expect([report.unreadable, report.dropped, file.dropped]).toEqual([0, 0, 0]);
  });

  test('makes files for their owner alone', async () => {
    const path = journalIn(make());
    await write(path, range(1, 3), { maxFileBytes: lineBytes });
    const modes = [path, `${path}.1`].map((name) => statSync(name).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
  });

  test('touches no file before the first entry', async () => {
    const path = journalIn(make());
    const file = journalFile(path);
    await file.flush();
    await file.close();
    expect(existsSync(path)).toBe(false);
  });

  test('appends to a file that is there', async () => {
    const path = journalIn(make());
    await write(path, [1, 2]);
    await write(path, [3]);
    expect((await readAll(path)).numbers).toEqual([1, 2, 3]);
  });

  test('continues a file whose last line is torn on a new line, at whatever byte it is torn', async () => {
    const path = journalIn(make());
    for (let cut = 1; cut < lineBytes; cut += 1) {
      rmSync(path, { force: true });
      await write(path, [1, 2]);
      truncateSync(path, lineBytes * 2 - cut);
      await write(path, [3]);
      const { numbers, report } = await readAll(path);
      // Only the line end is missing: the entry is whole.
      expect(numbers).toEqual(cut === 1 ? [1, 2, 3] : [1, 3]);
      expect(report.unreadable).toBe(cut === 1 ? 0 : 1);
    }
  });

  test('goes on in a new file when another one has been moved or deleted', async () => {
    const path = journalIn(make());
    const file = journalFile(path);
    file.onEntry({ ...one, n: 1 });
    await file.flush();
    rmSync(path);
    file.onEntry({ ...one, n: 2 });
    await file.close();
    expect((await readAll(path)).numbers).toEqual([2]);
  });

  test('counts what comes after it is closed, and writes none of it', async () => {
    const path = journalIn(make());
    const file = journalFile(path);
    file.onEntry(one);
    await file.close();
    file.onEntry(one);
    await file.close();
    expect(file.dropped).toBe(1);
    expect((await readAll(path)).numbers).toEqual([1]);
  });

  test('drops what finds no room in the queue, and the file says how many', async () => {
    const path = journalIn(make());
    const file = journalFile(path, { maxQueuedBytes: lineBytes * 10 });
    // The first is under way at once, ten wait.
    for (const n of range(1, 9)) file.onEntry({ ...one, n });
    for (const n of range(10, 50)) file.onEntry({ ...one, n: n % 10 });
    await file.close();
    const { numbers, report } = await readAll(path);
    expect(numbers).toHaveLength(11);
    expect([file.dropped, report.dropped, report.unreadable]).toEqual([39, 39, 0]);
  });

  test.each([
    [
      { maxFileSize: 5 },
      'journalFile to have known options (maxFileBytes, maxOldFiles, maxQueuedBytes, onError), got `maxFileSize`',
    ],
    [{ maxFileBytes: 0 }, '`maxFileBytes` of journalFile to be a whole number of 1 or more, got 0'],
    [{ maxOldFiles: '3' }, "`maxOldFiles` of journalFile to be a whole number of 1 or more, got '3'"],
    [
      { maxQueuedBytes: Infinity },
      '`maxQueuedBytes` of journalFile to be a whole number of 1 or more, got Infinity',
    ],
    [{ onError: 'warn' }, "`onError` of journalFile to be a function, got 'warn'"],
    [[], 'the options of journalFile to be an object, got an array'],
  ])('refuses the options %j', (options, expected) => {
    expect(() => journalFile('x', options as JournalFileOptions)).toThrow(`axios-heed: expected ${expected}`);
  });

  test('counts what is no JSON, says so in its place, and throws nothing at the client', async () => {
    const path = journalIn(make());
    const file = journalFile(path);
    const cycle: Record<string, unknown> = { ...one };
    cycle['self'] = cycle;
    file.onEntry({ ...one, n: 1 });
    const toJSON = (): never => {
      throw new Error('mine');
    };
    for (const odd of [cycle, { ...one, big: 10n }, undefined, () => {}, Symbol('x'), { toJSON }]) {
      expect(() => file.onEntry(odd as unknown as JournalEntry)).not.toThrow();
    }
    file.onEntry({ ...one, n: 2 });
    await file.close();
    const { numbers, report } = await readAll(path);
    expect([numbers, report.dropped, report.unreadable, file.dropped]).toEqual([[1, 2], 6, 0, 6]);
  });

  test('refuses a path that another one in this process writes to, until that is closed', async () => {
    const folder = make();
    const path = journalIn(folder);
    const first = journalFile(path);
    const roundabout = join(folder, 'x', '..', '.') + '/journal.ndjson';
    for (const same of [path, roundabout, relative(process.cwd(), path)]) {
      expect(() => journalFile(same)).toThrow(
        /^axios-heed: expected the path of journalFile to be in use by no other journalFile \(close that first\), got '/,
      );
      expect(() => journalFile(same)).toThrow(expect.objectContaining({ code: 'ERR_HEED_OPTIONS' }));
    }
    const other = journalFile(`${path}.other`);
    first.onEntry(one);
    const closing = first.close();
    expect(() => journalFile(path)).toThrow('close that first');
    await closing;
    const second = journalFile(path);
    await first.close(); // once more, which is not the second's affair
    expect(() => journalFile(path)).toThrow('close that first');
    await Promise.all([second.close(), other.close()]);
    expect((await readAll(path)).numbers).toEqual([1]);
  });

  test('a path is free again after options that are refused', async () => {
    const path = journalIn(make());
    expect(() => journalFile(path, { maxFileBytes: 0 })).toThrow('maxFileBytes');
    await journalFile(path).close();
  });

  test.each([undefined, '', 7])('refuses the path %p', (path) => {
    expect(() => journalFile(path as string)).toThrow(
      'axios-heed: expected the path of journalFile to be a path',
    );
  });
});

describe('rotation', () => {
  const two = { maxFileBytes: lineBytes * 2, maxOldFiles: 3 };

  test('begins a new file where the old one would grow too large, and keeps so many', async () => {
    const folder = make();
    const path = journalIn(folder);
    await write(path, range(1, 9), two);
    expect(readdirSync(folder).sort()).toEqual([
      'journal.ndjson',
      'journal.ndjson.1',
      'journal.ndjson.2',
      'journal.ndjson.3',
    ]);
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(Math.max(...sizes)).toBe(lineBytes * 2);
    expect((await readAll(path)).numbers).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  test('reads old files in their order, also of more than nine, and no others', async () => {
    const folder = make();
    const path = journalIn(folder);
    await write(path, range(1, 12), { maxFileBytes: lineBytes, maxOldFiles: 11 });
    for (const name of [
      'journal.ndjson.bak',
      'journal.ndjson.01',
      'journal.ndjson.1.gz',
      'x.journal.ndjson.1',
    ]) {
      writeFileSync(join(folder, name), lineOf({ ...one, n: 99 }));
    }
    expect(existsSync(`${path}.11`)).toBe(true);
    expect((await readAll(path)).numbers).toEqual(range(1, 12));
  });

  test('cuts a batch so that no file grows too large, but for one entry that is larger', async () => {
    const folder = make();
    const path = journalIn(folder);
    const file = journalFile(path, { maxFileBytes: lineBytes * 3, maxOldFiles: 9 });
    for (const n of range(1, 9)) file.onEntry({ ...one, n });
    file.onEntry({ ...entryOf('operation-opened'), n: 10 });
    await file.close();
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(sizes.filter((size) => size > lineBytes * 3)).toEqual([
      Buffer.byteLength(lineOf({ ...entryOf('operation-opened'), n: 10 })),
    ]);
    expect((await readAll(path)).numbers).toEqual(range(1, 10));
  });

  test('that was cut short is made good by the next one, and pushes no old file over the end', async () => {
    const path = journalIn(make());
    await write(path, range(1, 7), two);
    rmSync(`${path}.1`); // as if .1 had been moved on, and the file itself not yet
    await write(path, [8, 9], two);
    expect((await readAll(path)).numbers).toEqual([1, 2, 3, 4, 7, 8, 9]);
  });

  test('that fails leaves old files as they are, and the file says later what is missing', async () => {
    const path = journalIn(make());
    await write(path, [1, 2], two);
    mkdirSync(join(`${path}.1`, 'in the way'), { recursive: true });
    const onError = jest.fn();
    const file = journalFile(path, { ...two, maxOldFiles: 1, onError });
    for (const n of [3, 4, 5]) {
      file.onEntry({ ...one, n });
      await file.flush();
    }
    expect(onError).toHaveBeenCalledTimes(1);
    expect(file.dropped).toBe(3);
    rmSync(`${path}.1`, { recursive: true });
    file.onEntry({ ...one, n: 6 });
    await file.close();
    const { numbers, report } = await readAll(path);
    expect([numbers, report.dropped]).toEqual([[1, 2, 6], 3]);
  });

  test('does not move what is no regular file', async () => {
    const onError = jest.fn();
    const file = journalFile('/dev/null', { maxFileBytes: 1, onError });
    for (const entry of entries(5)) file.onEntry(entry);
    await file.close();
    expect([onError.mock.calls, file.dropped]).toEqual([[], 0]);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('errors of the disk', () => {
  test.each([
    ['ENOSPC', () => '/dev/full'],
    ['ENOENT', (folder: string) => join(folder, 'missing', 'journal')],
    ['EISDIR', (folder: string) => folder],
    ['ENOTDIR', (folder: string) => join(journalIn(folder), 'journal')],
  ])('%s is told once, counts what is lost, and throws nowhere', async (code, pathIn) => {
    const folder = make();
    writeFileSync(journalIn(folder), '');
    const stray = jest.fn();
    process.on('unhandledRejection', stray);
    try {
      const onError = jest.fn();
      const file = journalFile(pathIn(folder), { onError });
      for (const entry of entries(20)) {
        expect(() => file.onEntry(entry)).not.toThrow();
        if (entry.n % 5 === 0) await file.flush();
      }
      await file.close();
      expect(onError.mock.calls).toEqual([[expect.objectContaining({ code })]]);
      expect(file.dropped).toBe(20);
      expect(stray).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', stray);
    }
  });

  test('that pass leave a count in the file', async () => {
    const folder = make();
    const path = join(folder, 'late', 'journal');
    const onError = jest.fn();
    const file = journalFile(path, { onError });
    for (const n of [1, 2, 3]) file.onEntry({ ...one, n });
    await file.flush();
    mkdirSync(join(folder, 'late'));
    file.onEntry({ ...one, n: 4 });
    await file.close();
    const { numbers, report } = await readAll(path);
    expect([numbers, report.dropped, file.dropped]).toEqual([[4], 3, 3]);
  });

  test('go to console.warn where nobody else was named', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const file = journalFile('/dev/full');
    for (const entry of entries(3)) file.onEntry(entry);
    await file.close();
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^axios-heed: the journal file cannot be written, entries are dropped: ENOSPC/)],
    ]);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
    ['rejects by a promise of another realm', () => runInNewContext('Promise.reject(new Error("mine"))')],
  ])('are dropped when whoever hears of them %s', async (_, onError) => {
    const stray = await strayRejections(async () => {
      const file = journalFile('/dev/full', { onError });
      file.onEntry(one);
      await expect(file.close()).resolves.toBeUndefined();
      expect(file.dropped).toBe(1);
    });
    expect(stray).toEqual([]);
  });
});

describe('readJournalFile', () => {
  test('fails as the platform does where there is no such file', async () => {
    await expect(readAll(journalIn(make()))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('reads what is left when a rotation was cut short', async () => {
    const path = journalIn(make());
    await write(`${path}.2`, [1]);
    await write(`${path}.1`, [2]);
    expect((await readAll(path)).numbers).toEqual([1, 2]);
  });

  test('names the file and the line of what it could not read', async () => {
    const path = journalIn(make());
    writeFileSync(`${path}.1`, `${lineOf(one)}nonsense\n{"v":1`);
    writeFileSync(path, `{"v":9}\n${lineOf(one)}`);
    const { numbers, report } = await readAll(path);
    expect(numbers).toEqual([1, 1]);
    expect(report.unreadableAt).toEqual([
      { file: `${path}.1`, line: 2, because: 'not-json' },
      { file: `${path}.1`, line: 3, because: 'torn' },
      { file: path, line: 1, because: 'unknown-version' },
    ]);
  });

  test('ends where the file ended when it began, though somebody goes on writing', async () => {
    const path = journalIn(make());
    // More than is read at once.
    writeFileSync(
      path,
      range(1, 2000)
        .map((n) => lineOf({ ...one, n }))
        .join(''),
    );
    const numbers: number[] = [];
    for await (const { n } of readJournalFile(path)) {
      numbers.push(n);
      if (n % 100 === 0) appendFileSync(path, lineOf({ ...one, n: n + 10_000 }));
    }
    expect(statSync(path).size).toBeGreaterThan(200_000);
    expect(numbers).toEqual(range(1, 2000));
  });

  test('reads a file once that it meets under two names, as when it is rotated at that moment', async () => {
    const path = journalIn(make());
    await write(path, [1, 2]);
    linkSync(path, `${path}.1`);
    expect((await readAll(path)).numbers).toEqual([1, 2]);
  });

  test('reads on in the right file when files are rotated meanwhile', async () => {
    const path = journalIn(make());
    const bounds = { maxFileBytes: lineBytes, maxOldFiles: 5 };
    await write(path, [1, 2, 3], bounds);
    const numbers: number[] = [];
    for await (const { n } of readJournalFile(path)) {
      numbers.push(n);
      await write(path, [n + 10], bounds);
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  test('closes its files when the reader stops early', async () => {
    const path = journalIn(make());
    await write(path, [1, 2, 3], { maxFileBytes: lineBytes, maxOldFiles: 5 });
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for await (const entry of readJournalFile(path)) if (entry.n === 2) break;
    expect(open()).toBe(before);
  });
});
