import type { InternalAxiosRequestConfig } from 'axios';

const KEYS = ['axios-retry', 'raxConfig'] as const;

/** The key of another retry package at work on this request: what both repeat is multiplied. */
export function otherRetriesIn(config: InternalAxiosRequestConfig): string | undefined {
  return KEYS.find((key) => key in config);
}
