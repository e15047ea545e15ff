import { known } from '../hint/known.js';
import { checkOptions } from '../option-checks.js';
import { DEFAULTS, hintBoundOf, spanMs } from '../options.js';
import type { HeedConfig, HintBound, ResolvedPolicy } from '../options.js';
import type { TermsNote } from '../operation/journal-entry.js';
import type { OperationTerms } from '../operation/ports.js';
import type { Clock } from '../time/clock.js';
import type { NotAppliedRule } from '../policy/knowledge.js';
import type { TransientRule } from '../policy/verdict.js';
import { deadlineAfter, deadlineAt, nearerDeadline } from '../time/deadline.js';
import type { Deadline, Moment } from '../time/deadline.js';

/** What was resolved when a request came in: the clock of its budget starts here. */
export interface Call {
  readonly options: CallOptions;
  readonly deadline: Deadline | undefined;
}

/** Apart from the deadline: one object for all calls that have no options of their own. */
export interface CallOptions {
  readonly terms: OperationTerms;
  /** The budget, where the deadline is its end. */
  readonly budgetMs: number | undefined;
  /** The request's own options. */
  readonly own: HeedConfig;
  /** `heed: false`: one exchange, no gate, no wait, no hook. */
  readonly bare: boolean;
}

/**
 * Reads the options of requests; those without any of their own share what the policy says.
 * @throws HeedOptionsError for options that are refused
 */
export function callReader(policy: ResolvedPolicy, clock: Clock): ReadCall {
  const terms = termsOf(NO_OPTIONS, policy, { timed: policy.budgetMs !== undefined });
  const plain: CallOptions = { terms, budgetMs: policy.budgetMs, own: NO_OPTIONS, bare: false };
  const bare: CallOptions = { ...plain, budgetMs: undefined, bare: true };
  return (own = NO_OPTIONS, start) => {
    if (own === false) return { options: bare, deadline: undefined };
    const isPlain = own === NO_OPTIONS;
    if (!isPlain) checkOptions(own, 'request');
    // A request's budget replaces the policy's; the nearer of budget and deadline wins.
    const budgetMs = spanMs(own.budget) ?? policy.budgetMs;
    const byBudget = budgetMs === undefined ? undefined : deadlineAfter(start, budgetMs);
    const byDeadline = own.deadline === undefined ? undefined : deadlineAt(clock, Number(own.deadline));
    const deadline = nearerDeadline(byBudget, byDeadline);
    if (isPlain) return { options: plain, deadline };
    const ownTerms = termsOf(own, policy, { timed: deadline !== undefined });
    const ownBudgetMs = deadline === byBudget ? budgetMs : undefined;
    return { options: { terms: ownTerms, budgetMs: ownBudgetMs, own, bare: false }, deadline };
  };
}

export type ReadCall = (heed: HeedConfig | false | undefined, start: Moment) => Call;

const NO_OPTIONS: HeedConfig = {};

function termsOf(own: HeedConfig, policy: ResolvedPolicy, { timed }: { timed: boolean }): OperationTerms {
  const { backoff, jitter, transient, notApplied } = policy;
  const exchanges = own.exchanges ?? policy.exchanges;
  const reserveMs = spanMs(own.reserve) ?? policy.reserveMs;
  const maxHintMs = maxHintMsOf(hintBoundOf(own.maxHint) ?? policy.maxHint, { timed });
  const terms = { exchanges, backoff, jitter, transient, notApplied, reserveMs, maxHintMs };
  return { ...terms, note: noteOf(terms, policy) };
}

function noteOf(terms: Omit<OperationTerms, 'note'>, { allowance, concurrency }: ResolvedPolicy): TermsNote {
  const { backoff, transient, notApplied, ...rest } = terms;
  return known({
    ...rest,
    backoff: typeof backoff === 'function' ? 'function' : backoff,
    transient: listOf(transient),
    notApplied: listOf(notApplied),
    allowance,
    concurrency,
  });
}

function listOf(statuses: TransientRule | NotAppliedRule): readonly number[] | 'function' {
  return typeof statuses === 'function' ? 'function' : [...statuses];
}

function maxHintMsOf(bound: HintBound, { timed }: { timed: boolean }): number | undefined {
  if (bound.kind === 'at-most') return bound.ms;
  return bound.kind === 'none' || timed ? undefined : DEFAULTS.maxHintMs;
}
