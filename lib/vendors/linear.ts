import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { epochMilliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';

/** Linear: a 400 whose body says RATELIMITED, and ms since 1970. Counted by user or application. */
export function linear(): HintReader {
  return vendorReader(LINEAR);
}

const quota = (policy: string): QuotaFields => ({
  policy,
  remaining: { name: `x-ratelimit-${policy}-remaining` },
  limit: { name: `x-ratelimit-${policy}-limit` },
  resets: [{ name: `x-ratelimit-${policy}-reset`, unit: epochMilliseconds }],
});

const POLICIES = ['requests', 'complexity', 'endpoint-requests'];

// Linear docs: rate limiting
const LINEAR: Vendor = {
  name: 'linear',
  quotas: POLICIES.map(quota),
  limit: limitOf,
};

// Without a body to read, what is left decides.
function limitOf(answer: Answer): string | undefined {
  if (answer.status !== 400) return undefined;
  const codes = answer.all('errors', '*', 'extensions', 'code');
  if (codes.includes('RATELIMITED')) return 'body.errors';
  if (codes.some((code) => code !== undefined)) return undefined;
  return POLICIES.map((policy) => `x-ratelimit-${policy}-remaining`).find(
    (name) => answer.field(name) === '0',
  );
}
