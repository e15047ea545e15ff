import type { QuotaNews } from './ticket.js';

/** What a server said is left of one quota, less what was sent since. */
export interface Quota {
  readonly left: number;
  readonly untilMonoMs: number;
  /** When the exchange was sent whose answer said so. */
  readonly saidToMonoMs: number;
}

interface Observed {
  readonly news: readonly QuotaNews[];
  readonly receivedMonoMs: number;
  readonly sentMonoMs: number;
  /** The server may or may not have counted these: they are taken for uncounted. */
  readonly inFlight: number;
}

/** The quotas after an answer. Answers that overtook each other do not bring older news back. */
export function quotasAfter(before: readonly Quota[], observed: Observed): readonly Quota[] {
  if (before.some(({ saidToMonoMs }) => saidToMonoMs > observed.sentMonoMs)) return before;
  return observed.news.flatMap(({ remaining, resetMs, windowMs }) => {
    const validMs = resetMs ?? windowMs;
    // Without a word on its end a quota cannot be waited for.
    if (validMs === undefined) return [];
    return {
      left: remaining - observed.inFlight,
      untilMonoMs: observed.receivedMonoMs + validMs,
      saidToMonoMs: observed.sentMonoMs,
    };
  });
}

export function quotasAfterSending(quotas: readonly Quota[]): readonly Quota[] {
  return quotas.length === 0 ? quotas : quotas.map((quota) => ({ ...quota, left: quota.left - 1 }));
}

/** The quota that is used up and lasts longest; undefined when something is left of each. */
export function spentQuota(quotas: readonly Quota[], nowMonoMs: number): Quota | undefined {
  return quotas
    .filter(({ left, untilMonoMs }) => left <= 0 && untilMonoMs > nowMonoMs)
    .reduce<Quota | undefined>(
      (latest, one) => (latest !== undefined && latest.untilMonoMs >= one.untilMonoMs ? latest : one),
      undefined,
    );
}
