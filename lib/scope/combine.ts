import { scopeOf } from './scope.js';
import type { ScopePart } from '../model.js';
import type { ScopeRule } from './scope.js';

/**
 * One scope of several parts: a limit that a server counts by all of them together, such as token and route.
 * Does not apply to a request to which one of its rules does not apply: without that part the scope would
 * be a wider one, and a limit would hold requests that it does not concern.
 */
export function combine(...rules: readonly ScopeRule[]): ScopeRule {
  return (request) => {
    const parts: ScopePart[] = [];
    for (const rule of rules) {
      const scope = scopeOf(rule, request);
      if (scope.length === 0) return undefined;
      parts.push(...scope);
    }
    return parts;
  };
}
