import { known } from '../hint/known.js';
import { checkOptions } from '../option-checks.js';
import { DEFAULTS, hintBoundOf, spanMs } from '../options.js';
import type { HeedConfig, HintBound, ResolvedPolicy } from '../options.js';
import type { TermsNote } from '../operation/journal-entry.js';
import type { OperationTerms } from '../operation/ports.js';
import type { Clock } from '../time/clock.js';
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

/** Reads the options of requests; those without any of their own share what the policy says. */
export class CallReader {
  readonly #policy: ResolvedPolicy;
  readonly #clock: Clock;
  readonly #plain: CallOptions;

  constructor(policy: ResolvedPolicy, clock: Clock) {
    const { budgetMs } = policy;
    this.#policy = policy;
    this.#clock = clock;
    const terms = termsOf(NO_OPTIONS, policy, { timed: budgetMs !== undefined });
    this.#plain = { terms, budgetMs, own: NO_OPTIONS, bare: false };
  }

  /** @throws HeedOptionsError for options that are refused */
  read(heed: HeedConfig | false | undefined, start: Moment): Call {
    const { budgetMs } = this.#plain;
    const byPolicy = budgetMs === undefined ? undefined : deadlineAfter(start, budgetMs);
    if (heed === undefined) return { options: this.#plain, deadline: byPolicy };
    if (heed === false) return { options: { ...this.#plain, bare: true }, deadline: byPolicy };
    checkOptions(heed, 'request');
    return this.#readOwn(heed, start);
  }

  // A request's budget replaces the policy's; the nearer of budget and deadline wins.
  #readOwn(own: HeedConfig, start: Moment): Call {
    const budgetMs = spanMs(own.budget) ?? this.#policy.budgetMs;
    const byBudget = budgetMs === undefined ? undefined : deadlineAfter(start, budgetMs);
    const byDeadline = own.deadline === undefined ? undefined : deadlineAt(this.#clock, Number(own.deadline));
    const deadline = nearerDeadline(byBudget, byDeadline);
    const terms = termsOf(own, this.#policy, { timed: deadline !== undefined });
    const options = { terms, budgetMs: deadline === byBudget ? budgetMs : undefined, own, bare: false };
    return { options, deadline };
  }
}

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
  const { exchanges, backoff, jitter, transient, notApplied, reserveMs, maxHintMs } = terms;
  return known({
    exchanges,
    maxHintMs,
    reserveMs,
    jitter,
    backoff: typeof backoff === 'function' ? 'function' : backoff,
    transient: typeof transient === 'function' ? 'function' : [...transient],
    notApplied: typeof notApplied === 'function' ? 'function' : [...notApplied],
    allowance,
    concurrency,
  });
}

function maxHintMsOf(bound: HintBound, { timed }: { timed: boolean }): number | undefined {
  switch (bound.kind) {
    case 'at-most':
      return bound.ms;
    case 'none':
      return undefined;
    case 'by-deadline':
      return timed ? undefined : DEFAULTS.maxHintMs;
  }
}
