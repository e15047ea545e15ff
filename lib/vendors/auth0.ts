import type { HintReader } from '../hint/hint.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Auth0: seconds since 1970. Counted by tenant and endpoint. */
export function auth0(): HintReader {
  return vendorReader(AUTH0);
}

// Auth0 docs: rate limit policy; node-auth0
const AUTH0: Vendor = {
  name: 'auth0',
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [{ name: 'x-ratelimit-reset', unit: epochSeconds }],
    },
  ],
};
