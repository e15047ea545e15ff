import type { HintReader } from '../hint/hint.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';

/** X: quotas of 15 minutes and of a day, with seconds since 1970. Counted by user or app and endpoint. */
export function twitter(): HintReader {
  return vendorReader(TWITTER);
}

const quota = (policy: string, prefix: string): QuotaFields => ({
  policy,
  remaining: { name: `${prefix}-remaining` },
  limit: { name: `${prefix}-limit` },
  resets: [{ name: `${prefix}-reset`, unit: epochSeconds }],
});

// X docs: rate limits
const TWITTER: Vendor = {
  name: 'twitter',
  quotas: [
    quota('window', 'x-rate-limit'),
    quota('app-24hour', 'x-app-limit-24hour'),
    quota('user-24hour', 'x-user-limit-24hour'),
  ],
};
