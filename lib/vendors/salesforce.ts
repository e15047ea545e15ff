import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Salesforce: a 403 whose body says REQUEST_LIMIT_EXCEEDED. It sends no time. Counted by organization. */
export function salesforce(): HintReader {
  return vendorReader(SALESFORCE);
}

// Salesforce docs: API request limits
const SALESFORCE: Vendor = {
  name: 'salesforce',
  limit: (answer) => (isExceeded(answer) ? 'body.errorCode' : undefined),
  scope: () => ({
    source: 'body.errorCode',
    scope: { by: 'limit', value: 'organization', reach: 'widest' },
  }),
};

function isExceeded(answer: Answer): boolean {
  return answer.status === 403 && answer.json(0, 'errorCode') === 'REQUEST_LIMIT_EXCEEDED';
}
