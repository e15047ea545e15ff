import { AUTHORITY, parsedUrl } from './authority.js';
import type { ScopeRule } from './scope.js';

/**
 * Scheme, host and port of the request: host in lower case, default port and user info left out. A relative
 * URL belongs to the origin of the page, and without a page to `relative:`.
 */
export function byOrigin(): ScopeRule {
  return ({ url }) => ({ by: 'origin', value: originOf(url), secret: false });
}

function originOf(url: string): string {
  const base = pageOrigin();
  const parsed = parsedUrl(url, base);
  if (parsed === undefined) return base ?? RELATIVE;
  try {
    // Schemes without a host, such as data: and file:, have the opaque origin "null".
    return parsed.origin === OPAQUE ? parsed.protocol : parsed.origin;
  } catch {
    // Older React Native has a URL that parses nothing and throws when it is asked for its parts.
    return writtenOrigin(url) ?? RELATIVE;
  }
}

function writtenOrigin(url: string): string | undefined {
  const [, , scheme = '', , host = ''] = AUTHORITY.exec(url) ?? [];
  return host === '' ? undefined : `${scheme}//${host}`.toLowerCase();
}

const RELATIVE = 'relative:';
const OPAQUE = 'null';

/** Of the page that this runs in, where there is one. */
export function pageOrigin(): string | undefined {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
  return origin === OPAQUE ? undefined : origin;
}
