import type { HintReader } from '../hint/hint.js';
import { rfc3339 } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';
import { mayHeal, shouldRetry } from './verdicts.js';

/**
 * Anthropic: quotas of requests and of three kinds of tokens with RFC 3339 instants, x-should-retry, and 529
 * (overloaded), which may heal. Counted by organization and class of models.
 */
export function anthropic(): HintReader {
  return vendorReader(ANTHROPIC);
}

const quota = (policy: string): QuotaFields => ({
  policy,
  remaining: { name: `anthropic-ratelimit-${policy}-remaining` },
  limit: { name: `anthropic-ratelimit-${policy}-limit` },
  resets: [{ name: `anthropic-ratelimit-${policy}-reset`, unit: rfc3339 }],
});

// Anthropic docs: rate limits, errors; its SDK for x-should-retry
const ANTHROPIC: Vendor = {
  name: 'anthropic',
  quotas: [quota('requests'), quota('tokens'), quota('input-tokens'), quota('output-tokens')],
  verdicts: [shouldRetry('x-should-retry'), mayHeal(529)],
};
