import { milliseconds } from 'date-fns/milliseconds';
import { boundedText } from './bounded-text.js';

/** What is left of the time: ms, or a date-fns `Duration`. */
export type RetryBudget = number | Duration;

/** The shape of a date-fns `Duration`. Its own type would drag in declarations that CommonJS cannot read. */
export interface Duration {
  readonly years?: number | undefined;
  readonly months?: number | undefined;
  readonly weeks?: number | undefined;
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
}

/**
 * A budget in ms, from ms or from a date-fns `Duration`, whose months and years have date-fns' mean length
 * (a year is 365.2425 days). At 0 and below it is spent.
 * @throws TypeError for what is neither or not finite: no unit at all, an unknown unit, an amount of NaN.
 */
export function readBudgetMs(budget: RetryBudget): number {
  const budgetMs: unknown = inMs(budget);
  if (isFiniteMs(budgetMs)) return budgetMs;
  throw new TypeError(`budget: expected finite ms or a date-fns Duration, got ${shown(budget)}`);
}

/** A `Duration` as ms, everything else as it is. The type of date-fns stays inside: see `Duration`. */
export function inMs(span: unknown): unknown {
  return isDuration(span) ? milliseconds(span) : span;
}

// milliseconds() passes over units that it does not know and over NaN: { minute: 5 } would be 0 ms.
function isDuration(value: unknown): value is Parameters<typeof milliseconds>[0] {
  const amounts = Object.entries(value ?? {}).filter(([, amount]) => amount !== undefined);
  return (
    amounts.length > 0 &&
    amounts.every(([unit, amount]) => isFiniteMs(amount) && milliseconds({ [unit]: 1 }) > 0)
  );
}

export function isFiniteMs(value: unknown): value is number {
  return Number.isFinite(value);
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return boundedText(String(value));
  const amounts = Object.entries(value).map((entry) => entry.join(': '));
  return boundedText(`{ ${amounts.join(', ')} }`);
}
