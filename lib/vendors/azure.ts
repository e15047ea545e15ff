import type { HintReader } from '../hint/hint.js';
import { retryAfterMsField } from './retry-after-ms.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Azure, Cosmos DB and Azure OpenAI among it: retry-after-ms, then x-ms-retry-after-ms, then Retry-After. */
export function azure(): HintReader {
  return vendorReader(AZURE);
}

// Azure SDK for JavaScript: its throttling strategy reads these in this order, on 429 and 503
const AZURE: Vendor = {
  name: 'azure',
  waits: [retryAfterMsField, { name: 'x-ms-retry-after-ms', unit: milliseconds, overrules: 'retry-after' }],
};
