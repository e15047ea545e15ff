import type { HintReader } from '../hint/hint.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Okta: seconds since 1970, measured by the server's own clock. Counted by organization and endpoint. */
export function okta(): HintReader {
  return vendorReader(OKTA);
}

// Okta docs: rate limits; its SDK goes by the Date of the answer
const OKTA: Vendor = {
  name: 'okta',
  quotas: [
    {
      remaining: { name: 'x-rate-limit-remaining' },
      limit: { name: 'x-rate-limit-limit' },
      resets: [{ name: 'x-rate-limit-reset', unit: epochSeconds }],
    },
  ],
};
