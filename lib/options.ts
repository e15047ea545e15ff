import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { inMs, isFiniteMs } from './hint/budget.js';
import type { Duration } from './hint/budget.js';
import { known } from './hint/known.js';
import type { HintReader } from './hint/hint.js';
import type { Gates } from './gate/gates.js';
import type { SharedStore } from './gate/gate-link.js';
import type { JournalListener } from './operation/journal-entry.js';
import type { ProgressListener } from './operation/progress.js';
import type { BeforeExchange, ReadinessCheck } from './operation/readiness.js';
import type { DoubtfulOperation, Reconciliation } from './operation/reconciliation.js';
import type { AllowanceTerms } from './policy/allowance.js';
import type { Backoff } from './policy/backoff.js';
import type { Classify } from './policy/classify.js';
import type { NotAppliedRule } from './policy/knowledge.js';
import type { TransientRule } from './policy/verdict.js';
import type { ScopeRequest, ScopeRule } from './scope/scope.js';
import type { Clock } from './time/clock.js';

/** Milliseconds, or a date-fns `Duration` such as `{ seconds: 30 }`. */
export type Span = number | Duration;

/** Options of `heed(instance, policy)`. Everything has a default that is safe as it stands. */
export interface HeedPolicy {
  /**
   * What one operation may take in all: exchanges, waits, holds, hooks and the body.
   * @default none, because a budget cuts long downloads; a request sets its own
   */
  readonly budget?: Span | undefined;
  /**
   * Time kept back so that the exchange after a wait can still finish.
   * @default the smoothed time of the scope's answered exchanges
   */
  readonly reserve?: Span | undefined;
  /**
   * The longest hint that is waited for; a longer one stops the operation and still holds the scope.
   * @default 60 s for operations without a deadline; no bound for those with one
   */
  readonly maxHint?: Span | 'none' | undefined;
  /** Exchanges per operation, the first included. @default 4 */
  readonly exchanges?: number | undefined;
  /**
   * Own delay when the server said nothing, or ms as a function of the failures so far (from 1).
   * @default { first: 500, factor: 2, max: 30_000 }
   */
  readonly backoff?: BackoffOption | undefined;
  /** Spread of waits, only upwards; 0 makes every wait exact. @default 0.1 */
  readonly jitter?: number | undefined;
  /** What the server's limits are counted by, narrow to wide. @default origin + token + route, origin + token */
  readonly scopes?: readonly ScopeRule[] | undefined;
  /** Readers of what servers say beside Retry-After; see `axios-heed/rate-limit` and `/vendors`. @default none */
  readonly hints?: readonly HintReader[] | undefined;
  /** Statuses that may heal, or a question about failures. @default 408, 425, 429, 500, 502, 503, 504 */
  readonly transient?: TransientRule | undefined;
  /** Answers by which you know that the server did not apply the request. @default none beyond 421, 425, 429 */
  readonly notApplied?: NotAppliedRule | undefined;
  /** Judges answers that speak in the body; asked once per answer, `undefined` leaves it to the status. */
  readonly classify?: Classify | undefined;
  /** Fresh facts (credentials, signatures) before an exchange that waited or is not the first. */
  readonly beforeExchange?: BeforeExchange | undefined;
  /** Named questions (service, dependencies, resources), asked in order before the same exchanges. */
  readonly readiness?: readonly ReadinessCheck[] | undefined;
  /**
   * Asked when a write stops and nobody knows what became of it. What it throws leaves the outcome unknown,
   * and is the `cause` of the error.
   */
  readonly reconcile?: Reconcile | undefined;
  /**
   * Makes writes repeatable at servers that know keys: `'auto'` for POST and PATCH, or a function that is
   * asked once an operation. A key that the caller has set stays. @default none
   */
  readonly idempotencyKey?: 'auto' | KeySource | KeyTerms<KeySource> | undefined;
  /** Most exchanges in flight per gate. @default unbounded; a limit is learned from the server */
  readonly concurrency?: number | undefined;
  /** A sub-key by which a queue takes turns, so that one tenant cannot fill it. */
  readonly turn?: ((request: ScopeRequest) => string) | undefined;
  /** Most operations waiting in all. @default 10_000 */
  readonly maxQueued?: number | undefined;
  /** Most gates remembered. @default 10_000 */
  readonly maxGates?: number | undefined;
  /**
   * Re-sends after failures that all operations share; limits are paced by gates and cost nothing here.
   * @default { start: 10, perExchange: 0.2, perSecond: 1, max: 100 }
   */
  readonly allowance?: AllowanceOption | 'none' | undefined;
  /** Hears every journal entry as it is written. What it throws is dropped. */
  readonly onEntry?: JournalListener | undefined;
  /** `observe`: exactly one exchange, and the journal tells what would have been decided. @default 'act' */
  readonly mode?: 'act' | 'observe' | undefined;
  /** Gates shared with other clients of this process, from `createGates()`. */
  readonly gates?: Gates | undefined;
  /** Where gates tell other processes of what they learn. @default this process alone */
  readonly store?: SharedStore | undefined;
  /**
   * While the browser says that it is offline, exchanges that may be repeated wait for the network, within
   * their deadline. @default false
   */
  readonly waitForOnline?: boolean | undefined;
  /** Rewrites a path before it is used for a scope, a journal or a message: for secrets in paths. */
  readonly maskPath?: ((path: string) => string) | undefined;
  /** Time and dice. @default the platform's */
  readonly clock?: Clock | undefined;
}

