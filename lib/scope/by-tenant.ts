import type { ScopeRequest, ScopeRule } from './scope.js';

/** The tenant, by a request header or a function. Does not apply to a request that names none. */
export function byTenant(source: string | ((request: ScopeRequest) => string | undefined)): ScopeRule {
  const read = typeof source === 'string' ? (request: ScopeRequest) => request.header(source) : source;
  return (request) => {
    const value = read(request);
    return value === undefined || value === '' ? undefined : { by: 'tenant', value, secret: false };
  };
}
