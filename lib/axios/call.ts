import { checkOptions } from '../option-checks.js';
import { DEFAULTS, hintBoundOf, spanMs } from '../options.js';
import type { HeedConfig, HintBound, ResolvedPolicy } from '../options.js';
import type { OperationTerms } from '../operation/ports.js';
import type { Clock } from '../time/clock.js';
import { deadlineAt, deadlineIn, nearerDeadline } from '../time/deadline.js';
import type { Deadline } from '../time/deadline.js';

/** What was resolved when a request came in: the clock of its budget starts here. */
export interface Call {
  readonly terms: OperationTerms;
  readonly idempotent: boolean | undefined;
  readonly turn: string | undefined;
  /** `heed: false`: one exchange, no gate, no wait, no hook. */
  readonly bare: boolean;
}

/** @throws HeedOptionsError for options that are refused */
export function callOf(heed: HeedConfig | false | undefined, policy: ResolvedPolicy, clock: Clock): Call {
  const own = typeof heed === 'object' ? heed : NO_OPTIONS;
  if (own !== NO_OPTIONS) checkOptions(own, 'request');
  const deadline = deadlineOf(own, policy, clock);
  return {
    terms: {
      exchanges: own.exchanges ?? policy.exchanges,
      backoff: policy.backoff,
      jitter: policy.jitter,
      transient: policy.transient,
      notApplied: policy.notApplied,
      deadline,
      reserveMs: spanMs(own.reserve) ?? policy.reserveMs,
      maxHintMs: maxHintMsOf(hintBoundOf(own.maxHint) ?? policy.maxHint, deadline),
    },
    idempotent: own.idempotent,
    turn: own.turn,
    bare: heed === false,
  };
}

const NO_OPTIONS: HeedConfig = {};

// A request's budget replaces the policy's; the nearer of budget and deadline wins.
function deadlineOf(own: HeedConfig, policy: ResolvedPolicy, clock: Clock): Deadline | undefined {
  const budgetMs = spanMs(own.budget) ?? policy.budgetMs;
  const byBudget = budgetMs === undefined ? undefined : deadlineIn(clock, budgetMs);
  if (own.deadline === undefined) return byBudget;
  return nearerDeadline(byBudget, deadlineAt(clock, Number(own.deadline)));
}

function maxHintMsOf(bound: HintBound, deadline: Deadline | undefined): number | undefined {
  switch (bound.kind) {
    case 'at-most':
      return bound.ms;
    case 'none':
      return undefined;
    case 'by-deadline':
      return deadline === undefined ? DEFAULTS.maxHintMs : undefined;
  }
}
