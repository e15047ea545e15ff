import { expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosRequestConfig } from 'axios';
import { expectTypeOf } from 'expect-type';
import { heed, isHeedError, journalOf } from '../lib/index.js';
import type {
  HeedConfig,
  Heeding,
  HeedPolicy,
  HeedReport,
  JournalEntry,
  ScopeRule,
  Span,
} from '../lib/index.js';
import type { RetryAfterReading } from '../lib/hint/retry-after.js';

// Checked by both compilers: what is said here about types is said by the compiler, not by the run.
test('the public types say what the documentation says', () => {
  expectTypeOf(heed).returns.toEqualTypeOf<Heeding>();
  expectTypeOf<AxiosRequestConfig['heed']>().toEqualTypeOf<HeedConfig | false | undefined>();
  expectTypeOf<NonNullable<HeedPolicy['budget']>>().toEqualTypeOf<Span>();
  expectTypeOf<{ seconds: number }>().toExtend<Span>();
  expectTypeOf<() => string>().toExtend<ScopeRule>();
  expectTypeOf(journalOf).returns.toEqualTypeOf<readonly JournalEntry[]>();
  expectTypeOf<RetryAfterReading['kind']>().toEqualTypeOf<'delay-seconds' | 'http-date' | 'unusable'>();

  const error: unknown = new axios.AxiosError('no');
  if (isHeedError(error)) expectTypeOf(error.heed).toEqualTypeOf<HeedReport>();
  expect(isHeedError(error)).toBe(false);
});

test('a misspelt option is an error of the compiler', () => {
  const policy = (): HeedPolicy => ({
    // @ts-expect-error the option is called budget
    budgett: 5,
  });
  const config = (): AxiosRequestConfig => ({
    // @ts-expect-error the option is called deadline
    heed: { deadlin: 5 },
  });
  expect([Object.keys(policy()), Object.keys(config())]).toEqual([['budgett'], ['heed']]);
});
