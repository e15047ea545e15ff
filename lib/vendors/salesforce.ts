import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { usedOf } from './used-of.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Salesforce: sforce-limit-info, and a 403 whose body says REQUEST_LIMIT_EXCEEDED. No time. Counted by organization. */
export function salesforce(): HintReader {
  return vendorReader(SALESFORCE);
}

// Salesforce docs: API request limits
const SALESFORCE: Vendor = {
  name: 'salesforce',
  quotas: [{ policy: 'api-usage', ...usedOf('sforce-limit-info'), resets: [] }],
  limit: (answer) => (isExceeded(answer) ? 'body.errorCode' : undefined),
  scope: () => ({
    source: 'body.errorCode',
    scope: { by: 'limit', value: 'organization', reach: 'widest' },
  }),
};

function isExceeded(answer: Answer): boolean {
  return answer.status === 403 && answer.all('*', 'errorCode').includes('REQUEST_LIMIT_EXCEEDED');
}
