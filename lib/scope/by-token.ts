import type { ScopePart } from '../model.js';
import { AUTHORITY } from './authority.js';
import type { ScopeRequest, ScopeRule } from './scope.js';

/**
 * The credentials of the request: what `read` finds, else Authorization, `config.auth`, the user of the URL
 * and X-API-Key together. Secret: shown as a running number, or as what `labelOf` gives. A request without
 * credentials has the part `none`, and so a gate of its own.
 */
export function byToken(
  read: (request: ScopeRequest) => string | undefined = credentialsOf,
  labelOf?: (request: ScopeRequest) => string | undefined,
): ScopeRule {
  return (request) => {
    const value = read(request);
    if (value === undefined || value === '') return NO_CREDENTIALS;
    const label = labelOf?.(request);
    return { by: 'token', value, secret: true, ...(label !== undefined && { label }) };
  };
}

const NO_CREDENTIALS: ScopePart = { by: 'token', value: 'none', secret: false };

function credentialsOf(request: ScopeRequest): string | undefined {
  const found = [
    request.header('Authorization'),
    request.auth?.username ?? userOf(request.url),
    request.header('X-API-Key'),
  ];
  // Each at its own place, so that one and the same text as key and as user are two credentials.
  return found.some(Boolean) ? found.join('\n') : undefined;
}

// RFC 3986, 3.2: user info ends at the last "@" before the path, the user at the first ":".
function userOf(url: string): string | undefined {
  return AUTHORITY.exec(url)?.[3]?.split(':', 1)[0];
}
