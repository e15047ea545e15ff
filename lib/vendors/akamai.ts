import type { HintReader } from '../hint/hint.js';
import { rfc3339 } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Akamai APIs: the instant from which one more request is let through, or else a minute. Counted by client. */
export function akamai(): HintReader {
  return vendorReader(AKAMAI);
}

// Akamai docs: rate limiting of its OPEN APIs
const AKAMAI: Vendor = {
  name: 'akamai',
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [{ name: 'x-ratelimit-next', unit: rfc3339 }],
    },
  ],
  documentedMs: 60_000,
};
