import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../lib/index';
import { faultOf } from '../support/entry-check';
import { scriptedClient } from '../support/scripted-client';
import { settled } from '../support/world';
import { entrySchema, namesIn } from './entry-schema';
import type { Schema } from './entry-schema';
import { storyLines } from './journal-story';
import { readDocument, repository, tableUnder } from './markdown';

const file = join(repository, 'docs/journal.schema.json');
const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
const events = (schema.oneOf ?? []).map(({ $ref = '' }) => $ref.replace('#/$defs/', ''));

describe('docs/journal.schema.json', () => {
  test('is the schema of the type of entries; JOURNAL_SCHEMA=write renews it', () => {
    const made = entrySchema();
    if (process.env['JOURNAL_SCHEMA'] === 'write')
      writeFileSync(file, `${JSON.stringify(made, undefined, 2)}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(made);
  });

  test('refuses an entry with a member missing, one too many, or one of another type', async () => {
    const entries = await entriesOfARun();
    expect(entries.flatMap((entry) => faultOf(entry) ?? [])).toEqual([]);
    const mistyped = entries.flatMap((entry) => [
      { ...entry, secret: 'x' },
      ...Object.keys(entry).flatMap((name) => [
        { ...entry, [name]: { not: 'this' } },
        { ...entry, [name]: null },
      ]),
      ...requiredOf(entry).map((name) => ({ ...entry, [name]: undefined })),
    ]);
    expect(mistyped.length).toBeGreaterThan(1000);
    expect(mistyped.filter((entry) => faultOf(entry) === undefined)).toEqual([]);
  });
});

function requiredOf({ event }: JournalEntry): readonly string[] {
  return schema.$defs?.[event]?.required ?? [];
}

async function entriesOfARun(): Promise<readonly JournalEntry[]> {
  const { api, clock, entries, heeding } = scriptedClient(
    [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, { status: 200 }, { status: 500 }],
    { readiness: [{ name: 'database', check: () => 'ready' }] },
  );
  await clock.until(api.get('/things', { heed: { budget: { seconds: 30 }, idempotent: true } }));
  const { error } = await clock.until(settled(api.post('/things', {})));
  heeding.conclude(error, { conclusion: 'lost' });
  return entries.map((entry) => JSON.parse(JSON.stringify(entry)) as JournalEntry);
}

describe('docs/journal.md', () => {
  const page = readDocument('docs/journal.md');
  const rows = ['Entries of operations', 'Entries of gates'].flatMap((heading) => tableUnder(page, heading));

  test('has a row for every event, and for no other', () => {
    expect(rows.map(([event]) => event).sort()).toEqual([...events].sort());
  });

  test.each(events)('describes every field of %s', (event) => {
    const names = [...namesIn(event, schema.$defs ?? {})];
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('tells a story that has happened', async () => {
    const [, told] = /```text\n([\s\S]*?)\n```/.exec(page) ?? [];
    expect(told?.split('\n')).toEqual(await storyLines());
  });
});
