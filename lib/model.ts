import type { WeighedReading } from './hint/hint.js';

/** What is known of an exchange, best first: the worst over all exchanges is what a caller has to live with. */
export const KNOWLEDGE = ['not-sent', 'not-applied', 'answered', 'unknown'] as const;
/** What is known of an exchange: not sent, not applied, answered, or nothing. */
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
  /** The server's clock when it made the answer; read where there is something to judge, not of a success. */
  readonly serverDateEpochMs?: number;
  /** How long caches have had the answer, as `Age` tells. */
  readonly ageSeconds?: number;
  readonly fromCache?: true;
  /** A browser kept headers from scripts that the server did not expose (CORS). */
  readonly headersHidden?: true;
  /** The origin that has answered, where a redirect led to another host and the adapter shows it (http, xhr). */
  readonly answeredBy?: string;
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

/** One part of what a server counts a limit by. */
export interface ScopePart {
  /** 'origin', 'token', 'route', 'tenant', or a name of your own. */
  readonly by: string;
  readonly value: string;
  /** A secret value is never shown and nothing is derived from it: a running number stands for it. */
  readonly secret: boolean;
  /** Shown instead of the value or the running number. */
  readonly label?: string | undefined;
}

/** The identity of one gate. Equal parts in equal order are the same scope. */
export type Scope = readonly ScopePart[];

/** How an operation ended. */
export type Outcome = 'succeeded' | 'stopped' | 'refused' | 'cancelled';
