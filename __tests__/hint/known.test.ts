import { expect, test } from '@jest/globals';
import { known } from '../../lib/hint/known.js';

test('what is not known is not there, and everything else is, in its order', () => {
  const facts = Object.freeze({ a: 1, b: undefined, c: null, d: 0, e: '', f: false });
  expect(Object.entries(known(facts))).toEqual([
    ['a', 1],
    ['c', null],
    ['d', 0],
    ['e', ''],
    ['f', false],
  ]);
});
