import type { HintReader } from '../hint/hint.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { WaitField } from './vendor-reader.js';

/** Reads retry-after-ms, which comes before Retry-After then: it says the same, more finely. */
export function retryAfterMs(): HintReader {
  return vendorReader({ name: 'retryAfterMs', waits: [retryAfterMsField] });
}

export const retryAfterMsField: WaitField = {
  name: 'retry-after-ms',
  unit: milliseconds,
  overrules: 'retry-after',
};
