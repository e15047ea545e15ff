import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { retryAfterMsField } from './retry-after-ms.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';

/**
 * Azure, Cosmos DB and Azure OpenAI among it: retry-after-ms, then x-ms-retry-after-ms, then Retry-After; and what
 * Resource Manager says is left.
 */
export function azure(): HintReader {
  return vendorReader(AZURE);
}

// Azure SDK for JavaScript: its throttling strategy reads these in this order, on 429 and 503
const AZURE: Vendor = {
  name: 'azure',
  waits: [retryAfterMsField, { name: 'x-ms-retry-after-ms', unit: milliseconds, overrules: 'retry-after' }],
  quotas: quotasIn,
};

const REMAINING = 'x-ms-ratelimit-remaining-';

// Azure Resource Manager docs: throttling. The list of a resource provider's policies is no count, and not read.
function quotasIn(answer: Answer): readonly QuotaFields[] {
  return answer.namesAfter(REMAINING).flatMap((policy) => {
    const name = REMAINING + policy;
    return /^\d+$/.test(answer.field(name) ?? '') ? [{ policy, remaining: { name }, resets: [] }] : [];
  });
}
