import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';

/**
 * HubSpot: the quota of a rolling interval, whose length is as long as it can take until some of it is back.
 * The end of the daily quota is not told. Counted by app and account.
 */
export function hubspot(): HintReader {
  return vendorReader(HUBSPOT);
}

// HubSpot docs: API usage guidelines
const HUBSPOT: Vendor = {
  name: 'hubspot',
  quotas: [
    {
      policy: 'interval',
      remaining: { name: 'x-hubspot-ratelimit-remaining' },
      limit: { name: 'x-hubspot-ratelimit-max' },
      resets: [{ name: 'x-hubspot-ratelimit-interval-milliseconds', unit: milliseconds }],
    },
  ],
  scope: scopeOf,
};

function scopeOf(answer: Answer): ScopeField {
  const isDaily = answer.field('x-hubspot-ratelimit-daily-remaining') === '0';
  const source = isDaily ? 'x-hubspot-ratelimit-daily-remaining' : 'x-hubspot-ratelimit-remaining';
  return { source, scope: { by: 'limit', value: isDaily ? 'daily' : 'interval', reach: 'widest' } };
}
