import { boundedText } from '../hint/bounded-text.js';
import { lineOf } from '../hint/field-members.js';
import type { HintFacts, HintReader, QuotaReading, Reading } from '../hint/hint.js';
import { isFromCache } from '../hint/server-clock.js';
import { parseOlderRateLimit, parseRateLimit, parseRateLimitPolicy } from './limit-fields.js';
import type { LimitItem, Limits, PolicyItem, UnusableLimits } from './limit-fields.js';

/**
 * Reads RateLimit and RateLimit-Policy, in the forms of all drafts so far (0 to 12), and feeds the gates with
 * the quota that is left. On 429 and 503 a quota that is used up is also a wait; Retry-After comes before it.
 * Malformed fields are ignored whole, all of them where a cache has kept the response.
 * What a later draft changes gets a function of its own.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export function rateLimit(): HintReader {
  return readRateLimit;
}

function readRateLimit(facts: HintFacts): readonly Reading[] {
  const told = toldBy(facts);
  if (told === undefined || isFromCache(facts.header('age'))) return [];
  const { limits, ...origin } = told;
  if (limits.kind === 'unusable') {
    return limits.because === 'empty' ? [] : [{ kind: 'malformed', because: 'invalid', ...origin }];
  }
  const policies = policiesIn(facts);
  // Only of these two statuses it is sure that it was a quota that refused.
  const isRefused = facts.status === 429 || facts.status === 503;
  return limits.items.flatMap((item) => {
    const quota = quotaOf(item, policies.get(item.policy), origin);
    return isRefused ? [quota, ...waitFor(item, origin)] : [quota];
  });
}

interface Origin {
  readonly source: string;
  readonly raw: string;
}

interface Told extends Origin {
  readonly limits: Limits | UnusableLimits;
}

function toldBy({ header }: HintFacts): Told | undefined {
  const field = header('ratelimit');
  if (field !== undefined) {
    const list = parseRateLimit(field);
    const isNoList = list.kind === 'unusable' && list.because === 'parse';
    const limits = isNoList ? parseOlderRateLimit(header) : list;
    return { source: 'ratelimit', raw: boundedText(lineOf(field)), limits };
  }
  const remaining = header('ratelimit-remaining');
  if (remaining === undefined) return undefined;
  const reset = header('ratelimit-reset');
  const raw = boundedText(`${lineOf(remaining)}; ${lineOf(reset)}`);
  return {
    source: reset === undefined ? 'ratelimit-remaining' : 'ratelimit-reset',
    raw,
    limits: deltasOf(header),
  };
}

/** GitLab writes seconds since 1970 under this name; as a number of seconds to wait nobody means that. */
function deltasOf(header: HintFacts['header']): Limits | UnusableLimits {
  const limits = parseOlderRateLimit(header);
  const isInstant =
    limits.kind === 'limits' && limits.items.some(({ windowSeconds = 0 }) => windowSeconds >= 1e9);
  return isInstant ? { kind: 'unusable', because: 'constraint' } : limits;
}

function policiesIn({ header }: HintFacts): ReadonlyMap<string | undefined, PolicyItem> {
  const read = parseRateLimitPolicy(header('ratelimit-policy'));
  return new Map(read.kind === 'policies' ? read.items.map((item) => [item.policy, item]) : []);
}

function quotaOf(item: LimitItem, policy: PolicyItem | undefined, origin: Origin): QuotaReading {
  const { available, cost = 0, windowSeconds } = item;
  const limit = item.limit ?? policy?.quota;
  const resetMs = wholeMs(windowSeconds);
  const windowMs = wholeMs(policy?.windowSeconds);
  return {
    kind: 'quota',
    ...origin,
    // What one request took, the next is taken to take as well.
    remaining: cost > 1 ? Math.floor(available / cost) : available,
    ...(item.policy !== undefined && { policy: boundedText(item.policy) }),
    ...(limit !== undefined && { limit }),
    ...(resetMs !== undefined && { resetMs }),
    ...(windowMs !== undefined && { windowMs }),
  };
}

function waitFor({ available, windowSeconds }: LimitItem, origin: Origin): readonly Reading[] {
  if (available > 0 || windowSeconds === undefined) return [];
  const delayMs = wholeMs(windowSeconds);
  if (delayMs === undefined) return [{ kind: 'overflow', ...origin }];
  return [{ kind: 'hint', hint: { ...origin, form: 'seconds', delayMs, clock: 'none' } }];
}

/** Fifteen digits of seconds are more ms than can be told apart. */
function wholeMs(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds * 1000 > Number.MAX_SAFE_INTEGER ? undefined : seconds * 1000;
}
