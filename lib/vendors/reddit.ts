import type { HintReader } from '../hint/hint.js';
import { seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Reddit: seconds to wait, and what is left in decimals. Counted by OAuth client. */
export function reddit(): HintReader {
  return vendorReader(REDDIT);
}

// Reddit API wiki
const REDDIT: Vendor = {
  name: 'reddit',
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      resets: [{ name: 'x-ratelimit-reset', unit: seconds }],
    },
  ],
};
