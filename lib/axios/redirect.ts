import { isAxiosError } from './axios-error.js';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { retryAfterReader } from '../hint/retry-after-reader.js';
import type { Clock } from '../time/clock.js';
import { methodOf, shownUrl } from './request-target.js';

/**
 * Thrown into the platform's own following of redirects (http adapter), which knows of no waiting, at one that
 * says when it may be followed (RFC 9110 10.2.3).
 */
export class HeldRedirect extends Error {
  readonly response: AxiosResponse;
  /** The next request as the platform would have sent it: method, URL, and headers less those it keeps back. */
  readonly #next: NextRequest;

  constructor({ statusCode: status, headers }: Redirect, next: NextRequest) {
    super('A redirect that may not be followed yet');
    // No more of it is read than that it is there.
    this.response = { status, headers } as unknown as AxiosResponse;
    this.#next = next;
  }

  /** What is to be sent instead of this config. */
  apply(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
    const { href, method, headers: fields, auth } = this.#next;
    const headers = config.headers.concat();
    headers.clear();
    headers.set(fields);
    // Credentials are those that `auth` says, not those of a URL that a relative Location was joined to.
    const next: InternalAxiosRequestConfig = { ...config, url: shownUrl({ url: href }), method, headers };
    delete next.baseURL;
    delete next.params;
    delete next.auth;
    if (method !== methodOf(config)) delete next.data;
    if (typeof auth === 'string') {
      const [username = '', ...password] = auth.split(':');
      next.auth = { username, password: password.join(':') };
    }
    return next;
  }
}

/** The redirect at which an exchange ended: below the errors of axios and, in most versions, follow-redirects. */
export function heldRedirectOf(error: unknown): HeldRedirect | undefined {
  if (!isAxiosError(error)) return undefined;
  return [error.cause, error.cause?.cause].find((cause) => cause instanceof HeldRedirect);
}

/** Of follow-redirects, as much as is needed here. */
interface NextRequest {
  readonly href: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly auth?: string | null;
}

type Redirect = Parameters<BeforeRedirect>[1];
export type BeforeRedirect = NonNullable<InternalAxiosRequestConfig['beforeRedirect']>;

/** A `beforeRedirect` that asks others first, and then stops at redirects that ask for a wait. */
export function holdingRedirects(
  first: readonly (BeforeRedirect | undefined)[],
  clock: Clock,
): BeforeRedirect {
  return (options, redirect, ...more) => {
    for (const one of first) one?.(options, redirect, ...more);
    const next = options as NextRequest;
    // Other schemes are the platform's to refuse.
    if (HTTP.test(next.href) && asksToWait(redirect, clock)) throw new HeldRedirect(redirect, next);
  };
}

const HTTP = /^https?:/i;

function asksToWait({ statusCode: status, headers }: Redirect, clock: Clock): boolean {
  const reading = retryAfterReader({
    status,
    header: (name) => headers[name],
    headerNames: () => Object.keys(headers),
    receivedEpochMs: clock.wallEpochMs(),
  });
  return reading.kind === 'overflow' || (reading.kind === 'hint' && reading.hint.delayMs > 0);
}
