import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { withoutOws } from '../hint/white-space.js';
import { seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor, WaitField } from './vendor-reader.js';

/**
 * Sentry's ingestion: x-sentry-rate-limits, which comes before Retry-After. Of its waits the longest counts on
 * limits and on failures of the server; on other answers only a limit on all categories counts. After a 429 that
 * says nothing Sentry asks for a minute.
 */
export function sentry(): HintReader {
  return vendorReader(SENTRY);
}

/** One limit: `60:error;transaction:organization:reason`, where no category means all of them. */
export interface SentryLimit {
  readonly seconds: string;
  readonly categories: readonly string[];
  readonly scope: string;
}

/** The limits in a field. One without a number lasts a minute, as for Sentry's own clients. */
export function parseSentryLimits(field: string): readonly SentryLimit[] {
  return field.split(',').flatMap((limit) => {
    const [after = '', categories = '', scope = ''] = withoutOws(limit).split(':');
    if (after === '') return [];
    const seconds = /^\d+(?:\.\d+)?$/.test(after) ? after : '60';
    return [{ seconds, categories: categories === '' ? [] : categories.split(';'), scope }];
  });
}

const FIELD = 'x-sentry-rate-limits';

const longest = (which: (limit: SentryLimit) => boolean): WaitField => ({
  name: FIELD,
  unit: seconds,
  overrules: 'retry-after',
  text: (answer) => longestOf(limitsIn(answer).filter(which)),
});

// Sentry docs for SDK developers: rate limiting
const SENTRY: Vendor = {
  name: 'sentry',
  waits: [longest(() => true)],
  quotas: [
    {
      remaining: { name: FIELD, text: (answer) => (limitsIn(answer).some(isOnAll) ? '0' : undefined) },
      resets: [longest(isOnAll)],
    },
  ],
  documentedMs: 60_000,
};

function limitsIn(answer: Answer): readonly SentryLimit[] {
  return parseSentryLimits(answer.field(FIELD) ?? '');
}

function isOnAll({ categories }: SentryLimit): boolean {
  return categories.length === 0;
}

function longestOf(limits: readonly SentryLimit[]): string | undefined {
  return limits.map((limit) => limit.seconds).sort((a, b) => Number(b) - Number(a))[0];
}