/** Options of one request, under the key `heed`; they replace those of the policy. `false` switches off. */
export interface HeedConfig {
  readonly budget?: Span | undefined;
  /** The instant by which the operation has to end, a `Date` or ms since 1970. The nearer of both wins. */
  readonly deadline?: Date | number | undefined;
  readonly reserve?: Span | undefined;
  readonly maxHint?: Span | 'none' | undefined;
  readonly exchanges?: number | undefined;
  /** Your word that repeating is harmless, or that it is not, whatever the method says. */
  readonly idempotent?: boolean | undefined;
  /** The key that makes repeating harmless, `'auto'`, or a function; header and quotes are the policy's. */
  readonly idempotencyKey?: string | KeySource | KeyTerms<string | KeySource> | undefined;
  /** Makes the body anew before each exchange, ready for the wire: no transform sees it. Streams are fine. */
  readonly body?: (() => unknown) | undefined;
  /** The route template of this request, such as `/orders/:id`. */
  readonly route?: string | undefined;
  /** The sub-key for taking turns. */
  readonly turn?: string | undefined;
  /** Told how the operation is getting on: held until when and behind how many, which exchange, how it ended. */
  readonly onProgress?: ProgressListener | undefined;
}

/** Gives the key of one operation; `undefined` for none. */
export type KeySource = (config: Readonly<InternalAxiosRequestConfig>) => string | undefined;

/** Idempotency keys, with how they are written. `key` absent: that of the policy, if it has one. */
export interface KeyTerms<Key> {
  readonly key?: 'auto' | Key | undefined;
  /** The header that carries the key. @default 'Idempotency-Key' */
  readonly header?: string | undefined;
  /** As a string of structured fields, in quotes (RFC 9651 3.3.3). @default false, as most servers have it */
  readonly quoted?: boolean | undefined;
}

/** Finds out what became of a write, with a request of its own for example. Ten seconds at most; may throw. */
export type Reconcile = (
  operation: DoubtfulOperation,
) => Reconciliation<AxiosResponse> | Promise<Reconciliation<AxiosResponse>>;

/**
 * Own delays: `first`, then `factor` (1 or more) times the one before, up to `max`; or ms of 0 or more as a function of
 * the failures so far, from 1.
 */
export type BackoffOption =
  | {
      readonly first?: Span | undefined;
      readonly factor?: number | undefined;
      readonly max?: Span | undefined;
    }
  | ((failures: number) => number);

/** A bucket of re-sends after failures, shared by all operations of a client: one re-send takes 1. */
export interface AllowanceOption {
  /** In it at the start. @default 10 */
  readonly start?: number | undefined;
  /** What every operation adds with its first exchange. @default 0.2 */
  readonly perExchange?: number | undefined;
  /** What a second adds. @default 1 */
  readonly perSecond?: number | undefined;
  /** The most that it holds. @default 100 */
  readonly max?: number | undefined;
}

