import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseJournal } from '../../lib/journal/index';
import { entryOf, EVENTS } from './entries';

type Fields = Readonly<Record<string, unknown>>;

const schema = JSON.parse(readFileSync(join(__dirname, '../../docs/journal.schema.json'), 'utf8'));
const isEntry = new Ajv2020({ strict: false }).compile(schema);
const isRead = (entry: unknown): boolean => parseJournal(JSON.stringify(entry)).entries.length === 1;
const plain = (event: string): Fields =>
  JSON.parse(JSON.stringify(entryOf(event as (typeof EVENTS)[number])));

/** The entry with each of its members, at any depth, taken away in turn. */
function withoutEach(fields: Fields): { readonly path: string; readonly fields: Fields }[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const rest = Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
    const inner =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withoutEach(value as Fields)
        : [];
    return [
      { path: name, fields: rest },
      ...inner.map((one) => ({ path: `${name}.${one.path}`, fields: { ...fields, [name]: one.fields } })),
    ];
  });
}

describe('what is read as an entry, and the schema of entries', () => {
  test('know the same events', () => {
    expect([...EVENTS].sort()).toEqual(
      schema.oneOf.map(({ $ref }: { $ref: string }) => $ref.replace('#/$defs/', '')).sort(),
    );
  });

  test.each(EVENTS)('both take %s with every field that it may have', (event) => {
    const entry = plain(event);
    expect([isEntry(entry), isEntry.errors]).toEqual([true, null]);
    expect(isRead(entry)).toBe(true);
    const { operation, dropped, ...own } = schema.$defs[event].properties;
    expect([operation, dropped]).toEqual(
      [{ type: 'string' }, { type: 'number' }].map((type) => expect.objectContaining(type)),
    );
    expect(Object.keys(own).filter((name) => !(name in entry))).toEqual([]);
  });

  test.each(EVENTS)('both say the same of %s without one of its fields', (event) => {
    const cases = withoutEach(plain(event)).filter(({ path }) => path !== 'event');
    expect(cases.length).toBeGreaterThan(3);
    const differing = cases.filter(({ fields }) => isEntry(fields) !== isRead(fields));
    expect(differing.map(({ path }) => path)).toEqual([]);
  });
});
