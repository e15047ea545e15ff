import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';

/**
 * GitHub, REST and GraphQL. A 403 is a limit where the quota is used up, Retry-After is there, or the body
 * names a secondary limit; after one of those without a time GitHub asks for at least a minute.
 * Counted by token and resource (`core`, `search`, `graphql`, ...): a scope rule that gives the part
 * `resource` is met exactly; without one, `core` and secondary limits stop everything of the token.
 */
export function github(): HintReader {
  return vendorReader(GITHUB);
}

// GitHub docs: rate limits for the REST API, best practices for using it, rate limits for the GraphQL API
const GITHUB: Vendor = {
  name: 'github',
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [{ name: 'x-ratelimit-reset', unit: epochSeconds }],
    },
  ],
  limit: limitOf,
  scope: scopeOf,
  documentedMs: 60_000,
};

function limitOf(answer: Answer): string | undefined {
  if (answer.status === 403) {
    if (isUsedUp(answer)) return 'x-ratelimit-remaining';
    if (answer.field('retry-after') !== undefined) return 'retry-after';
    return isSecondary(answer) ? 'body.message' : undefined;
  }
  // GraphQL tells limits in a 200; only with nothing left is the body looked at.
  if (answer.status !== 200 || !isUsedUp(answer) || !answer.mentions('RATE_LIMIT')) return undefined;
  const type = answer.json('errors', 0, 'type');
  return type === 'RATE_LIMITED' || type === 'RATE_LIMIT' ? 'body.errors' : undefined;
}

function scopeOf(answer: Answer): ScopeField {
  const resource = answer.field('x-ratelimit-resource');
  if (!isUsedUp(answer)) {
    return { source: 'x-ratelimit-remaining', scope: { by: 'limit', value: 'secondary', reach: 'widest' } };
  }
  const value = resource ?? 'core';
  const reach = value === 'core' ? 'widest' : 'narrowest';
  return { source: 'x-ratelimit-resource', scope: { by: 'resource', value, reach } };
}

function isUsedUp(answer: Answer): boolean {
  return answer.field('x-ratelimit-remaining') === '0';
}

// Documented as an error message, there is no code. It tells the kind of the limit, never the time.
function isSecondary(answer: Answer): boolean {
  return (
    answer.mentions('secondary rate limit') && String(answer.json('message')).includes('secondary rate limit')
  );
}
