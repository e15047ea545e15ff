import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { goDuration } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Google APIs: the RetryInfo among the details of an error body, such as `30.5s`. */
export function google(): HintReader {
  return vendorReader(GOOGLE);
}

// Google AIP-193 and google.rpc.RetryInfo; protobuf writes a Duration as decimal seconds and an s
const GOOGLE: Vendor = {
  name: 'google',
  waits: [{ name: 'body.RetryInfo', text: retryDelayIn, unit: goDuration }],
};

function retryDelayIn(answer: Answer): string | undefined {
  const details = answer.json('error', 'details');
  if (!Array.isArray(details)) return undefined;
  const at = details.findIndex((_, index) => answer.json('error', 'details', index, '@type') === RETRY_INFO);
  const delay = answer.json('error', 'details', at, 'retryDelay');
  return typeof delay === 'string' ? delay : undefined;
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