declare module 'axios' {
  interface AxiosRequestConfig {
    /** What axios-heed may do for this request; `false`: one exchange, no gate, no wait. */
    heed?: HeedConfig | false | undefined;
  }
}

/** The defaults, each with its reason. */
export const DEFAULTS = {
  /**
   * Three waits of a minute at most, where a server says when to come back: a call that nothing bounds ends by itself in
   * some minutes. One that queues behind others waits for as long as those take.
   */
  exchanges: 4,
  /** Half a second is longer than a hiccup; half a minute is as long as people and jobs put up with. */
  backoff: { firstMs: 500, factor: 2, maxMs: 30_000 },
  /** Enough to tear a wave apart, too little to be felt. */
  jitter: 0.1,
  /** Without a deadline nobody has said how long to wait; a minute covers the windows most servers use. */
  maxHintMs: 60_000,
  transient: [
    408, // Request Timeout: RFC 9110 15.5.9
    425, // Too Early: RFC 8470 5.2
    429, // Too Many Requests: RFC 6585 4
    500, // Internal Server Error
    502, // Bad Gateway
    503, // Service Unavailable: RFC 9110 15.6.4
    504, // Gateway Timeout
  ],
  /** A fifth of the traffic may be repeats, after a start that a single page load does not use up. */
  allowance: { start: 10, perExchange: 0.2, perSecond: 1, max: 100 },
  /** Bounds against growth without end, far above what one process waits for. */
  maxQueued: 10_000,
  maxGates: 10_000,
} as const;

/** The policy as the core works with it: milliseconds, defaults filled in. */
export interface ResolvedPolicy {
  readonly budgetMs?: number | undefined;
  readonly reserveMs?: number | undefined;
  readonly maxHint: HintBound;
  readonly exchanges: number;
  readonly backoff: Backoff;
  readonly jitter: number;
  readonly transient: TransientRule;
  readonly notApplied: NotAppliedRule;
  readonly allowance: AllowanceTerms | 'none';
  readonly concurrency?: number | undefined;
}

/** `by-deadline`: 60 s for operations without a deadline, none for those with one. */
export type HintBound =
  | { readonly kind: 'by-deadline' }
  | { readonly kind: 'none' }
  | { readonly kind: 'at-most'; readonly ms: number };

/** Checked options only: see `checkOptions`. */
export function resolvePolicy(policy: HeedPolicy): ResolvedPolicy {
  return {
    budgetMs: spanMs(policy.budget),
    reserveMs: spanMs(policy.reserve),
    maxHint: hintBoundOf(policy.maxHint) ?? { kind: 'by-deadline' },
    exchanges: policy.exchanges ?? DEFAULTS.exchanges,
    backoff: backoffOf(policy.backoff),
    jitter: policy.jitter ?? DEFAULTS.jitter,
    transient: policy.transient ?? DEFAULTS.transient,
    notApplied: policy.notApplied ?? [],
    allowance:
      policy.allowance === 'none' ? 'none' : { ...DEFAULTS.allowance, ...known(policy.allowance ?? {}) },
    concurrency: policy.concurrency,
  };
}

export function hintBoundOf(maxHint: Span | 'none' | undefined): HintBound | undefined {
  if (maxHint === 'none') return { kind: 'none' };
  const ms = spanMs(maxHint);
  return ms === undefined ? undefined : { kind: 'at-most', ms };
}

/** Milliseconds of a span; `undefined` when it is none: absent, negative, not finite, not a Duration. */
export function spanMs(span: unknown): number | undefined {
  const ms: unknown = inMs(span);
  return isFiniteMs(ms) && ms >= 0 ? ms : undefined;
}

function backoffOf(backoff: BackoffOption | undefined): Backoff {
  if (typeof backoff === 'function') return backoff;
  return {
    firstMs: spanMs(backoff?.first) ?? DEFAULTS.backoff.firstMs,
    factor: backoff?.factor ?? DEFAULTS.backoff.factor,
    maxMs: spanMs(backoff?.max) ?? DEFAULTS.backoff.maxMs,
  };
}
