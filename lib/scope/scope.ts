import type { InternalAxiosRequestConfig } from 'axios';
import type { Scope, ScopePart } from '../model.js';

/** What a rule may look at: the request as it will be sent. */
export interface ScopeRequest {
  /** Upper case. */
  readonly method: string;
  /** In full, without params; may be relative. */
  readonly url: string;
  /** The request's own word for its route. */
  readonly route?: string | undefined;
  readonly auth?: { readonly username?: string; readonly password?: string } | undefined;
  readonly config: Readonly<InternalAxiosRequestConfig>;
  /** The value of a request header, by its name in any case. */
  header(name: string): string | undefined;
}

/** Names the scope of a request. `undefined`, or an empty text, says that the rule does not apply to it. */
export type ScopeRule = (request: ScopeRequest) => ScopePart | Scope | string | undefined;

/** The scopes of a request, in the order of the rules (narrow to wide), each once; empty when no rule applies. */
export function scopesOf(rules: readonly ScopeRule[], request: ScopeRequest): readonly Scope[] {
  const scopes: Scope[] = [];
  for (const rule of rules) {
    const scope = scopeOf(rule, request);
    if (scope.length > 0 && !scopes.some((known) => isSameScope(known, scope))) scopes.push(scope);
  }
  return scopes;
}

/** The parts that one rule gives; none when it does not apply. */
export function scopeOf(rule: ScopeRule, request: ScopeRequest): Scope {
  const given = rule(request);
  if (given === undefined || given === '') return [];
  if (typeof given === 'string') return [{ by: 'own', value: given, secret: false }];
  return isScope(given) ? given : [given];
}

function isScope(given: ScopePart | Scope): given is Scope {
  return Array.isArray(given);
}

/** Equal scopes in equal order: the same gates. */
export function areSameScopes(a: readonly Scope[], b: readonly Scope[]): boolean {
  return a.length === b.length && a.every((scope, at) => isSameScope(scope, b[at] ?? []));
}

function isSameScope(a: Scope, b: Scope): boolean {
  return a.length === b.length && a.every((part, at) => isSamePart(part, b[at]));
}

function isSamePart(a: ScopePart, b: ScopePart | undefined): boolean {
  return a.by === b?.by && a.value === b.value && a.secret === b.secret;
}
