import type { HintReader } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { milliseconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Field, Vendor } from './vendor-reader.js';

/** Spring Cloud Gateway: no time, but the tokens that are left, what a request takes, and how fast they come back. */
export function springCloudGateway(): HintReader {
  return vendorReader(SPRING_CLOUD_GATEWAY);
}

// Spring Cloud Gateway docs: RedisRateLimiter
const SPRING_CLOUD_GATEWAY: Vendor = {
  name: 'springCloudGateway',
  quotas: [
    {
      remaining: inRequests('x-ratelimit-remaining'),
      limit: inRequests('x-ratelimit-burst-capacity'),
      resets: [{ name: 'x-ratelimit-replenish-rate', text: refillMsOf, unit: milliseconds }],
    },
  ],
};

function inRequests(name: string): Field {
  return {
    name,
    text: (answer) => {
      const requests = Math.floor(tokensIn(answer, name) / requestedIn(answer));
      return requests >= 0 ? String(requests) : undefined;
    },
  };
}

function refillMsOf(answer: Answer): string | undefined {
  const missing = requestedIn(answer) - tokensIn(answer, 'x-ratelimit-remaining');
  const waitMs = Math.ceil((missing / tokensIn(answer, 'x-ratelimit-replenish-rate')) * 1000);
  return waitMs >= 0 && waitMs < Infinity ? String(waitMs) : undefined;
}

function requestedIn(answer: Answer): number {
  return tokensIn(answer, 'x-ratelimit-requested-tokens') || 1;
}

// A limiter whose store is down tells -1.
function tokensIn(answer: Answer, name: string): number {
  const field = answer.field(name) ?? '';
  return /^\d+$/.test(field) ? Number(field) : NaN;
}
