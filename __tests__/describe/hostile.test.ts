import { describe, expect, test } from '@jest/globals';
import { describeHold, describeStop } from '../../lib/describe/index';
import type { StopDescription } from '../../lib/describe/index';

const NOW = Date.UTC(2026, 0, 1);

const throwing = new Proxy(
  {},
  {
    get: () => {
      throw new Error('of a getter');
    },
    has: () => {
      throw new Error('of a trap');
    },
  },
);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const unspeakable = {
  toString: () => {
    throw new Error('of toString');
  },
};

// What a page shows must not break the page.
describe('describeHold', () => {
  test.each([
    [Infinity, /^Busy. Next try in \d+ years$/],
    [1e300, /^Busy. Next try in \d+ years$/],
    [Number.MAX_SAFE_INTEGER, /^Busy. Next try in \d+ years$/],
    [8.64e15 + 2, /^Busy. Next try in \d+ years$/],
    [-Infinity, /^Busy. Next try now$/],
    [NaN, /^Busy. Yours goes next$/],
    [null, /^Busy. Yours goes next$/],
    ['2030-01-01', /^Busy. Yours goes next$/],
    [Symbol('x'), /^Busy. Yours goes next$/],
    [unspeakable, /^Busy. Yours goes next$/],
  ])('has a sentence for the release %p', (releaseAt, sentence) => {
    const described = describeHold({ state: 'held', ahead: 0, releaseAt } as never, { now: NOW });
    expect(described?.sentence).toMatch(sentence);
    expect(['number', 'undefined']).toContain(typeof described?.releaseAt);
    expect(Math.abs(described?.releaseAt ?? 0)).toBeLessThanOrEqual(8.64e15);
  });

  test('also where the present is before all time', () => {
    const described = describeHold({ state: 'held', ahead: 0, releaseAt: 8.64e15 }, { now: -8.64e15 });
    expect(described?.distance).toMatch(/^\d+ years$/);
  });

  test.each([NaN, new Date(NaN), null, 'x', Symbol('x'), unspeakable])(
    'counts from the present for the instant %p, which is none',
    (now) => {
      const releaseAt = Date.now() + 3_600_000;
      const described = describeHold({ state: 'held', ahead: 0, releaseAt }, { now } as never);
      expect(described?.distance).toBe('1 hour');
    },
  );

  test.each([NaN, -1, null, '3', unspeakable])('says nothing of others where they are %p', (ahead) => {
    const described = describeHold({ state: 'ramping', ahead } as never);
    expect(described).toEqual({ stage: 'turns', ahead: 0, sentence: 'Busy. Yours goes next' });
  });

  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['held', 'string'],
    [7, 'number'],
    [Symbol('x'), 'symbol'],
    [{ gates: null }, 'object'],
    [{ gates: [null] }, 'object'],
    [{}, 'object'],
    [[], 'object'],
    [throwing, 'object'],
    [revoked, 'object'],
    [{ gates: [throwing] }, 'object'],
  ])('refuses %# and says what was expected and what came', (subject, came) => {
    const act = (): unknown => describeHold(subject as never);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(
      `describeHold: expected a snapshot, one of its gates, or the wait of an operation, got ${came}`,
    );
  });

  test('what your own words throw is yours', () => {
    const sentence = (): string => {
      throw new RangeError('no words');
    };
    expect(() => describeHold({ state: 'held', ahead: 0 }, { sentence })).toThrow(RangeError);
  });
});

describe('describeStop', () => {
  const described = (report: unknown): StopDescription => describeStop(report as never, { now: NOW });
  const failed = 'It did not work: check what became of it before you try again';

  test.each([
    null,
    undefined,
    'cancelled',
    7,
    7n,
    Symbol('x'),
    {},
    [],
    () => 0,
    new Error('foreign'),
    { reason: 'constructor' },
    { reason: '__proto__', retryable: 'yes' },
    { reason: 'newer', retryable: true },
    { reason: unspeakable, retryable: unspeakable, releaseAt: unspeakable },
    { reason: null, releaseAt: null, retryable: null },
    throwing,
    revoked,
    unspeakable,
  ])('has a sentence for whatever it is given (%#), and does not say that nothing was done', (report) => {
    const { sentence, retryable, ...rest } = described(report);
    expect(sentence).toBe(failed);
    expect(typeof retryable).toBe('boolean');
    expect(rest).toEqual({});
  });

  test.each([Infinity, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER])('has a distance up to %p', (releaseAt) => {
    const { sentence, releaseAt: shown } = described({ reason: 'queue-full', retryable: true, releaseAt });
    expect(sentence).toMatch(/^Busy. Try again in \d+ years$/);
    expect(shown).toBeLessThanOrEqual(8.64e15);
  });

  test.each([NaN, '2030-01-01', null, Symbol('x')])(
    'leaves out the instant %p, which is none',
    (releaseAt) => {
      const report = { reason: 'queue-full', retryable: true, releaseAt };
      expect(described(report)).toEqual({ retryable: true, sentence: 'Busy. Try again later' });
    },
  );
});
