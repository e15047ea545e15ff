import type { HintReader } from '../hint/hint.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';
import { shouldRetry } from './verdicts.js';

/** Stripe: stripe-should-retry. It sends no time. */
export function stripe(): HintReader {
  return vendorReader(STRIPE);
}

// stripe-node: the field overrules what the status says
const STRIPE: Vendor = { name: 'stripe', verdicts: [shouldRetry('stripe-should-retry')] };
