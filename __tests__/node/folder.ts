import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJournalFile } from '../../lib/node/index';
import type { JournalReading } from '../../lib/journal/index';
import type { JournalEntry } from '../../lib/operation/journal-entry';

/** Gives a folder to each test, and takes it away afterwards. */
export function folders(): { readonly make: () => string; readonly removeAll: () => void } {
  const made: string[] = [];
  return {
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'axios-heed-'));
      made.push(folder);
      return folder;
    },
    removeAll: () => {
      for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Read {
  readonly entries: readonly JournalEntry[];
  readonly numbers: readonly number[];
  readonly report: JournalReading;
}

export async function readAll(path: string): Promise<Read> {
  const report = readJournalFile(path);
  const entries: JournalEntry[] = [];
  for await (const entry of report) entries.push(entry);
  return { entries, numbers: entries.map(({ n }) => n), report };
}

/** first, first + 1, ... last */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
