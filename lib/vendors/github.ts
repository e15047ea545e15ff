import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';

/**
 * GitHub, REST and GraphQL. A 403 is a limit where the quota is used up, Retry-After is there, or the body
 * names a secondary limit, a 200 where an error is RATE_LIMITED; without a time GitHub asks for a minute.
 * Counted by token and resource (`core`, `search`, `graphql`, ...): a scope rule that gives the part
 * `resource` is met exactly; without one, `core` and secondary limits stop everything of the token.
 */
export function github(): HintReader {
  return vendorReader(GITHUB);
}

// GitHub docs: rate limits for the REST API, best practices for using it, rate limits for the GraphQL API
const GITHUB: Vendor = {
  name: 'github',
  waits: [{ name: 'x-ratelimit-reset', unit: epochSeconds, text: resetOfQuery }],
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
  return isLimitedQuery(answer) ? 'body.errors' : undefined;
}

// GraphQL tells limits in a 200. The other resources, whose bodies are not looked at, have other names.
function isLimitedQuery(answer: Answer): boolean {
  const isQuery = (answer.field('x-ratelimit-resource') ?? 'graphql') === 'graphql';
  if (answer.status !== 200 || !isQuery || !answer.mentions('"RATE_LIMIT')) return false;
  return answer.all('errors', '*', 'type').some((type) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT');
}

/** What is left may be less than a query costs: then it is the end of the quota that counts, too. */
function resetOfQuery(answer: Answer): string | undefined {
  const isSomeLeft = Number(answer.field('x-ratelimit-remaining')) > 0;
  return isSomeLeft && isLimitedQuery(answer) ? answer.field('x-ratelimit-reset') : undefined;
}

function scopeOf(answer: Answer): ScopeField {
  const isQuery = isLimitedQuery(answer);
  if (!isQuery && !isUsedUp(answer)) {
    return { source: 'x-ratelimit-remaining', scope: { by: 'limit', value: 'secondary', reach: 'widest' } };
  }
  const value = isQuery ? 'graphql' : (answer.field('x-ratelimit-resource') ?? 'core');
  const reach = value === 'core' ? 'widest' : 'narrowest';
  return { source: 'x-ratelimit-resource', scope: { by: 'resource', value, reach } };
}

function isUsedUp(answer: Answer): boolean {
  return answer.field('x-ratelimit-remaining') === '0';
}

// Documented as an error message, there is no code; the second is the older one, which Enterprise Server has. It
// tells the kind of the limit, never the time.
function isSecondary(answer: Answer): boolean {
  const message = answer.json('message');
  return typeof message === 'string' && /secondary rate limit|abuse detection/.test(message);
}
