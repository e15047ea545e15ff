import type { HintReader } from '../hint/hint.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';
import { mayHeal } from './verdicts.js';

/** Notion: 529 (overloaded) may heal, and is a limit where it comes with Retry-After. Counted by integration. */
export function notion(): HintReader {
  return vendorReader(NOTION);
}

// Notion docs: request limits
const NOTION: Vendor = { name: 'notion', verdicts: [mayHeal(529)] };
