import type { InternalAxiosRequestConfig } from 'axios';
import { boundedText } from '../hint/bounded-text.js';
import { noAnswer } from '../policy/no-answer.js';
import { AUTHORITY, parsedUrl } from '../scope/authority.js';
import { byOrigin } from '../scope/by-origin.js';
import { byRoute } from '../scope/by-route.js';
import { scopeOf } from '../scope/scope.js';
import type { Scope, ScopePart } from '../model.js';
import type { ScopeRequest, ScopeRule } from '../scope/scope.js';
import { lineOf } from './headers.js';

/** Where a request goes, as scopes, journal and messages may see it. */
export interface RequestTarget {
  /** Upper case. */
  readonly method: string;
  /** In full, user info included, without query and fragment; the path masked. */
  readonly url: string;
}

export type MaskPath = (path: string) => string;

export function targetOf(config: InternalAxiosRequestConfig, maskPath: MaskPath | undefined): RequestTarget {
  const [url = ''] = tidied(fullUrl(config)).split(/[?#]/, 1);
  const method = methodOf(config);
  if (maskPath === undefined) return { method, url };
  const authority = AUTHORITY.exec(url)?.[0] ?? '';
  const masked: unknown = maskPath(url.slice(authority.length));
  if (typeof masked !== 'string') throw noAnswer('maskPath', 'a path', masked);
  return { method, url: authority + masked };
}

/** Upper case, whatever came. */
export function methodOf({ method = 'get' }: InternalAxiosRequestConfig): string {
  return method.toUpperCase();
}

/** Without user info. */
export function shownUrl({ url }: Pick<RequestTarget, 'url'>): string {
  return url.replace(AUTHORITY, '$1$4');
}

/** Where a request of this config goes to. */
export function originOf(config: InternalAxiosRequestConfig): string {
  return AUTHORITY.exec(shownUrl(targetOf(config, undefined)))?.[0].toLowerCase() ?? '';
}

/** Method and URL for a message, in one bounded line. */
export function shownTarget(target: RequestTarget): string {
  return boundedText(`${target.method} ${shownUrl(target)}`);
}

/** Origin and route template for the journal: what the scopes have found already, where they have. */
export function placeOf(
  scopes: readonly Scope[],
  request: { scopeRequest(): ScopeRequest; readonly target: RequestTarget },
): { readonly origin: string; readonly route: string } {
  const found = scopes.flat();
  const valueOf = (rule: ScopeRule, name: string): string => {
    const isMeant = ({ by, secret }: ScopePart): boolean => by === name && !secret;
    return (found.find(isMeant) ?? scopeOf(rule, request.scopeRequest()).find(isMeant))?.value ?? '';
  };
  const route = valueOf(ROUTE, 'route').slice(request.target.method.length + 1);
  return { origin: valueOf(ORIGIN, 'origin'), route };
}

const ORIGIN = byOrigin();
const ROUTE = byRoute();

/** What scope rules look at: the request as it will be sent. */
export function scopeRequestOf(config: InternalAxiosRequestConfig, target: RequestTarget): ScopeRequest {
  const { auth, headers, heed } = config;
  const route = heed === false ? undefined : heed?.route;
  // Named one by one: a spread costs a happy request some microseconds here.
  const { method, url } = target;
  return { method, url, config, auth, route, header: (name) => lineOf(headers, name) };
}

/** As axios joins them: `url` under `baseURL`, unless it is absolute and may be. */
function fullUrl(config: InternalAxiosRequestConfig): string {
  const [base, url] = [textOf(config.baseURL), textOf(config.url)];
  if (base === '' || (AUTHORITY.test(url) && config.allowAbsoluteUrls !== false)) return url;
  return url === '' ? base : `${base.replace(/\/?\/$/, '')}/${url.replace(/^\/+/, '')}`;
}

// A URL object and `null` come too, whatever the types say.
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  return part instanceof URL ? part.href : '';
}

/**
 * As the URL parser would read it: blanks around and line breaks within do not count, and a scheme needs no two
 * slashes. A password must not be shown because it stands in a URL that is written in an odd way.
 */
function tidied(url: string): string {
  if (!ODD.test(url)) return url;
  return parsedUrl(url)?.href ?? url.replace(/[^!-~]/g, '').replace(/[^/\\]*@/, '');
}

// eslint-disable-next-line no-control-regex -- the very characters that the URL parser drops
const ODD = /[\u0000-\u0020]|^[a-z][a-z\d+.-]*:(?!\/\/[^/\\])|^[\\/]*\\/i;
