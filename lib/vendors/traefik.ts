import type { HintReader } from '../hint/hint.js';
import { goDuration } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Traefik: X-Retry-In as a Go duration; Retry-After, rounded up, comes before it. */
export function traefik(): HintReader {
  return vendorReader(TRAEFIK);
}

// Traefik docs: RateLimit middleware
const TRAEFIK: Vendor = { name: 'traefik', waits: [{ name: 'x-retry-in', unit: goDuration }] };
