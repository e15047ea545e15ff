import { byOrigin } from './by-origin.js';
import { byRoute } from './by-route.js';
import { byToken } from './by-token.js';
import { combine } from './combine.js';
import type { ScopeRule } from './scope.js';

/** Origin, token and route; then origin and token. */
export const DEFAULT_SCOPES: readonly ScopeRule[] = [
  combine(byOrigin(), byToken(), byRoute()),
  combine(byOrigin(), byToken()),
];
