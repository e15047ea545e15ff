interface HeaderMap {
  get(name: string): unknown;
}

/**
 * A header by its name in any case. Adapters of others give plain objects where axios' own give AxiosHeaders;
 * several lines come as a list or joined, as the transport presents them.
 */
export function headerOf(headers: unknown, name: string): string | readonly string[] | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value = isHeaderMap(headers) ? headers.get(name) : plainHeaderOf(headers, name);
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
  const wanted = name.toLowerCase();
  for (const key of Object.keys(headers))
    if (key.toLowerCase() === wanted) Reflect.deleteProperty(headers, key);
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
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.keys(headers).map((name) => name.toLowerCase());
}

const SAFELISTED = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/;

function isHeaderMap(headers: object): headers is HeaderMap {
  return 'get' in headers && typeof headers.get === 'function';
}

function plainHeaderOf(headers: object, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
}
