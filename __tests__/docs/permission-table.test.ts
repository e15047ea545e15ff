import { describe, expect, test } from '@jest/globals';
import { KNOWLEDGE } from '../../lib/model';
import { isRepeatable, isSafe, PERMISSION_TABLE } from '../../lib/policy/permission';
import { DENIALS } from '../../lib/reasons';
import { readDocument, tableUnder } from './markdown';

const document = readDocument('docs/permission.md');

function wordsFor(cell: string): string {
  return (DENIALS as readonly string[]).includes(cell) ? `stop: ${cell}` : `may: ${cell}`;
}

describe('docs/permission.md', () => {
  test('prints the permission table of the code, cell by cell', () => {
    const rows = Object.entries(PERMISSION_TABLE).map(([kind, row]) => [
      kind,
      ...KNOWLEDGE.map((knowledge) => wordsFor(row[knowledge])),
    ]);
    expect(tableUnder(document, 'The table')).toEqual(rows);
  });

  test('explains every knowledge, best first', () => {
    const named = tableUnder(document, 'What is known of an exchange').map(([name]) => name);
    expect(named).toEqual(KNOWLEDGE);
  });

  test('names for each kind of request methods that are of that kind', () => {
    const rows = new Map(
      tableUnder(document, 'What a request is').map(([kind, what]) => [kind, String(what)]),
    );
    expect([...rows.keys()]).toEqual(Object.keys(PERMISSION_TABLE));
    for (const kind of ['safe', 'idempotent'] as const) {
      for (const method of String(rows.get(kind)).split(', ')) {
        expect([method, isSafe(method)]).toEqual([method, kind === 'safe']);
        expect(isRepeatable({ method, idempotent: undefined, keyed: false })).toBe(true);
      }
    }
  });
});
