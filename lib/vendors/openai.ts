import type { HintReader, VerdictReading } from '../hint/hint.js';
import type { Answer } from './answer.js';
import { goDuration } from './units.js';
import { retryAfterMsField } from './retry-after-ms.js';
import { vendorReader } from './vendor-reader.js';
import type { QuotaFields, Vendor } from './vendor-reader.js';
import { shouldRetry } from './verdicts.js';

/**
 * OpenAI, and Groq, which has the same fields: retry-after-ms comes before Retry-After, quotas of requests
 * and tokens are renewed after Go durations, x-should-retry is the server's own word, and a 429
 * `insufficient_quota` is for good. Counted by project and model.
 */
export function openai(): HintReader {
  return vendorReader(OPENAI);
}

const quota = (policy: string): QuotaFields => ({
  policy,
  remaining: { name: `x-ratelimit-remaining-${policy}` },
  limit: { name: `x-ratelimit-limit-${policy}` },
  resets: [{ name: `x-ratelimit-reset-${policy}`, unit: goDuration }],
});

// OpenAI docs: rate limits in headers, error codes; openai-node for retry-after-ms and x-should-retry; Groq docs
const OPENAI: Vendor = {
  name: 'openai',
  waits: [retryAfterMsField],
  quotas: [quota('requests'), quota('tokens'), quota('project-tokens')],
  verdicts: [shouldRetry('x-should-retry'), isSpentForGood],
};

function isSpentForGood(answer: Answer): VerdictReading | undefined {
  if (answer.status !== 429) return undefined;
  const raw = 'insufficient_quota';
  const place = ['code', 'type'].find((name) => answer.all('*', 'error', name).includes(raw));
  return place === undefined
    ? undefined
    : { kind: 'verdict', verdict: 'final', source: `body.error.${place}`, raw };
}
