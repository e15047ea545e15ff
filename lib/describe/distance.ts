import { constructNow } from 'date-fns/constructNow';
import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';

/** The part of a date-fns `Locale` that is used. Its own type would drag in declarations that CommonJS cannot read. */
export interface DistanceLocale {
  /** As date-fns has it. */
  readonly formatDistance: (...args: never[]) => string;
}

/** The distance in words, rounded up, so that nobody is told to come back too early; `undefined` when it is over. */
export function distanceUntil(
  atEpochMs: number,
  nowEpochMs: number,
  locale: DistanceLocale | undefined,
): string | undefined {
  if (atEpochMs <= nowEpochMs) return undefined;
  // Whole seconds first, or the last fraction of a minute would be "60 seconds".
  const seconds = Math.ceil((atEpochMs - nowEpochMs) / 1000);
  return formatDistanceStrict(Math.min(seconds * 1000, LAST_EPOCH_MS), 0, {
    roundingMethod: 'ceil',
    ...(locale && { locale: locale as LocaleOfDateFns }),
  });
}

/** What distances are counted from; the present for what is no instant. */
export function presentOf(now: unknown): number {
  try {
    const nowEpochMs = instantIn(Number(now ?? NaN));
    if (nowEpochMs !== undefined) return nowEpochMs;
  } catch {
    // A symbol, or an object that refuses: no instant either.
  }
  return Number(constructNow(undefined));
}

/** An instant that a `Date` can hold, or the nearest; `undefined` for what is none. */
export function instantIn(value: unknown): number | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  return Math.max(-LAST_EPOCH_MS, Math.min(value, LAST_EPOCH_MS));
}

// ECMA-262 21.4.1.1: date-fns throws for what is later.
const LAST_EPOCH_MS = 8.64e15;

type LocaleOfDateFns = NonNullable<NonNullable<Parameters<typeof formatDistanceStrict>[2]>['locale']>;
