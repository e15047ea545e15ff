import { describe, expect, test } from '@jest/globals';
import { DECISION_TABLE } from '../../lib/policy/decide';
import { readDocument, tableUnder } from './markdown';

/** The rows of the code as a document prints them; what is left over is row 11. */
const rows = [
  ...DECISION_TABLE.map(({ number, when, then }) => [String(number), when, wordsFor(then)]),
  ['11', 'otherwise', 'again, not before max(hint, own backoff)'],
];

function wordsFor(then: string): string {
  if (then === 'settle') return 'settle';
  return then === 'permission' ? "stop, with the denial's own reason" : `stop: ${then}`;
}

describe('the decision table', () => {
  test.each([
    ['README.md', 'How it decides'],
    ['docs/architecture.md', 'The decision table'],
  ])('of %s is that of the code, row by row', (document, heading) => {
    expect(tableUnder(readDocument(document), heading)).toEqual(rows);
  });
});
