import { describe, expect, test } from '@jest/globals';
import * as rateLimit from '../../lib/rate-limit/index';
import * as vendors from '../../lib/vendors/index';
import { readDocument, tableUnder } from './markdown';

const page = readDocument('docs/hints.md');

describe('docs/hints.md', () => {
  test('has a row for every reader of axios-heed/vendors, and for no other', () => {
    const rows = tableUnder(page, '`axios-heed/vendors`').map(([name]) => name);
    expect(rows).toEqual(Object.keys(vendors).sort());
  });

  test("names a source in every row, but for what is nobody's own", () => {
    const unsourced = tableUnder(page, '`axios-heed/vendors`').filter(([, , , from]) => from === '');
    expect(unsourced.map(([name]) => name)).toEqual(['fractionalSeconds', 'retryAfterMs', 'xRateLimit']);
  });

  test('names every function of axios-heed/rate-limit', () => {
    expect(Object.keys(rateLimit).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
});
