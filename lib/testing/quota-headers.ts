import type { QuotaLeft } from './quota-model.js';

/** The dialect in which a server tells its quota: RateLimit fields (draft 10), the older X- names, or not. */
export type QuotaDialect = 'none' | 'ratelimit' | 'x-ratelimit';

/** The header fields that tell a quota at a wall instant. */
export function quotaHeaders(
  quota: QuotaLeft,
  dialect: QuotaDialect,
  nowEpochMs: number,
): Record<string, string> {
  const { limit, windowMs, remaining, resetMs } = quota;
  const resetSeconds = Math.ceil(resetMs / 1000);
  switch (dialect) {
    case 'none':
      return {};
    case 'ratelimit':
      return {
        ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
        'ratelimit-policy': `"default";q=${limit};w=${Math.ceil(windowMs / 1000)}`,
      };
    case 'x-ratelimit':
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil((nowEpochMs + resetMs) / 1000)),
      };
  }
}
