import type { Knowledge, Observation } from '../model.js';
import { KNOWLEDGE } from '../model.js';
import { yesOrNo } from './no-answer.js';
import { isCalledLimit, isRefusalWithHint } from './verdict.js';

/** Answers by which the policy knows that the server did not apply the request. */
export type NotAppliedRule = readonly number[] | ((observation: Observation) => boolean);

// The request never reached a server that could have read it.
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

// Nor could it be: a bad URL or option, a body too large, or TLS that was refused before a byte was sent (Node
// names the reason in the code; what is said of records and data comes later).
const NEVER_BEGUN =
  /^(ERR_INVALID_URL|ERR_BAD_OPTION(_VALUE)?|ERR_NOT_SUPPORT|ERR_FR_MAX_BODY_LENGTH_EXCEEDED|(CERT|ERR_TLS|ERR_SSL(?!.*(RECORD|EOF|DATA))|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_.*)$/;

// Refused on this side, when something may have been sent.
const REFUSED_HERE = /^(ERR_BAD_REQUEST|ERR_FR_TOO_MANY_REDIRECTS|ERR_FR_REDIRECTION_FAILURE)$/;

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
      return NOT_SENT.test(code) || NEVER_BEGUN.test(code) ? 'not-sent' : 'unknown';
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
  return NEVER_BEGUN.test(code) || REFUSED_HERE.test(code);
}

function knowledgeOfAnswer(observation: Observation, notApplied: NotAppliedRule): Knowledge {
  const { status } = observation;
  if (status === undefined) return observation.end === 'answer' ? 'answered' : 'unknown';
  const isNotApplied =
    NOT_APPLIED_STATUSES.includes(status) ||
    isRefusalWithHint(observation) ||
    // A refusal in the body of a 200 is one all the same; a server in trouble may have begun.
    (status < 500 && isCalledLimit(observation)) ||
    (typeof notApplied === 'function'
      ? yesOrNo('notApplied', notApplied(observation))
      : notApplied.includes(status));
  if (isNotApplied) return 'not-applied';
  return isServing(status) ? 'answered' : 'unknown';
}

/** Whether a server that answers so was able to serve. */
export function isServing(status: number | undefined): boolean {
  return status === undefined || (status < 500 && status !== 408);
}
