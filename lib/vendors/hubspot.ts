import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, ScopeField, Vendor } from './vendor-reader.js';

/**
 * HubSpot: the quota of a rolling interval, whose length is as long as it can take until some of it is back.
 * The end of the daily quota is not told: after that no interval is a wait. Counted by app and account.
 */
export function hubspot(): HintReader {
  return vendorReader(HUBSPOT);
}

// HubSpot docs: API usage guidelines
const HUBSPOT: Vendor = {
  name: 'hubspot',
  quotas: (answer) => (spentDayIn(answer) === undefined ? [INTERVAL, DAILY] : [DAILY]),
  scope: scopeOf,
};

const DAILY: QuotaFields = {
  policy: 'daily',
  remaining: { name: 'x-hubspot-ratelimit-daily-remaining' },
  limit: { name: 'x-hubspot-ratelimit-daily' },
  resets: [],
};

const INTERVAL: QuotaFields = {
  policy: 'interval',
  remaining: { name: 'x-hubspot-ratelimit-remaining' },
  limit: { name: 'x-hubspot-ratelimit-max' },
  resets: [{ name: 'x-hubspot-ratelimit-interval-milliseconds', unit: milliseconds }],
};

function scopeOf(answer: Answer): ScopeField {
  const day = spentDayIn(answer);
  const source = day ?? 'x-hubspot-ratelimit-remaining';
  return { source, scope: { by: 'limit', value: day ? 'daily' : 'interval', reach: 'widest' } };
}

/** Where the answer says that the daily quota is used up. */
function spentDayIn(answer: Answer): string | undefined {
  if (answer.field(DAILY.remaining.name) === '0') return DAILY.remaining.name;
  return answer.status === 429 && answer.json('policyName') === 'DAILY' ? 'body.policyName' : undefined;
}
