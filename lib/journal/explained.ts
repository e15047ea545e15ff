import type { ExchangeEnd, Knowledge } from '../model.js';
import type { GateEvent } from '../operation/journal-entry.js';
import type { Grounds, StopReason } from '../reasons.js';

/**
 * The journal's own word and what it means: "exchanges-spent: all its exchanges are used up". A word that a
 * newer journal may have stands alone.
 */
export function explained(word: string, meanings: Readonly<Record<string, string>>): string {
  return Object.hasOwn(meanings, word) ? `${word}: ${String(meanings[word])}` : word;
}

/** What a word means; a newer one speaks for itself. */
export function inWords(word: string, meanings: Readonly<Record<string, string>>): string {
  return Object.hasOwn(meanings, word) ? String(meanings[word]) : word;
}

export const REASON_WORDS: Readonly<Record<StopReason, string>> = {
  cancelled: 'the caller has cancelled',
  'deadline-passed': 'its deadline has passed',
  'server-said-no': 'the server has said that sending again is useless',
  'not-transient': 'sending again would not heal it',
  'outcome-unknown': 'it may have been applied already, and applying it twice may do harm',
  'answer-lost': 'it was applied, and only its answer is lost',
  'body-not-replayable': 'its body cannot be sent twice',
  'body-changed': 'its body is no longer the one that was sent first',
  'exchanges-spent': 'all its exchanges are used up',
  'allowance-empty': 'too many were sent again after failures of late',
  'hint-too-long': 'the server asks for a longer wait than is allowed',
  'deadline-too-near': 'the wait would not end in time for its deadline',
  'queue-full': 'too many wait already',
  detached: 'heed() was taken off the instance',
  'not-ready': 'a readiness check said no',
  'hook-failed': 'a hook of the application failed',
  'hook-timed-out': 'a hook of the application took too long',
};

export const GROUNDS_WORDS: Readonly<Record<Grounds, string>> = {
  'idempotent-method': 'its method may be repeated',
  'declared-idempotent': 'the caller says that it may be repeated',
  'idempotency-key': 'its key lets the server know a repetition',
  'not-sent': 'it never left',
  'not-applied': 'the server has not applied it',
};

export const END_WORDS: Readonly<Record<ExchangeEnd, string>> = {
  answer: 'is answered',
  'cut-answer': 'is answered, but the body broke off',
  redirect: 'is sent elsewhere',
  'network-failure': 'fails on the network',
  timeout: 'runs into its own timeout',
  'local-failure': 'fails on this side',
  cancelled: 'is cancelled',
  deadline: 'is cut by the deadline',
};

export const KNOWLEDGE_WORDS: Readonly<Record<Knowledge, string>> = {
  'not-sent': 'it never left',
  'not-applied': 'the server has not applied it',
  answered: 'the server has answered it',
  unknown: 'nobody knows whether the server has applied it',
};

type HoldCause = Extract<GateEvent, { readonly untilMonoMs: number }>['because'];

export const CAUSE_WORDS: Readonly<Record<HoldCause, string>> = {
  hint: 'the server said so',
  'own-backoff': 'the server named no time, so it is our own',
  failures: 'its probes have failed',
  'quota-spent': 'the quota is used up',
  widened: 'gates below it are limited too',
  'by-hand': 'the application holds it',
  store: 'another client was told so',
  'probe-elsewhere': 'another client probes',
};
