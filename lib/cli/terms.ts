import { DEFAULTS } from '../options.js';
import type { HintBound } from '../options.js';
import type { TermsNote } from '../operation/journal-entry.js';
import type { PolicyChange } from './policy-change.js';
import type { OpenedEntry } from './replayed-entry.js';

/** What decisions are recomputed under: the terms of an operation, as recorded or with changes. */
export interface Terms extends Pick<
  TermsNote,
  'exchanges' | 'jitter' | 'backoff' | 'transient' | 'notApplied'
> {
  readonly maxHintMs?: number | undefined;
  readonly reserveMs?: number | undefined;
  readonly budget: BudgetTerms;
}

export type BudgetTerms =
  /** What remained is in the record. */
  | { readonly kind: 'recorded' }
  /** Another than the recorded one, by so much. */
  | { readonly kind: 'moved'; readonly budgetMs: number; readonly byMs: number }
  /** Where the record has none, or the deadline came from elsewhere: counted from the opening. */
  | { readonly kind: 'counted'; readonly budgetMs: number };

export function recordedTerms({ terms }: OpenedEntry): Terms {
  return { ...terms, budget: { kind: 'recorded' } };
}

export function changedTerms(opened: OpenedEntry, change: PolicyChange): Terms {
  const { terms } = opened;
  return {
    exchanges: change.exchanges ?? terms.exchanges,
    jitter: change.jitter ?? terms.jitter,
    backoff: change.backoff ?? terms.backoff,
    transient: change.transient ?? terms.transient,
    notApplied: change.notApplied ?? terms.notApplied,
    reserveMs: change.reserveMs ?? terms.reserveMs,
    maxHintMs: change.maxHint === undefined ? keptMaxHintMs(opened, change) : maxHintMsOf(change.maxHint),
    budget: budgetOf(opened, change.budgetMs),
  };
}

function maxHintMsOf(bound: HintBound): number | undefined {
  return bound.kind === 'at-most' ? bound.ms : undefined;
}

// The default bound is that of operations without a deadline, and goes where a budget comes.
function keptMaxHintMs({ terms, deadlineEpochMs }: OpenedEntry, change: PolicyChange): number | undefined {
  const gainsDeadline = deadlineEpochMs === undefined && change.budgetMs !== undefined;
  return gainsDeadline && terms.maxHintMs === DEFAULTS.maxHintMs ? undefined : terms.maxHintMs;
}

function budgetOf({ budgetMs: recordedMs }: OpenedEntry, budgetMs: number | undefined): BudgetTerms {
  if (budgetMs === undefined || budgetMs === recordedMs) return { kind: 'recorded' };
  if (recordedMs === undefined) return { kind: 'counted', budgetMs };
  return { kind: 'moved', budgetMs, byMs: budgetMs - recordedMs };
}
