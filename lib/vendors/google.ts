import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { goDuration } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Google APIs: the RetryInfo among the details of an error body, or of a list of them, such as `30.5s`. */
export function google(): HintReader {
  return vendorReader(GOOGLE);
}

// Google AIP-193 and google.rpc.RetryInfo; protobuf writes a Duration as decimal seconds and an s
const GOOGLE: Vendor = {
  name: 'google',
  waits: [{ name: 'body.RetryInfo', text: retryDelayIn, unit: goDuration }],
};

function retryDelayIn(answer: Answer): string | undefined {
  const inDetails = (name: string): readonly unknown[] => answer.all('*', 'error', 'details', '*', name);
  const types = inDetails('@type');
  const delays = inDetails('retryDelay').filter((_, at) => types[at] === RETRY_INFO);
  return delays.find((delay) => typeof delay === 'string');
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
