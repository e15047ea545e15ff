// Contents page of `axios-heed/rate-limit`.
export { rateLimit } from './rate-limit.js';
export { parseOlderRateLimit, parseRateLimit, parseRateLimitPolicy } from './limit-fields.js';
export type {
  LimitDialect,
  LimitItem,
  Limits,
  Policies,
  PolicyItem,
  UnusableLimits,
} from './limit-fields.js';
