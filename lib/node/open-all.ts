import { open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/**
 * Opens a file and those that it was rotated into, the newest first, while its writer may go on rotating them.
 * Files move in one direction only, to the next higher number. So whoever goes through the numbers upwards meets
 * each file that was there when it began, and needs to look out for two things: files that have come since, and
 * numbers that no listing has shown.
 * @throws what the platform says, where there is none
 */
export async function openAll(path: string): Promise<readonly OpenFile[]> {
  for (let attempt = 1; ; attempt += 1) {
    const files = await openOnce(path);
    if (attempt === MOST_ATTEMPTS || !(await isOvertaken(files))) return files;
    await closeAll(files);
  }
}

export interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly inode: number;
  /** When it was opened; what is no regular file, such as a pipe, has none. */
  readonly size: number | undefined;
}

export async function closeAll(files: readonly OpenFile[]): Promise<void> {
  for (const { handle } of files) await handle.close();
}

const MOST_ATTEMPTS = 10;

async function openOnce(path: string): Promise<readonly OpenFile[]> {
  const files: OpenFile[] = [];
  try {
    let misses = 0;
    for (let at: number | undefined = 0; at !== undefined;) {
      misses = (await openInto(files, namedAt(path, at))) === 'missing' ? misses + 1 : 0;
      // One number is missing for a moment in each rotation. A listing alone would not do: what is renamed while it
      // is made need not be in it (POSIX, readdir).
      at = misses < 2 ? at + 1 : await numberAfter(path, at);
    }
    // Nothing was there: the platform has its own words for that.
    if (files.length === 0) await open(path, 'r').then((handle) => handle.close());
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function openInto(files: OpenFile[], name: string): Promise<'opened' | 'missing'> {
  const handle = await open(name, 'r').catch(unlessMissing);
  if (handle === undefined) return 'missing';
  const stats = await handle.stat();
  const known = files.findIndex(({ inode }) => inode === stats.ino);
  if (known === -1) {
    files.push({ name, handle, inode: stats.ino, size: stats.isFile() ? stats.size : undefined });
  } else {
    // Moved on since it was opened. What was opened after it has come after it: it is newer than the reading.
    await closeAll([...files.splice(known + 1), { name, handle, inode: stats.ino, size: undefined }]);
  }
  return 'opened';
}

// Deleted since: the rotation went once through all numbers, and the order in which they were met is no longer
// that of time.
async function isOvertaken([newest]: readonly OpenFile[]): Promise<boolean> {
  return newest !== undefined && (await newest.handle.stat()).nlink === 0;
}

/** The next number that a file has, of those that a listing shows now. */
async function numberAfter(path: string, last: number): Promise<number | undefined> {
  const stem = `${basename(path)}.`;
  const ends = (await readdir(dirname(path)))
    .filter((name) => name.startsWith(stem))
    .map((name) => name.slice(stem.length))
    .filter((end) => /^[1-9]\d{0,8}$/.test(end));
  const later = ends.map(Number).filter((number) => number > last);
  return later.length === 0 ? undefined : later.reduce((one, other) => Math.min(one, other));
}

function namedAt(path: string, at: number): string {
  return at === 0 ? path : `${path}.${at}`;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  // A name may be as long as the platform allows, without room for a number.
  if (error.code !== 'ENOENT' && error.code !== 'ENAMETOOLONG') throw error;
}
