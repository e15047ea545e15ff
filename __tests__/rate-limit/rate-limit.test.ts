import { describe, expect, test } from '@jest/globals';
import { readHints } from '../../lib/hint/hint';
import type { WeighedReading } from '../../lib/hint/hint';
import { retryAfterReader } from '../../lib/hint/retry-after-reader';
import { rateLimit } from '../../lib/rate-limit/index';
import { factsOf } from '../hint/facts';
import type { Headers } from '../hint/facts';

const read = (headers: Headers, status = 200): WeighedReading =>
  readHints(factsOf(status, headers), [retryAfterReader, rateLimit()]);

describe('the reader of RateLimit fields', () => {
  test('tells what is left, with the policy that has the same name', () => {
    const headers = {
      RateLimit: '"burst";r=5;t=2, "day";r=900;t=3600;pk=:YQ==:',
      'RateLimit-Policy': '"day";q=1000;w=86400, "burst";q=10;w=5',
    };
    const raw = headers.RateLimit;
    expect(read(headers)).toEqual({
      kind: 'silent',
      because: 'missing',
      quota: [
        {
          kind: 'quota',
          source: 'ratelimit',
          raw,
          policy: 'burst',
          remaining: 5,
          limit: 10,
          resetMs: 2000,
          windowMs: 5000,
        },
        {
          kind: 'quota',
          source: 'ratelimit',
          raw,
          policy: 'day',
          remaining: 900,
          limit: 1000,
          resetMs: 3_600_000,
          windowMs: 86_400_000,
        },
      ],
    });
  });

  test('leaves out what the policy field says when that is malformed', () => {
    const quota = read({ RateLimit: '"a";r=5;t=2', 'RateLimit-Policy': '"a";q=10;w=0' }).quota;
    expect(quota).toEqual([expect.not.objectContaining({ limit: 10 })]);
    expect(quota).toMatchObject([{ remaining: 5, resetMs: 2000 }]);
  });

  test('counts requests where the server tells what one costs', () => {
    expect(read({ RateLimit: '"a";a=12;w=60;c=5' }).quota).toMatchObject([{ remaining: 2 }]);
    expect(read({ RateLimit: '"a";a=4;w=60;c=5' }).quota).toMatchObject([{ remaining: 0 }]);
    expect(read({ RateLimit: '"a";a=12;w=60;c=0' }).quota).toMatchObject([{ remaining: 12 }]);
  });

  test.each([200, 301, 400, 403, 404, 500])(
    'takes nothing left on a %i for a word to the next request',
    (status) => {
      const reading = read({ RateLimit: '"a";r=0;t=9' }, status);
      expect(reading.kind).toBe('silent');
      expect(reading.quota).toMatchObject([{ remaining: 0, resetMs: 9000 }]);
    },
  );

  test.each([429, 503])('takes nothing left on a %i for a wait', (status) => {
    expect(read({ RateLimit: '"a";r=0;t=9, "b";r=0;t=40, "c";r=1;t=90' }, status)).toMatchObject({
      kind: 'hint',
      hint: { source: 'ratelimit', form: 'seconds', delayMs: 40_000, clock: 'none' },
      passedOver: [{ hint: { delayMs: 9000 } }],
    });
  });

  test('tells no wait where something is left, whatever refused', () => {
    expect(read({ RateLimit: '"a";r=3;t=9' }, 429).kind).toBe('silent');
  });

  test('lets Retry-After come before it', () => {
    const reading = read({ RateLimit: '"a";r=0;t=9', 'Retry-After': '2' }, 429);
    expect(reading).toMatchObject({ hint: { source: 'retry-after', delayMs: 2000 } });
  });

  test.each([
    ['1', false],
    ['120', false],
    ['9'.repeat(30), false],
    ['3, 0', false],
    ['0', true],
    ['000', true],
    ['soon', true],
    ['-5', true],
    ['Thu, 01 Jan 2026 00:00:00 GMT', true],
    ['0, 3', true],
  ])('with an Age of %s: read is %p', (age, isRead) => {
    expect(read({ RateLimit: '"a";r=0;t=9', Age: age }, 429)).toMatchObject({
      kind: isRead ? 'hint' : 'silent',
    });
  });

  test.each([
    ['trailing comma', { RateLimit: '"a";r=0;t=9,' }],
    ['one bad item', { RateLimit: '"a";r=0;t=9, "b"' }],
    ['a decimal', { RateLimit: '"a";r=0.0;t=9' }],
    ['a Dictionary without what is left', { RateLimit: 'limit=10, reset=9' }],
    ['a negative reset', { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '-9' }],
    ['a date', { 'RateLimit-Remaining': '0', 'RateLimit-Reset': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
    ['seconds since 1970', { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '1796040045' }],
  ])('ignores a field whole, and says so: %s', (_, headers) => {
    expect(read(headers, 429)).toMatchObject({ kind: 'malformed', because: 'invalid' });
    expect(read(headers, 429)).not.toHaveProperty('quota');
  });

  test('says nothing of an empty field, or of no field', () => {
    expect(read({ RateLimit: '' }, 429)).toEqual({ kind: 'silent', because: 'missing' });
    expect(read({ 'RateLimit-Policy': '"a";q=5;w=5' }, 429)).toEqual({ kind: 'silent', because: 'missing' });
  });

  test('reads lines of the older forms, of which the newer comes first', () => {
    const trio = { 'RateLimit-Limit': '100, 100;w=60', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '9' };
    expect(read(trio, 429)).toMatchObject({
      hint: { source: 'ratelimit-reset', raw: '0; 9', delayMs: 9000 },
    });
    expect(read(trio, 429).quota).toMatchObject([{ remaining: 0, limit: 100, resetMs: 9000 }]);
    expect(read({ ...trio, RateLimit: 'limit=10, remaining=0, reset=5' }, 429)).toMatchObject({
      hint: { source: 'ratelimit', delayMs: 5000 },
    });
  });

  test('knows no time where the server tells none', () => {
    expect(read({ RateLimit: '"a";r=0' }, 429)).toMatchObject({ kind: 'silent', quota: [{ remaining: 0 }] });
    expect(read({ 'RateLimit-Remaining': '0' }, 429)).toMatchObject({
      kind: 'silent',
      quota: [{ source: 'ratelimit-remaining', remaining: 0 }],
    });
  });

  test('takes more seconds than can be told apart for an overflow, never for a short wait', () => {
    expect(read({ RateLimit: '"a";r=0;t=999999999999999' }, 429)).toMatchObject({
      kind: 'overflow',
      source: 'ratelimit',
    });
    expect(read({ RateLimit: '"a";r=0;t=9007199254740' }, 429)).toMatchObject({ kind: 'hint' });
  });

  test.each<[string, Headers]>([
    ['members', { RateLimit: Array<string>(100_000).fill('"a";r=0;t=9').join(',') }],
    ['lines', { RateLimit: Array<string>(100_000).fill('"a";r=0;t=9') }],
    ['spaces', { RateLimit: `"a";r=0;t=9${' '.repeat(1_000_000)}x` }],
    ['digits', { 'RateLimit-Remaining': '0'.repeat(1_000_000), 'RateLimit-Reset': '9'.repeat(1_000_000) }],
    ['a name', { RateLimit: `"${'a'.repeat(1_000_000)}";r=0;t=9` }],
    ['a policy', { RateLimit: '"a";r=5;t=9', 'RateLimit-Policy': `${'"a";q=5,'.repeat(120_000)}"a";q=5` }],
    ['an age', { RateLimit: '"a";r=5;t=9', Age: '9'.repeat(1_000_000) }],
  ])('refuses a megabyte of %s in linear time, and keeps little of it', (_, headers) => {
    const start = performance.now();
    const reading = read(headers, 429);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(reading.kind).not.toBe('hint');
    expect(JSON.stringify(reading).length).toBeLessThan(1000);
  });
});
