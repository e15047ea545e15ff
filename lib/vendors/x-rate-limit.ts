import { boundedText } from '../hint/bounded-text.js';
import type { HintReader } from '../hint/hint.js';
import { epochMilliseconds, epochSeconds, rfc3339, seconds } from './units.js';
import type { Unit } from './units.js';
import { vendorReader } from './vendor-reader.js';

/**
 * Reads X-RateLimit-Limit, -Remaining and -Reset of servers that have no function of their own here. Their
 * reset has many meanings, so you say which: `seconds` to wait (fastify, Envoy, Together), `epoch-seconds`
 * (Laravel, express-rate-limit, Tyk, Flask-Limiter), `epoch-milliseconds` or `rfc3339` (Mastodon).
 * @throws TypeError for another word
 */
export function xRateLimit({ reset }: { readonly reset: ResetUnit }): HintReader {
  const given: unknown = reset;
  if (!Object.keys(UNITS).includes(reset)) {
    throw new TypeError(
      `reset: expected one of ${Object.keys(UNITS).join(', ')}, got ${boundedText(String(given))}`,
    );
  }
  return vendorReader({
    name: 'xRateLimit',
    quotas: [
      {
        remaining: { name: 'x-ratelimit-remaining' },
        limit: { name: 'x-ratelimit-limit' },
        resets: [{ name: 'x-ratelimit-reset', unit: UNITS[reset] }],
      },
    ],
  });
}

/** What the number or date in X-RateLimit-Reset is: a wait in seconds, or an instant. */
export type ResetUnit = 'seconds' | 'epoch-seconds' | 'epoch-milliseconds' | 'rfc3339';

const UNITS: Readonly<Record<ResetUnit, Unit>> = {
  seconds,
  'epoch-seconds': epochSeconds,
  'epoch-milliseconds': epochMilliseconds,
  rfc3339,
};
