import type { Hint, HintReading } from '../hint/hint.js';
import type { Knowledge, Verdict } from '../model.js';
import { backoffMs, jittered } from './backoff.js';
import type { Backoff } from './backoff.js';
import { decide } from './decide.js';
import type { Decision, DecisionFacts } from './decide.js';
import { permissionFor } from './permission.js';
import type { PermissionFacts } from './permission.js';

/** The judgment of one exchange. Pure: recorded facts give the same judgment for ever. */
export interface Judgment {
  readonly decision: Decision;
  /** What the table was asked with. */
  readonly facts: DecisionFacts;
}

/** What was seen of the exchange. */
export interface Observed {
  readonly verdict: Verdict;
  readonly resolved: boolean;
  readonly hint: HintReading;
}

/** What stands around it when it is judged, apart from the policy. */
export interface Circumstances {
  /** Its number, from 1. */
  readonly exchange: number;
  readonly cancelled: boolean;
  readonly deadlinePassed: boolean;
  readonly serverSaidNo: boolean;
  readonly request: RequestFacts;
  /** Of this exchange; after a `reconcile` what that found out. */
  readonly knowledge: Knowledge;
  readonly allowanceEmpty: boolean;
  /** From 0 up to 1. */
  readonly roll: number;
  /** Of the narrowest gate's answered exchanges, where there have been any. */
  readonly smoothedMs?: number;
  /** To the deadline; absent: none. */
  readonly remainingMs?: number;
}

/** What permission depends on, beside what is known of the exchange. */
export type RequestFacts = Omit<PermissionFacts, 'knowledge'>;

/** The circumstances with what the policy makes of them. */
export interface Weighed extends Circumstances {
  readonly exchangesLeft: number;
  /** Own delay before jitter. */
  readonly backoffMs: number;
  readonly reserveMs: number;
  /** Absent: no bound. */
  readonly maxHintMs?: number;
}

/** What a policy says about judging. */
export interface JudgmentTerms {
  readonly exchanges: number;
  readonly backoff: Backoff;
  readonly jitter: number;
  readonly reserveMs?: number | undefined;
  readonly maxHintMs?: number | undefined;
}

/**
 * What this policy makes of the circumstances: also of recorded ones, to see what another would have done.
 * @throws TypeError when a backoff of the caller gives no number
 */
export function weigh(observed: Observed, seen: Circumstances, terms: JudgmentTerms): Weighed {
  const { exchange, smoothedMs = 0, remainingMs } = seen;
  const { maxHintMs } = terms;
  return {
    ...seen,
    exchangesLeft: terms.exchanges - exchange,
    backoffMs: isFailure(observed) ? backoffMs(terms.backoff, exchange) : 0,
    // Time is kept back for the exchange after a wait, where something bounds both.
    reserveMs: remainingMs === undefined ? 0 : (terms.reserveMs ?? smoothedMs),
    ...(maxHintMs !== undefined && { maxHintMs }),
  };
}

/** Asks the table. Used by the loop and by whoever reads its journal. */
export function judgmentOf(
  { verdict, resolved, hint }: Observed,
  weighed: Weighed,
  { jitter }: Pick<JudgmentTerms, 'jitter'>,
): Judgment {
  const { request, knowledge, roll, backoffMs: ownMs, ...rest } = weighed;
  const facts: DecisionFacts = {
    ...rest,
    verdict,
    resolved,
    hint,
    // What a redirect leads to is another request, and that one was never sent.
    permission: permissionFor({ ...request, knowledge: verdict === 'redirect' ? 'not-sent' : knowledge }),
    ownBackoffMs: jittered(ownMs, jitter, roll),
  };
  return { decision: decide(facts), facts };
}

/** A reading, from how a journal writes it: a hint's members one by one. */
export function readingOf(note: Unheard | (Hint & { readonly kind: 'hint' })): HintReading {
  if (note.kind !== 'hint') return note;
  const { kind, ...hint } = note;
  return { kind, hint };
}

type Unheard = Exclude<HintReading, { readonly kind: 'hint' }>;

/** Failures that may be sent again wait; nothing else rolls dice. */
export function isFailure({ verdict }: Pick<Observed, 'verdict'>): boolean {
  return verdict === 'limit' || verdict === 'transient';
}
