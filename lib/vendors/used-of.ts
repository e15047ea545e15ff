import type { QuotaFields } from './vendor-reader.js';

/** The quota in a field such as `32/40`, or `api-usage=18/5000` with the limits of others beside it. */
export function usedOf(name: string): Pick<QuotaFields, 'remaining' | 'limit'> {
  const part = (count: (used: number, limit: number) => number): QuotaFields['remaining'] => ({
    name,
    text: (answer) => {
      const [found, used, limit] = USED_OF.exec(answer.field(name) ?? '') ?? [];
      return found === undefined ? undefined : String(count(Number(used), Number(limit)));
    },
  });
  return { remaining: part((used, limit) => Math.max(0, limit - used)), limit: part((_, limit) => limit) };
}

const USED_OF = /(?:^|, *)(?:api-usage=)?(\d{1,15})\/(\d{1,15})/;
