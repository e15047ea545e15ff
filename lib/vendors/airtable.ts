import type { HintReader } from '../hint/hint.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Airtable: a 429 tells nothing, and the documentation asks for half a minute. Counted by base. */
export function airtable(): HintReader {
  return vendorReader(AIRTABLE);
}

// Airtable docs: rate limits
const AIRTABLE: Vendor = { name: 'airtable', documentedMs: 30_000 };
