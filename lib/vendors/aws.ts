import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/**
 * AWS: x-amz-retry-after in ms, and the error codes by which services throttle with a 400 or a 503, in the field
 * x-amzn-errortype, in JSON or in XML.
 */
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
  if (answer.status < 400) return undefined;
  const [, inXml] = /<Code>(\w{1,99})</.exec(answer.text) ?? [];
  const places: readonly (readonly [string, unknown])[] = [
    ['x-amzn-errortype', answer.field('x-amzn-errortype')],
    ['body.__type', answer.json('__type')],
    ['body.code', answer.json('code')],
    ['body.Code', inXml],
  ];
  return places.find(([, code]) => isThrottle(code))?.[0];
}

// There may be a namespace and a # before the name, and a colon and an address behind it.
function isThrottle(code: unknown): boolean {
  const [, name = ''] = (typeof code === 'string' && /^(?:[^#:]*#)?(\w+)/.exec(code)) || [];
  return THROTTLES.has(name);
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
