import type { HintReader } from '../hint/hint.js';
import { seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';

/** Contentful: quotas of a second and of an hour, and the seconds until the next request. Counted by organization. */
export function contentful(): HintReader {
  return vendorReader(CONTENTFUL);
}

const RESET = { name: 'x-contentful-ratelimit-reset', unit: seconds } as const;

const quota = (policy: string): QuotaFields => ({
  policy,
  remaining: { name: `x-contentful-ratelimit-${policy}-remaining` },
  limit: { name: `x-contentful-ratelimit-${policy}-limit` },
  resets: [RESET],
});

// Contentful docs: API rate limits; its SDK waits for this field
const CONTENTFUL: Vendor = {
  name: 'contentful',
  quotas: [quota('second'), quota('hour')],
};
