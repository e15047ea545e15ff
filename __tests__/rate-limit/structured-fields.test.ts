import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDictionary, parseItem, parseList } from '../../lib/rate-limit/structured-fields';
import type { BareItem, Item, Member } from '../../lib/rate-limit/structured-fields';

const bare = (text: string): BareItem | undefined => parseItem(text)?.bare;

describe('bare items', () => {
  test.each<[string, BareItem]>([
    ['0', { kind: 'integer', value: 0 }],
    ['-17', { kind: 'integer', value: -17 }],
    ['007', { kind: 'integer', value: 7 }],
    ['999999999999999', { kind: 'integer', value: 999_999_999_999_999 }],
    ['5.0', { kind: 'decimal', value: 5 }],
    ['-123456789012.125', { kind: 'decimal', value: -123_456_789_012.125 }],
    ['""', { kind: 'string', value: '' }],
    ['"a \\"b\\" \\\\"', { kind: 'string', value: 'a "b" \\' }],
    ['a', { kind: 'token', value: 'a' }],
    ['*a:b/c!#', { kind: 'token', value: '*a:b/c!#' }],
    ['::', { kind: 'bytes', value: '' }],
    [':YWJj:', { kind: 'bytes', value: 'YWJj' }],
    [':YQ:', { kind: 'bytes', value: 'YQ==' }],
    [':YR==:', { kind: 'bytes', value: 'YQ==' }],
    ['?1', { kind: 'boolean', value: true }],
    ['?0', { kind: 'boolean', value: false }],
    ['@1659578233', { kind: 'date', value: 1_659_578_233 }],
    ['@-1', { kind: 'date', value: -1 }],
    ['%"a%20%c3%bc"', { kind: 'display-string', value: 'a ü' }],
  ])('%s', (text, expected) => {
    expect(bare(text)).toEqual(expected);
    expect(bare(`  ${text}  `)).toEqual(expected);
  });

  test.each([
    '',
    '+5',
    '--5',
    '5.',
    '.5',
    '1.2345',
    '1.2.3',
    '1234567890123.1',
    '1234567890123456',
    '1e3',
    '5 6',
    '\t5',
    '"',
    '"\\a"',
    '"ä"',
    '"\n"',
    "'a'",
    ':YQ',
    ':Y Q:',
    ':A:',
    ':A:?1',
    ':AAAA=A:',
    '?',
    '?2',
    '?true',
    '@',
    '@1.5',
    '%"a%C3%BC"',
    '%"a%c3"',
    '%"a%"',
    '%"ä"',
    '%a',
    'a\u0000',
    '()',
  ])('%j is none', (text) => {
    expect(parseItem(text)).toBeUndefined();
  });
});

describe('parameters', () => {
  const parameters = (text: string) => Object.fromEntries(parseItem(text)?.parameters ?? []);

  test('may have spaces behind the semicolon, and no value', () => {
    expect(parameters('a;x=1;   y;*z.-_9="s"')).toEqual({
      x: { kind: 'integer', value: 1 },
      y: { kind: 'boolean', value: true },
      '*z.-_9': { kind: 'string', value: 's' },
    });
  });

  test('of equal names the last counts', () => {
    expect(parameters('a;x=1;x=2;x')).toEqual({ x: { kind: 'boolean', value: true } });
  });

  test.each(['a;', 'a; ', 'a ;x', 'a;X', 'a;x =1', 'a;x= 1', 'a;\tx', 'a;x=', 'a;=1', 'a;x=(1)'])(
    'are broken in %j',
    (text) => {
      expect(parseItem(text)).toBeUndefined();
    },
  );
});

describe('lists and dictionaries', () => {
  const values = (members: readonly Member[] | undefined) =>
    members?.map((member) =>
      member.kind === 'item' ? member.bare.value : member.items.map((item) => item.bare.value),
    );

  test.each<[string, unknown]>([
    ['', []],
    ['   ', []],
    ['1', [1]],
    ['1,2 ,\t3', [1, 2, 3]],
    ['(1 2), ( ), (  a  );x, 4', [[1, 2], [], ['a'], 4]],
  ])('%j is a list', (text, expected) => {
    expect(values(parseList(text))).toEqual(expected);
  });

  test.each(['1,', ',1', '1,,2', '1 2', '(1', '1)', '(1,2)', '(1\t2)', '("a""b")', '((1))', 'a=1'])(
    '%j is none',
    (text) => {
      expect(parseList(text)).toBeUndefined();
    },
  );

  test('an inner list has parameters of its own and of its items', () => {
    expect(parseList('("a";x=1 "b");y=2')).toMatchObject([
      { kind: 'inner-list', items: [{ bare: { value: 'a' } }, { bare: { value: 'b' } }] },
    ]);
    expect([...(parseList('("a";x=1 "b");y=2')?.[0]?.parameters.keys() ?? [])]).toEqual(['y']);
  });

  test('a dictionary keeps the last of equal keys, and takes a key alone for true', () => {
    const read = parseDictionary('a=1, b;x=2, a=(3 4)');
    expect([...(read?.keys() ?? [])]).toEqual(['a', 'b']);
    expect(values([...(read?.values() ?? [])])).toEqual([[3, 4], true]);
    expect(read?.get('b')?.parameters.get('x')).toEqual({ kind: 'integer', value: 2 });
    expect(parseDictionary('')?.size).toBe(0);
  });

  test.each(['a=1,', 'A=1', 'a =1', 'a= 1', 'a=1 b=2', '1', '"a"=1', 'a=1,,b=2'])(
    '%j is no dictionary',
    (text) => {
      expect(parseDictionary(text)).toBeUndefined();
    },
  );
});

