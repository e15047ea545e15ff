import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** AWS: x-amz-retry-after in ms, and the error types by which services throttle with a 400 or a 503. */
export function aws(): HintReader {
  return vendorReader(AWS);
}

// AWS SDKs: retry behaviour, the error codes that are taken for throttling
const AWS: Vendor = {
  name: 'aws',
  waits: [{ name: 'x-amz-retry-after', unit: milliseconds, overrules: 'retry-after' }],
  limit: limitOf,
};

function limitOf(answer: Answer): string | undefined {
  // The type may come with a colon and an address behind it.
  const [type = ''] = answer.status < 400 ? [] : (answer.field('x-amzn-errortype') ?? '').split(':', 1);
  return THROTTLES.has(type) ? 'x-amzn-errortype' : undefined;
}

const THROTTLES: ReadonlySet<string> = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);
