import { describe, expect, test } from '@jest/globals';
import { checkOptions, HeedOptionsError, optionNames } from '../lib/option-checks.js';
import { resolvePolicy, spanMs } from '../lib/options.js';
import type { HeedConfig, HeedPolicy } from '../lib/options.js';

const refused = (options: unknown, kind: 'policy' | 'request' = 'policy'): string => {
  try {
    checkOptions(options, kind);
  } catch (error) {
    if (error instanceof HeedOptionsError) return error.message;
    throw error;
  }
  return '';
};

describe('options', () => {
  test('the names that run are the names of the types', () => {
    const policy: Record<keyof Required<HeedPolicy>, true> = {
      budget: true,
      reserve: true,
      maxHint: true,
      exchanges: true,
      backoff: true,
      jitter: true,
      scopes: true,
      hints: true,
      transient: true,
      notApplied: true,
      classify: true,
      beforeExchange: true,
      readiness: true,
      reconcile: true,
      idempotencyKey: true,
      concurrency: true,
      turn: true,
      maxQueued: true,
      maxGates: true,
      allowance: true,
      onEntry: true,
      mode: true,
      gates: true,
      store: true,
      waitForOnline: true,
      maskPath: true,
      clock: true,
    };
    const request: Record<keyof Required<HeedConfig>, true> = {
      budget: true,
      deadline: true,
      reserve: true,
      maxHint: true,
      exchanges: true,
      idempotent: true,
      idempotencyKey: true,
      body: true,
      route: true,
      turn: true,
      onProgress: true,
    };
    expect(optionNames('policy')).toEqual(Object.keys(policy));
    expect(optionNames('request')).toEqual(Object.keys(request));
  });

  test.each<[HeedPolicy]>([
    [{}],
    [{ budget: undefined }],
    [{ budget: 0, reserve: { seconds: 1 }, maxHint: 'none', exchanges: 1, jitter: 0 }],
    [{ hints: [] }],
    [{ readiness: [] }],
    [{ readiness: [{ name: 'db', check: () => 'ready' }], reconcile: () => ({ outcome: 'unknown' }) }],
    [{ idempotencyKey: 'auto' }],
    [{ idempotencyKey: { key: 'auto', header: 'X-Key', quoted: true } }],
    [{ idempotencyKey: () => undefined }],
    [{ hints: [() => []] }],
    [{ backoff: { first: 200, max: { minutes: 1 } }, allowance: 'none' }],
    [{ backoff: () => 5, transient: [503], notApplied: () => true, allowance: { perSecond: 0 } }],
  ])('accepts %j', (policy) => {
    expect(refused(policy)).toBe('');
  });

  test.each<[unknown, RegExp]>([
    [{ budget: -1 }, /`budget` to be milliseconds .* or a date-fns Duration, got -1/],
    [{ budget: Infinity }, /`budget` .* got Infinity/],
    [{ budget: '30s' }, /`budget` .* got '30s'/],
    [{ budget: { second: 3 } }, /`budget` .* got an object/],
    [{ budget: null }, /`budget` .* got null/],
    [{ exchanges: 0 }, /`exchanges` to be a whole number of 1 or more, got 0/],
    [{ exchanges: 1.5 }, /got 1.5/],
    [{ jitter: 2 }, /`jitter` to be a number from 0 to 1, got 2/],
    [{ maxHint: Infinity }, /`maxHint` .* or 'none', got Infinity/],
    [{ scopes: [] }, /`scopes` to be a list of scope rules/],
    [{ hints: ['x-ratelimit-reset'] }, /`hints` to be a list of hint readers \(functions\), got an array/],
    [{ hints: () => [] }, /`hints` to be a list of hint readers .* got a function/],
    [{ readiness: [{ name: 'db' }] }, /`readiness` to be a list of \{ name, check \}/],
    [{ readiness: [{ name: 5, check: () => 'ready' }] }, /`readiness` .* got an array/],
    [{ readiness: [{ name: 'db', check: () => 'ready', every: 5 }] }, /`readiness` .* got an array/],
    [{ readiness: [null] }, /`readiness` .* got an array/],
    [{ readiness: () => 'ready' }, /`readiness` .* got a function/],
    [{ reconcile: {} }, /`reconcile` to be a function, got an object/],
    [{ body: () => 'policy' }, /known options .* got `body`/],
    [{ transient: ['503'] }, /`transient` to be a list of status codes or a function/],
    [{ backoff: { base: 3 } }, /`backoff` to be \{ first, factor/],
    [
      { store: { nameOf: () => ({}), tell: () => ({}), subscribe: () => ({}) } },
      /`store` to be a store of .* or sharedStore\(\), got an object/,
    ],
    [{ retries: 3 }, /known options \(budget, .*\), got `retries`/],
    [{ __proto__: null, toString: 1 }, /got `toString`/],
    [null, /to be an object, got null/],
    [[], /to be an object, got an array/],
  ])('refuses %j and says what was expected and what came', (policy, message) => {
    expect(refused(policy)).toMatch(message);
  });

  test('checks the options of a request by their own list', () => {
    expect(refused({ deadline: new Date(NaN) }, 'request')).toMatch(
      /`deadline` to be a valid Date or milliseconds/,
    );
    expect(refused({ deadline: new Date(), idempotent: true, route: '/a/:id' }, 'request')).toBe('');
    expect(refused({ scopes: [] }, 'request')).toMatch(/`heed` to have known options .* got `scopes`/);
  });

  test('never prints the content of an object', () => {
    expect(refused({ budget: { token: 'sk-SECRET' } })).not.toContain('SECRET');
  });

  test('a span is milliseconds or a Duration, and nothing else', () => {
    expect([0, 5, { seconds: 1 }, { minutes: 1, seconds: 1 }].map((span) => spanMs(span))).toEqual([
      0, 5, 1000, 61_000,
    ]);
    const none = [-1, NaN, Infinity, '5', null, {}, { hour: 1 }, { seconds: NaN }, { seconds: -1 }];
    expect(none.map((span) => spanMs(span))).toEqual(none.map(() => undefined));
  });

  test('defaults fill what is absent or undefined', () => {
    const resolved = resolvePolicy({ exchanges: undefined, allowance: { start: undefined, max: 5 } });
    expect(resolved.exchanges).toBe(4);
    expect(resolved.allowance).toEqual({ start: 10, perExchange: 0.2, perSecond: 1, max: 5 });
    expect(resolved.maxHint).toEqual({ kind: 'by-deadline' });
  });
});
