import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { fractionalSeconds } from './fractional-seconds.js';
import { milliseconds } from './units.js';
import { usedOf } from './used-of.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/**
 * Shopify. REST: Retry-After in decimal seconds, and what is in the bucket. GraphQL: a 200 whose body says
 * THROTTLED; the wait is until the bucket holds what the query costs. Counted by app and shop.
 */
export function shopify(): HintReader {
  const readers = [fractionalSeconds(), vendorReader(SHOPIFY)];
  return function shopify(facts) {
    return readers.flatMap((read) => read(facts));
  };
}

// Shopify docs: API limits
const SHOPIFY: Vendor = {
  name: 'shopify',
  waits: [{ name: 'extensions.cost', text: refillMsOf, unit: milliseconds }],
  quotas: [{ ...usedOf('x-shopify-shop-api-call-limit'), resets: [] }],
  limit: (answer) => (isThrottled(answer) ? 'body.errors' : undefined),
};

// An answer with data is one, whatever went wrong beside it.
function isThrottled(answer: Answer): boolean {
  return (
    (answer.status === 200 || answer.status === 429) &&
    answer.mentions('"THROTTLED"') &&
    answer.all('errors', '*', 'extensions', 'code').includes('THROTTLED') &&
    (answer.json('data') ?? undefined) === undefined
  );
}

function refillMsOf(answer: Answer): string | undefined {
  if (!isThrottled(answer)) return undefined;
  const cost = Number(answer.json('extensions', 'cost', 'requestedQueryCost'));
  const available = Number(answer.json('extensions', 'cost', 'throttleStatus', 'currentlyAvailable'));
  const perSecond = Number(answer.json('extensions', 'cost', 'throttleStatus', 'restoreRate'));
  const waitMs = Math.ceil(((cost - available) / perSecond) * 1000);
  return waitMs >= 0 ? String(waitMs) : undefined;
}
