import type { Knowledge, Observation } from '../model.js';
import { KNOWLEDGE } from '../model.js';
import { yesOrNo } from './no-answer.js';
import { isSaid } from './verdict.js';

/** Answers by which the policy knows that the server did not apply the request. */
export type NotAppliedRule = readonly number[] | ((observation: Observation) => boolean);

// The request never reached a server that could have read it.
const NOT_SENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'ERR_BAD_OPTION',
  'ERR_BAD_OPTION_VALUE',
  'ERR_NOT_SUPPORT',
  'ERR_FR_MAX_BODY_LENGTH_EXCEEDED',
]);

// TLS refused before a byte of the request was sent; Node names the reason in the code.
const TLS_REFUSAL = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

// HTTP/2 REFUSED_STREAM (7): RFC 9113 8.7 guarantees that the request was not processed.
const REFUSED_STREAM = 'NGHTTP2_REFUSED_STREAM';

const NOT_APPLIED_STATUSES: readonly number[] = [
  421, // Misdirected Request: RFC 9110 15.5.20
  425, // Too Early: RFC 8470 5.2
  429, // Too Many Requests: RFC 6585 4
];

/** What is known of an exchange from its end, whatever adapter saw it. */
export function knowledgeOf(observation: Observation, notApplied: NotAppliedRule): Knowledge {
  const { code } = observation;
  switch (observation.end) {
    case 'answer':
    case 'cut-answer':
      return knowledgeOfAnswer(observation, notApplied);
    case 'redirect':
      // RFC 9110 15.4: by 307 and 308 the request itself is to be made elsewhere.
      return observation.status === 307 || observation.status === 308 ? 'not-applied' : 'answered';
    case 'network-failure':
    case 'local-failure':
      if (code === undefined) return 'unknown';
      if (code === REFUSED_STREAM) return 'not-applied';
      return NOT_SENT_CODES.has(code) || TLS_REFUSAL.test(code) ? 'not-sent' : 'unknown';
    case 'timeout':
    case 'cancelled':
    case 'deadline':
      return 'unknown';
  }
}

/** The worse of two. */
export function worseKnowledge(a: Knowledge, b: Knowledge): Knowledge {
  return KNOWLEDGE.indexOf(a) >= KNOWLEDGE.indexOf(b) ? a : b;
}

/** Whether a failure's code says that sending again cannot help: a refused certificate, a bad URL. */
export function isLocalCode(code: string): boolean {
  return LOCAL_CODES.has(code) || TLS_REFUSAL.test(code);
}

const LOCAL_CODES: ReadonlySet<string> = new Set([
  'ERR_INVALID_URL',
  'ERR_BAD_OPTION',
  'ERR_BAD_OPTION_VALUE',
  'ERR_BAD_REQUEST',
  'ERR_NOT_SUPPORT',
  'ERR_FR_MAX_BODY_LENGTH_EXCEEDED',
  'ERR_FR_TOO_MANY_REDIRECTS',
  'ERR_FR_REDIRECTION_FAILURE',
]);

function knowledgeOfAnswer(observation: Observation, notApplied: NotAppliedRule): Knowledge {
  const { status, hint } = observation;
  if (status === undefined) return observation.end === 'answer' ? 'answered' : 'unknown';
  if (NOT_APPLIED_STATUSES.includes(status)) return 'not-applied';
  if ((status === 403 || status === 413) && (hint.kind === 'hint' || hint.kind === 'overflow'))
    return 'not-applied';
  // A refusal in the body of a 200 is one all the same; a server in trouble may have begun.
  if (status < 500 && isSaid(observation, 'limit')) return 'not-applied';
  if (
    typeof notApplied === 'function'
      ? yesOrNo('notApplied', notApplied(observation))
      : notApplied.includes(status)
  )
    return 'not-applied';
  return status === 408 || status >= 500 ? 'unknown' : 'answered';
}
