import { constructNow } from 'date-fns/constructNow';
import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';

/** The part of a date-fns `Locale` that is used. Its own type would drag in declarations that CommonJS cannot read. */
export interface DistanceLocale {
  readonly formatDistance: (...args: never[]) => string;
}

/** The distance in words, rounded up, so that nobody is told to come back too early; `undefined` when it is over. */
export function distanceUntil(
  atEpochMs: number,
  now: Date | number | undefined,
  locale: DistanceLocale | undefined,
): string | undefined {
  if (!isAhead(atEpochMs, now)) return undefined;
  // Whole seconds first, or the last fraction of a minute would be "60 seconds".
  const seconds = Math.ceil((atEpochMs - epochMsOf(now)) / 1000);
  return formatDistanceStrict(seconds * 1000, 0, {
    roundingMethod: 'ceil',
    ...(locale && { locale: locale as LocaleOfDateFns }),
  });
}

export function isAhead(atEpochMs: number, now: Date | number | undefined): boolean {
  return atEpochMs > epochMsOf(now);
}

function epochMsOf(now: Date | number | undefined): number {
  return Number(now ?? constructNow(undefined));
}

type LocaleOfDateFns = NonNullable<NonNullable<Parameters<typeof formatDistanceStrict>[2]>['locale']>;
