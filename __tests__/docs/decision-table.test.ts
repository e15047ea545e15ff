import { describe, expect, test } from '@jest/globals';
import { DECISION_TABLE } from '../../lib/policy/decide';
import { readDocument, tableUnder } from './markdown';

/** In which words documents say when each row matches. */
const WHEN = [
  'success: neither a limit nor transient, and the adapter resolved',
  'the caller cancelled',
  'the deadline has passed',
  'the server said no',
  'neither a limit nor transient',
  'permission denied',
  'exchanges spent',
  'a failure without a limit, and the allowance is empty',
  'hint longer than maxHint, or overflow',
  'max(hint, own backoff) + reserve passes the deadline',
];

/** The rows of the code as a document prints them; what is left over is row 11. */
const rows = [
  ...DECISION_TABLE.map(([then], at) => [String(at + 1), WHEN[at], wordsFor(then)]),
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
