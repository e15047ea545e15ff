import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedText } from '../../lib/hint/bounded-text.js';

describe('bounded text', () => {
  test.each([
    ['', ''],
    ['Mon, 30 Nov 2026 12:00:05 GMT', 'Mon, 30 Nov 2026 12:00:05 GMT'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), `${'x'.repeat(125)}...`],
    ['a\r\nb\tc', 'a\\u{d}\\u{a}b\\u{9}c'],
    ['\u0000\u001b[31m\u007f\u009b', '\\u{0}\\u{1b}[31m\\u{7f}\\u{9b}'],
    ['\u202e\u2028\u00a0', '\\u{202e}\\u{2028}\\u{a0}'],
    ['\ud800', '\\u{d800}'],
  ])('of %j is %s', (text, shown) => {
    expect(boundedText(text)).toBe(shown);
  });

  test('is printable ASCII of at most 128 characters, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(boundedText(text)).toMatch(/^[ -~]{0,128}$/);
      }),
    );
  });

  test('looks at no more than it shows', () => {
    expect(boundedText('\n'.repeat(1_000_000))).toHaveLength(128);
  });
});
