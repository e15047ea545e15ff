import { isAxiosError, isCancel } from './axios-error.js';
import type { AxiosError, AxiosResponse } from 'axios';
import { boundedText } from '../hint/bounded-text.js';
import { known } from '../hint/known.js';
import type { ExchangeEnd } from '../model.js';
import { isObject } from '../option-checks.js';
import { isLocalCode } from '../policy/knowledge.js';
import { heldRedirectOf } from './redirect.js';

/** How an exchange failed, named alike for every adapter. */
export interface Failure {
  readonly end: ExchangeEnd;
  readonly code?: string;
  readonly response?: AxiosResponse;
}

/** Reads what an adapter threw. */
export function failureOf(error: unknown): Failure {
  if (isCancel(error)) return { end: 'cancelled' };
  const redirect = heldRedirectOf(error);
  if (redirect !== undefined) return { end: 'redirect', response: redirect.response };
  const code = codeOf(error);
  if (!isAxiosError(error) || isEmpty(error)) {
    // What an adapter throws that is no AxiosError is its own mistake, unless it carries a system's error code.
    const isSystems = code !== undefined && SYSTEM_CODE.test(code);
    return known({ end: isSystems ? 'network-failure' : 'local-failure', code });
  }
  // The connection was closed, or reset, while the body came.
  const broke = error.code === 'ERR_BAD_RESPONSE' || error.code === 'ECONNRESET';
  const response = error.response ?? (broke ? headOf(error) : undefined);
  if (response === undefined) return known({ end: endWithoutResponse(error, code), code });
  // http tells of it by other words than of a status that `validateStatus` refused. (The fetch adapter shows
  // neither status nor headers then.)
  return { end: broke && !error.message.startsWith(REFUSED_STATUS) ? 'cut-answer' : 'answer', response };
}

const SYSTEM_CODE = /^(E[A-Z]{3,}|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;
const REFUSED_STATUS = 'Request failed with status code';

function endWithoutResponse({ code: outer, message }: AxiosError, code: string | undefined): ExchangeEnd {
  if (outer === 'ETIMEDOUT' || (outer === 'ECONNABORTED' && message !== XHR_ABORTED)) return 'timeout';
  const isLocal = code !== undefined && isLocalCode(code);
  return isLocal || (outer === 'ERR_BAD_RESPONSE' && TOO_LARGE.test(message))
    ? 'local-failure'
    : 'network-failure';
}

// The body was larger than allowed: so will be the next. (axios 1.7 has the same words, with the -1 that
// stands for no limit, for a body that broke off.)
const TOO_LARGE = /maxContentLength size of \d/;

// The xhr adapter uses the code of its timeouts for a page that navigates away, too.
const XHR_ABORTED = 'Request aborted';

// With such an error axios refuses an adapter that it does not know: no exchange was begun.
function isEmpty({ code, config, response }: AxiosError): boolean {
  return code === undefined && config === undefined && response === undefined;
}

/**
 * axios before 1.18 gives no response with a body that broke off, and no version one whose connection was
 * reset; Node's own request, or that of follow-redirects, still shows its head.
 */
function headOf({ message, request, config }: AxiosError): AxiosResponse | undefined {
  if (TOO_LARGE.test(message) || config === undefined) return undefined;
  const { res, _currentRequest: inner } = (request ?? {}) as NodeRequest;
  const { statusCode: status, headers = {} } = res ?? inner?.res ?? {};
  return status === undefined ? undefined : ({ status, headers } as AxiosResponse);
}

interface NodeRequest {
  readonly res?: NodeHead | null;
  readonly _currentRequest?: { readonly res?: NodeHead | null } | null;
}

interface NodeHead {
  readonly statusCode?: number;
  readonly headers?: Record<string, string>;
}

/** The innermost code: fetch hides the system's behind ERR_NETWORK and one or two causes. */
function codeOf(error: unknown): string | undefined {
  let code: string | undefined;
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && isObject(cause); depth += 1) {
    const { code: own, message, cause: next } = cause;
    if (typeof own === 'string') code = own;
    const words = String(message);
    if (code === 'ERR_HTTP2_STREAM_ERROR' && words.includes(REFUSED_STREAM)) return REFUSED_STREAM;
    if (own === undefined && REFUSED_TARGET.test(words)) return 'ERR_NOT_SUPPORT';
    const reason = code === 'EPROTO' ? REFUSED_TLS.exec(words)?.[1] : undefined;
    if (reason !== undefined) code = `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
    cause = next;
  }
  return code && boundedText(code.slice(0, MOST_CODE_LENGTH));
}

const MOST_CAUSES = 4;
const MOST_CODE_LENGTH = 64;
const REFUSED_STREAM = 'NGHTTP2_REFUSED_STREAM';

// Node has a code for what its TLS refuses, but not where a request waited for it: there OpenSSL's words tell.
const REFUSED_TLS = /:SSL routines:[^:]*:([^:]+)/;

// Node's fetch has no code for a target that it does not go to.
const REFUSED_TARGET = /^(unknown scheme|bad port|not implemented)/;
