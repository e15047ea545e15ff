import type { InternalAxiosRequestConfig } from 'axios';

/** The key of another retry package at work on this request: what both repeat is multiplied. */
export function otherRetriesIn(config: InternalAxiosRequestConfig): string | undefined {
  const found = config as {
    readonly 'axios-retry'?: { readonly retryCount?: unknown };
    readonly raxConfig?: unknown;
  };
  // axios-retry counts in its key from the first request on; options of a request alone repeat nothing.
  if (found['axios-retry']?.retryCount !== undefined) return 'axios-retry';
  return found.raxConfig === undefined ? undefined : 'raxConfig';
}
