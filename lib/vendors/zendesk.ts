import type { HintReader } from '../hint/hint.js';
import { withoutOws } from '../hint/white-space.js';
import type { Answer } from './answer.js';
import { seconds } from './units.js';
import { vendorReader } from './vendor-reader.js';
import type { Field, QuotaFields, ScopeField, Vendor } from './vendor-reader.js';

/** Zendesk: the quota of the account, and those of endpoints in a notation of their own. */
export function zendesk(): HintReader {
  return vendorReader(ZENDESK);
}

// Zendesk docs: rate limits
const ZENDESK: Vendor = {
  name: 'zendesk',
  quotas: (answer) => [accountIn(answer), ...endpointsIn(answer).map(quotaOf)],
  scope: scopeOf,
};

const ACCOUNT: QuotaFields = {
  policy: 'account',
  remaining: { name: 'ratelimit-remaining' },
  limit: { name: 'ratelimit-limit' },
  resets: [{ name: 'ratelimit-reset', unit: seconds }],
};

// These have no end of their own.
const OLDER: QuotaFields = {
  ...ACCOUNT,
  remaining: { name: 'x-rate-limit-remaining' },
  limit: { name: 'x-rate-limit' },
};

function accountIn(answer: Answer): QuotaFields {
  return answer.field(ACCOUNT.remaining.name) === undefined ? OLDER : ACCOUNT;
}

const ENDPOINT = 'zendesk-ratelimit-';

function endpointsIn(answer: Answer): readonly string[] {
  return answer.namesAfter(ENDPOINT);
}

/** `total=100; remaining=99; resets=41` */
function quotaOf(policy: string): QuotaFields {
  const name = ENDPOINT + policy;
  const part = (key: string): Field => ({ name, text: (answer) => partOf(answer.field(name), key) });
  return {
    policy,
    remaining: part('remaining'),
    limit: part('total'),
    resets: [{ ...part('resets'), unit: seconds }],
  };
}

function partOf(field: string | undefined, key: string): string | undefined {
  const parts = (field ?? '').split(';').map((part) => withoutOws(part).split('='));
  return parts.find(([name]) => name === key)?.[1];
}

function scopeOf(answer: Answer): ScopeField | undefined {
  const account = accountIn(answer).remaining.name;
  if (answer.field(account) === '0') {
    return { source: account, scope: { by: 'limit', value: 'account', reach: 'widest' } };
  }
  const value = endpointsIn(answer).find(
    (name) => partOf(answer.field(ENDPOINT + name), 'remaining') === '0',
  );
  if (value === undefined) return undefined;
  return { source: ENDPOINT + value, scope: { by: 'endpoint', value, reach: 'narrowest' } };
}
