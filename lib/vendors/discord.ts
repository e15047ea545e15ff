import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { epochSeconds, seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';

/**
 * Discord: decimal seconds in fields and body. Counted by bucket, by a resource that all share, or, where the
 * answer says `global`, by bot: then everything of the token stops.
 */
export function discord(): HintReader {
  return vendorReader(DISCORD);
}

// Discord docs: rate limits, topics header format and exceeding a rate limit
const DISCORD: Vendor = {
  name: 'discord',
  waits: [{ name: 'body.retry_after', text: waitInBody, unit: seconds }],
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [
        { name: 'x-ratelimit-reset-after', unit: seconds },
        { name: 'x-ratelimit-reset', unit: epochSeconds },
      ],
    },
  ],
  scope: scopeOf,
};

function waitInBody(answer: Answer): string | undefined {
  const delay = answer.json('retry_after');
  return typeof delay === 'number' ? String(delay) : undefined;
}

function scopeOf(answer: Answer): ScopeField | undefined {
  const named = answer.field('x-ratelimit-scope');
  const isGlobal = named === 'global' || answer.field('x-ratelimit-global') === 'true';
  if (isGlobal || answer.json('global') === true) {
    const source = isGlobal ? 'x-ratelimit-global' : 'body.global';
    return { source, scope: { by: 'limit', value: 'global', reach: 'widest' } };
  }
  if (named === 'shared') {
    return { source: 'x-ratelimit-scope', scope: { by: 'limit', value: 'shared', reach: 'narrowest' } };
  }
  const value = answer.field('x-ratelimit-bucket');
  return value === undefined
    ? undefined
    : { source: 'x-ratelimit-bucket', scope: { by: 'bucket', value, reach: 'narrowest' } };
}
