import { isObject } from '../option-checks.js';

interface HeaderMap {
  get(name: string): unknown;
}

/**
 * A header by its name in any case. Adapters of others give plain objects where axios' own give AxiosHeaders;
 * several lines come as a list or joined, as the transport presents them.
 */
export function headerOf(headers: unknown, name: string): string | readonly string[] | undefined {
  if (!isObject(headers)) return undefined;
  const value: unknown = isHeaderMap(headers) ? headers.get(name) : headers[keysOf(headers, name)[0] ?? ''];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** The same as one line: several are joined as RFC 9110 5.3 joins them. */
export function lineOf(headers: unknown, name: string): string | undefined {
  const value = headerOf(headers, name);
  return typeof value === 'object' ? value.join(', ') : value;
}

/** Takes a header out of a plain object, whatever the case of its name. */
export function stripHeader(headers: Record<string, unknown>, name: string): void {
  for (const key of keysOf(headers, name)) Reflect.deleteProperty(headers, key);
}

/**
 * Whether all that can be seen is what a browser always shows (the CORS-safelisted response headers of
 * Fetch): then a missing header may have been sent and hidden. A server's own answer has at least a Date.
 */
export function onlySafelisted(headers: unknown): boolean {
  const names = headerNamesOf(headers);
  return names.length > 0 && names.every((name) => SAFELISTED.test(name));
}

/** In small letters. */
export function headerNamesOf(headers: unknown): readonly string[] {
  return Object.keys(isObject(headers) ? headers : {}).map((name) => name.toLowerCase());
}

const SAFELISTED = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/;

function isHeaderMap(headers: object): headers is HeaderMap {
  return 'get' in headers && typeof headers.get === 'function';
}

function keysOf(headers: object, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return Object.keys(headers).filter((key) => key.toLowerCase() === wanted);
}