describe('any text', () => {
  const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,5}$/);
  const anyBare = fc.oneof(
    fc
      .integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
      .map<BareItem>((value) => ({ kind: 'integer', value })),
    fc
      .integer({ min: -1e12, max: 1e12 })
      .map<BareItem>((value) => ({ kind: 'decimal', value: value / 1000 })),
    fc.stringMatching(/^[ -~]{0,9}$/).map<BareItem>((value) => ({ kind: 'string', value })),
    fc.stringMatching(/^[A-Za-z*][\w:/!.-]{0,9}$/).map<BareItem>((value) => ({ kind: 'token', value })),
    fc
      .uint8Array({ maxLength: 9 })
      .map<BareItem>((bytes) => ({ kind: 'bytes', value: btoa(String.fromCharCode(...bytes)) })),
    fc.boolean().map<BareItem>((value) => ({ kind: 'boolean', value })),
    fc.string({ unit: 'grapheme' }).map<BareItem>((value) => ({ kind: 'display-string', value })),
  );
  const anyItem = fc.record({
    bare: anyBare,
    parameters: fc.array(fc.tuple(key, anyBare), { maxLength: 3 }),
  });

  const written = ({ kind, value }: BareItem): string => {
    switch (kind) {
      case 'integer':
      case 'token':
        return String(value);
      case 'decimal':
        return value.toFixed(3);
      case 'string':
        return `"${value.replace(/["\\]/g, '\\$&')}"`;
      case 'bytes':
        return `:${value}:`;
      case 'boolean':
        return value ? '?1' : '?0';
      case 'date':
        return `@${value}`;
      case 'display-string':
        return `%"${[...new TextEncoder().encode(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    }
  };

  test('that is written by the grammar is read as what it was', () => {
    const separator = fc.stringMatching(/^[ \t]{0,3},[ \t]{0,3}$/);
    fc.assert(
      fc.property(fc.array(anyItem, { minLength: 1, maxLength: 4 }), separator, (items, comma) => {
        const text = items
          .map(({ bare: value, parameters }) =>
            [written(value), ...parameters.map(([name, one]) => `${name}=${written(one)}`)].join(';'),
          )
          .join(comma);
        const expected = items.map<Item>(({ bare: value, parameters }) => ({
          kind: 'item',
          bare: value,
          parameters: new Map(parameters),
        }));
        expect(parseList(text)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('ends in a value or in none, and never throws', () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a";=:,()@%?*0-9. \t-]{0,30}$/),
    );
    fc.assert(
      fc.property(noise, (text) => {
        for (const parse of [parseList, parseDictionary, parseItem]) expect(() => parse(text)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });

  const most = 16_384;
  test.each<[string, string]>([
    ['members', Array<string>(3000).fill('"a"').join(',')],
    ['parameters', `a${';b'.repeat(8000)}`],
    ['spaces', `a${' '.repeat(16_000)}`],
    ['spaces in an inner list', `(${' '.repeat(16_000)})`],
    ['a string', `"${'\\"'.repeat(8000)}"`],
    ['an open string', `"${'\\"'.repeat(8000)}`],
    ['brackets', '('.repeat(16_000)],
    ['digits', '1'.repeat(16_000)],
    ['bytes', `:${'A'.repeat(16_000)}:`],
    ['percents', `%"${'%41'.repeat(5000)}"`],
  ])('is read in linear time: %s', (_, text) => {
    expect(text.length).toBeLessThanOrEqual(most);
    const start = performance.now();
    for (let run = 0; run < 20; run += 1) {
      parseList(text);
      parseDictionary(text);
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('beyond 16 KiB is refused unread', () => {
    expect(parseList(`"${'a'.repeat(most - 2)}"`)).toHaveLength(1);
    expect(parseList(`"${'a'.repeat(most - 1)}"`)).toBeUndefined();
  });
});
