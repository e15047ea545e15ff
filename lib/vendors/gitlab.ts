import type { HintReader } from '../hint/hint.js';
import { epochSeconds, httpDate } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** GitLab: the names of RateLimit drafts 0 to 6, with seconds since 1970. Counted by throttle and user or address. */
export function gitlab(): HintReader {
  return vendorReader(GITLAB);
}

// GitLab docs: user and IP rate limits, response headers
const GITLAB: Vendor = {
  name: 'gitlab',
  quotas: [
    {
      remaining: { name: 'ratelimit-remaining' },
      limit: { name: 'ratelimit-limit' },
      resets: [
        { name: 'ratelimit-reset', unit: epochSeconds },
        { name: 'ratelimit-resettime', unit: httpDate },
      ],
    },
  ],
  scope: (answer) => {
    const value = answer.field('ratelimit-name');
    return value === undefined
      ? undefined
      : { source: 'ratelimit-name', scope: { by: 'throttle', value, reach: 'narrowest' } };
  },
};
