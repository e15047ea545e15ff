import { afterEach, expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from '../../lib/index';

let validate: ValidateFunction | undefined;
const faults: string[] = [];

/** What the published schema has against an entry; `undefined`: nothing. */
export function faultOf(entry: unknown): string | undefined {
  validate ??= new Ajv2020().compile(
    JSON.parse(readFileSync(join(__dirname, '../../docs/journal.schema.json'), 'utf8')) as object,
  );
  if (validate(entry)) return undefined;
  const { event } = entry as Partial<JournalEntry>;
  const own = validate.errors?.filter(({ schemaPath }) => schemaPath.includes(`/${String(event)}/`));
  return JSON.stringify({ entry, errors: own });
}

/** Every test that has a listener of its clients checked fails over an entry that the schema refuses. */
export function checkEntry(entry: JournalEntry): void {
  const fault = faultOf(entry);
  // Thrown here it would be dropped, like all that a listener throws.
  if (fault !== undefined) faults.push(fault);
}

afterEach(() => {
  // eslint-disable-next-line jest/no-standalone-expect -- it belongs to every test of the file
  expect(faults.splice(0)).toEqual([]);
});
