import { ROUNDED_TO_MS } from './figures.js';
import type { QuotaNews } from './ticket.js';

/** What a server said is left of one quota. */
export interface Quota {
  /** What it said, and what is left of that after all that it may not have counted. */
  readonly remaining: number;
  readonly left: number;
  /** How long it is true. */
  readonly untilMonoMs: number;
  /** When it is renewed, as near as can be told. */
  readonly renewedMonoMs: number;
  /** When the exchange was sent whose answer said so. */
  readonly saidToMonoMs: number;
}

interface Observed {
  readonly news: readonly QuotaNews[];
  readonly receivedMonoMs: number;
  readonly sentMonoMs: number;
  /** The server may or may not have counted these: they are taken for uncounted. */
  readonly inFlight: number;
  /** This client's part of what is left. */
  readonly share: number;
}

/** The quotas after an answer. */
export function quotasAfter(before: readonly Quota[], observed: Observed): readonly Quota[] {
  const { sentMonoMs, share, inFlight } = observed;
  const leftOf = (remaining: number): number => Math.floor(remaining * share) - inFlight;
  // Without a word on its end a quota cannot be waited for.
  const news = observed.news.filter(({ resetMs, windowMs }) => (resetMs ?? windowMs) !== undefined);
  // An answer that a later one overtook was served before or after it: the smaller of two numbers is safe.
  if (before.some((quota, at) => isOvertaken(quota, news[at], sentMonoMs)))
    return before.map((quota, at) => {
      const remaining = Math.min(news[at]?.remaining ?? quota.remaining, quota.remaining);
      return { ...quota, remaining, left: Math.min(leftOf(remaining), quota.left) };
    });
  return news.map((one, at) => {
    const { remaining } = one;
    const untilMonoMs = observed.receivedMonoMs + (one.resetMs ?? one.windowMs ?? 0);
    return {
      remaining,
      left: leftOf(remaining),
      untilMonoMs,
      renewedMonoMs: renewalOf(one, before[at], untilMonoMs),
      saidToMonoMs: sentMonoMs,
    };
  });
}

/** Of those sent in one go the server tells the order: what is left can only become less. */
function isOvertaken(quota: Quota, news: QuotaNews | undefined, sentMonoMs: number): boolean {
  if (quota.saidToMonoMs !== sentMonoMs) return quota.saidToMonoMs > sentMonoMs;
  return news !== undefined && news.remaining > quota.remaining;
}

/**
 * Servers round up to whole seconds: what was said earlier of the same window, or follows from the one
 * before and the length, is nearer to its end than what is said now.
 */
function renewalOf({ windowMs = 0 }: QuotaNews, before: Quota | undefined, untilMonoMs: number): number {
  if (before === undefined) return untilMonoMs;
  const aheadMs = untilMonoMs - before.renewedMonoMs;
  const windows = windowMs > 0 ? Math.max(0, Math.floor(aheadMs / windowMs)) : 0;
  const nearerMonoMs = before.renewedMonoMs + windows * windowMs;
  const isSame = nearerMonoMs <= untilMonoMs && nearerMonoMs > untilMonoMs - ROUNDED_TO_MS;
  return isSame ? nearerMonoMs : untilMonoMs;
}

export function quotasAfterSending(quotas: readonly Quota[]): readonly Quota[] {
  return quotas.map((quota) => ({ ...quota, left: quota.left - 1 }));
}

/**
 * The quota that is used up and lasts longest. With nothing in flight, one more may go where the server spoke
 * of some: what was taken for uncounted may have been counted after all, and its answer will tell.
 */
export function spentQuota(quotas: readonly Quota[], nowMonoMs: number, inFlight: number): Quota | undefined {
  const spent = quotas.filter(
    (quota) => quota.left <= 0 && quota.untilMonoMs > nowMonoMs && (quota.remaining <= 0 || inFlight > 0),
  );
  return spent.sort((a, b) => b.renewedMonoMs - a.renewedMonoMs)[0];
}
