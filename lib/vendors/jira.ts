import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { rfc3339, seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';

/**
 * Jira and Confluence Cloud: ISO instants, and a reason: quotas of the app or the tenant stop everything, bursts
 * stop what was asked for, and a limit on one issue stops nothing else. The Beta- fields are not read. Data Center:
 * the interval after which some of the quota is back.
 */
export function jira(): HintReader {
  return vendorReader(JIRA);
}

// Atlassian docs: Jira Cloud rate limiting; Data Center: improving instance stability with rate limiting
const JIRA: Vendor = {
  name: 'jira',
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [
        { name: 'x-ratelimit-reset', unit: rfc3339 },
        { name: 'x-ratelimit-interval-seconds', unit: seconds },
      ],
    },
  ],
  scope: scopeOf,
};

function scopeOf(answer: Answer): ScopeField | undefined {
  const value = answer.field('ratelimit-reason');
  if (value === undefined) return undefined;
  const reach = /per-issue/i.test(value) ? 'request' : /quota/i.test(value) ? 'widest' : 'narrowest';
  return { source: 'ratelimit-reason', scope: { by: 'reason', value, reach } };
}
