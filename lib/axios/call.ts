import { checkOptions } from '../option-checks.js';
import { DEFAULTS, hintBoundOf, spanMs } from '../options.js';
import type { HeedConfig, HintBound, ResolvedPolicy } from '../options.js';
import type { OperationTerms } from '../operation/ports.js';
import type { Clock } from '../time/clock.js';
import { deadlineAfter, deadlineAt, nearerDeadline } from '../time/deadline.js';
import type { Deadline, Moment } from '../time/deadline.js';

/** What was resolved when a request came in: the clock of its budget starts here. */
export interface Call {
  readonly terms: OperationTerms;
  readonly deadline: Deadline | undefined;
  /** The request's own options. */
  readonly own: HeedConfig;
  /** `heed: false`: one exchange, no gate, no wait, no hook. */
  readonly bare: boolean;
}

/** Reads the options of requests; those without any of their own share what the policy says. */
export class CallReader {
  readonly #policy: ResolvedPolicy;
  readonly #clock: Clock;
  readonly #timed: OperationTerms;
  readonly #untimed: OperationTerms;
  readonly #plain: Call;

  constructor(policy: ResolvedPolicy, clock: Clock) {
    this.#policy = policy;
    this.#clock = clock;
    this.#timed = termsOf(NO_OPTIONS, policy, { timed: true });
    this.#untimed = termsOf(NO_OPTIONS, policy, { timed: false });
    this.#plain = { terms: this.#untimed, deadline: undefined, own: NO_OPTIONS, bare: false };
  }

  /** @throws HeedOptionsError for options that are refused */
  read(heed: HeedConfig | false | undefined, start: Moment): Call {
    if (heed === undefined && this.#policy.budgetMs === undefined) return this.#plain;
    const own = heed === undefined || heed === false ? NO_OPTIONS : heed;
    if (own !== NO_OPTIONS) checkOptions(own, 'request');
    const deadline = this.#deadlineOf(own, start);
    const timed = deadline !== undefined;
    const shared = timed ? this.#timed : this.#untimed;
    const terms = own === NO_OPTIONS ? shared : termsOf(own, this.#policy, { timed });
    return { terms, deadline, own, bare: heed === false };
  }

  // A request's budget replaces the policy's; the nearer of budget and deadline wins.
  #deadlineOf(own: HeedConfig, start: Moment): Deadline | undefined {
    const budgetMs = spanMs(own.budget) ?? this.#policy.budgetMs;
    const byBudget = budgetMs === undefined ? undefined : deadlineAfter(start, budgetMs);
    if (own.deadline === undefined) return byBudget;
    return nearerDeadline(byBudget, deadlineAt(this.#clock, Number(own.deadline)));
  }
}

const NO_OPTIONS: HeedConfig = {};

function termsOf(own: HeedConfig, policy: ResolvedPolicy, { timed }: { timed: boolean }): OperationTerms {
  return {
    exchanges: own.exchanges ?? policy.exchanges,
    backoff: policy.backoff,
    jitter: policy.jitter,
    transient: policy.transient,
    notApplied: policy.notApplied,
    reserveMs: spanMs(own.reserve) ?? policy.reserveMs,
    maxHintMs: maxHintMsOf(hintBoundOf(own.maxHint) ?? policy.maxHint, { timed }),
  };
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
