import type { WeighedReading } from './hint/hint.js';

/** What is known of an exchange, best first: the worst over all exchanges is what a caller has to live with. */
export const KNOWLEDGE = ['not-sent', 'not-applied', 'answered', 'unknown'] as const;
export type Knowledge = (typeof KNOWLEDGE)[number];

/** How an exchange ended, as far as it could be seen. */
export type ExchangeEnd =
  /** Status and headers arrived, and the body as far as it was asked for. */
  | 'answer'
  /** Status and headers arrived, the body broke off. */
  | 'cut-answer'
  /** A redirect that says when to follow it, kept from the platform that would follow at once. */
  | 'redirect'
  /** The connection failed; `code` is the platform's. */
  | 'network-failure'
  /** The exchange's own axios `timeout` passed. */
  | 'timeout'
  /** Refused on this side: bad URL, body too large, certificate not accepted, an adapter that threw. */
  | 'local-failure'
  /** The caller cancelled. */
  | 'cancelled'
  /** The operation's deadline passed in flight. */
  | 'deadline';

/** The facts at the end of an exchange, no judgment. */
export interface Observation {
  readonly end: ExchangeEnd;
  /** Whether the adapter resolved; it rejects or resolves as the caller's `validateStatus` says. */
  readonly resolved: boolean;
  readonly status?: number;
  /** The adapter's error code or that of its cause, such as ECONNREFUSED. */
  readonly code?: string;
  /** What its readers read: the wait, quotas, the server's own judgment. */
  readonly hint: WeighedReading;
  /** What the policy's own `classify` called this answer, which overrules its status. */
  readonly classified?: Verdict;
  /** The instant of receipt on both clocks. */
  readonly receivedEpochMs: number;
  readonly receivedMonoMs: number;
}

/**
 * What an observation means: `final` is success or a failure that repeating will not heal, `limit` is
 * "not now" to everyone of the scope, `transient` a failure that may heal by itself, `redirect` that the next
 * exchange goes elsewhere, later.
 */
export type Verdict = 'final' | 'limit' | 'transient' | 'redirect';

/** How an operation ended. */
export type Outcome = 'succeeded' | 'stopped' | 'refused' | 'cancelled';
