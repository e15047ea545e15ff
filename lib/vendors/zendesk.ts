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
  quotas: (answer) => [ACCOUNT, ...endpointsIn(answer).map(quotaOf)],
  scope: scopeOf,
};

const ACCOUNT: QuotaFields = {
  policy: 'account',
  remaining: { name: 'ratelimit-remaining' },
  limit: { name: 'ratelimit-limit' },
  resets: [{ name: 'ratelimit-reset', unit: seconds }],
};

const ENDPOINT = 'zendesk-ratelimit-';

function endpointsIn(answer: Answer): readonly string[] {
  return answer.fieldNames.filter((name) => name.startsWith(ENDPOINT));
}

/** `total=100; remaining=99; resets=41` */
function quotaOf(name: string): QuotaFields {
  const part = (key: string): Field => ({ name, text: (answer) => partOf(answer.field(name), key) });
  return {
    policy: name.slice(ENDPOINT.length),
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
  if (answer.field('ratelimit-remaining') === '0') {
    return { source: 'ratelimit-remaining', scope: { by: 'limit', value: 'account', reach: 'widest' } };
  }
  const source = endpointsIn(answer).find((name) => partOf(answer.field(name), 'remaining') === '0');
  if (source === undefined) return undefined;
  return { source, scope: { by: 'endpoint', value: source.slice(ENDPOINT.length), reach: 'narrowest' } };
}
