import type { HintReader } from '../hint/hint.js';
import { epochSeconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** The API of Docker Hub: seconds since 1970. (Pulls tell how many are left, and never when there are more.) */
export function dockerHub(): HintReader {
  return vendorReader(DOCKER_HUB);
}

// Docker docs: Docker Hub usage and limits; X-Retry-After is its older name and is an instant
const DOCKER_HUB: Vendor = {
  name: 'dockerHub',
  waits: [{ name: 'x-retry-after', unit: epochSeconds }],
  quotas: [
    {
      remaining: { name: 'x-ratelimit-remaining' },
      limit: { name: 'x-ratelimit-limit' },
      resets: [{ name: 'x-ratelimit-reset', unit: epochSeconds }],
    },
  ],
};
