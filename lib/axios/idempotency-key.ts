import type { InternalAxiosRequestConfig } from 'axios';
import { HeedOptionsError, isKey } from '../option-checks.js';
import type { HeedPolicy, KeySource, KeyTerms } from '../options.js';
import { hush } from '../policy/no-answer.js';
import { parsedUrl } from '../scope/authority.js';
import type { CallOptions } from './call.js';
import { lineOf, stripHeader } from './headers.js';

/** The header by which a request is known again. */
export interface IdempotencyKey {
  readonly header: string;
  /** A key would be there, if this were not only observed. */
  readonly assumed: boolean;
}

/**
 * Writes the key of one operation into the headers of its config, so that the config keeps it when it is
 * issued again. What stands there stays; the request's own option comes before the policy's.
 * @throws HeedOptionsError for what is no key, and where the platform has no source of random numbers
 */
export function writeKey(
  config: InternalAxiosRequestConfig,
  { idempotencyKey, mode }: HeedPolicy,
  { own, bare }: CallOptions,
): IdempotencyKey {
  if (bare) return NO_KEY;
  const ofAll = termsOf(idempotencyKey);
  const ofOne = termsOf(own.idempotencyKey);
  const header = ofOne.header ?? ofAll.header ?? KEY_HEADER;
  // Most operations have none and share the one object that says so.
  const plain = header === KEY_HEADER ? NO_KEY : { header, assumed: false };
  if ((lineOf(config.headers, header) ?? '') !== '') return plain;
  const key = keyFrom(ofOne.key ?? ofAll.key, config);
  if (key === undefined) return plain;
  // Observing changes nothing about what is sent, unless the request itself asks for it.
  const assumed = mode === 'observe' && ofOne.key === undefined;
  if (!assumed) config.headers.set(header, (ofOne.quoted ?? ofAll.quoted) === true ? quoted(key) : key);
  return { header, assumed };
}

const KEY_HEADER = 'Idempotency-Key';
export const NO_KEY: IdempotencyKey = { header: KEY_HEADER, assumed: false };

type Key = string | KeySource;

function termsOf(option: Key | KeyTerms<Key> | undefined): KeyTerms<Key> {
  return typeof option === 'object' ? option : { key: option };
}

function keyFrom(source: Key | undefined, config: InternalAxiosRequestConfig): string | undefined {
  if (source === 'auto') return /^(post|patch)$/i.test(config.method ?? '') ? randomKey() : undefined;
  const key: unknown = typeof source === 'function' ? source(config) : source;
  if (key === undefined || isKey(key)) return key;
  hush(key);
  throw new HeedOptionsError('request', '`idempotencyKey` to give a key (visible ASCII) or undefined');
}

function randomKey(): string {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> };
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  if (crypto?.getRandomValues === undefined)
    throw new HeedOptionsError('platform', "to have `crypto`, from which 'auto' makes keys; give a function");
  // Where a page is not served securely there is no randomUUID.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

// RFC 9651 4.1.6. A key that comes in quotes has them already.
function quoted(key: string): string {
  return key.startsWith('"') ? key : `"${key.replace(/["\\]/g, '\\$&')}"`;
}

/** Takes the key out of a redirected request that goes to another host; what counts is not the proxy. */
export function keepKeyAtHome(header: string, url: string, redirected: Record<string, unknown>): void {
  const home = parsedUrl(url)?.host;
  if (home !== undefined && parsedUrl(String(redirected['href']))?.host === home) return;
  stripHeader(redirected['headers'] as Record<string, unknown>, header);
}
