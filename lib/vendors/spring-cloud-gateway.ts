import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Vendor } from './vendor-reader.js';

/** Spring Cloud Gateway: no time, but what is missing and how fast it comes back. */
export function springCloudGateway(): HintReader {
  return vendorReader(SPRING_CLOUD_GATEWAY);
}

// Spring Cloud Gateway docs: RedisRateLimiter
const SPRING_CLOUD_GATEWAY: Vendor = {
  name: 'springCloudGateway',
  waits: [{ name: 'x-ratelimit-replenish-rate', text: refillMsOf, unit: milliseconds }],
};

function refillMsOf(answer: Answer): string | undefined {
  const [remaining, requested, perSecond] = ['remaining', 'requested-tokens', 'replenish-rate'].map((name) =>
    Number(answer.field(`x-ratelimit-${name}`) ?? NaN),
  ) as [number, number, number];
  const waitMs = Math.ceil(((requested - remaining) / perSecond) * 1000);
  return waitMs >= 0 ? String(waitMs) : undefined;
}
