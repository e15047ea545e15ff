import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { vendorReader } from './vendor-reader.js';
import type { ScopeField, Vendor } from './vendor-reader.js';
import { shouldRetry } from './verdicts.js';

/** Stripe: stripe-should-retry, and whether a limit is the account's or an endpoint's. It sends no time. */
export function stripe(): HintReader {
  return vendorReader(STRIPE);
}

// Stripe docs: rate limits; stripe-node: stripe-should-retry overrules what the status says
const STRIPE: Vendor = {
  name: 'stripe',
  scope: scopeOf,
  verdicts: [shouldRetry('stripe-should-retry')],
};

function scopeOf(answer: Answer): ScopeField | undefined {
  const source = 'stripe-rate-limited-reason';
  const value = answer.field(source);
  if (value === undefined) return undefined;
  const reach = value.startsWith('global') ? 'widest' : 'narrowest';
  return { source, scope: { by: 'reason', value, reach } };
}
