import type { StopReason } from '../reasons.js';
import type { DescribeOptions } from './describe-hold.js';
import { distanceUntil, instantIn, presentOf } from './distance.js';

/** What is used of `error.heed`. */
export interface StopFacts {
  readonly reason: StopReason;
  readonly releaseAt?: number | undefined;
  readonly retryable: boolean;
}

/** What to tell, and whether to offer another try. */
export interface StopDescription {
  /** Until calling again makes sense, such as "42 seconds", rounded up; absent when that is at once, or never. */
  readonly distance?: string;
  /** The same instant, ms since 1970. */
  readonly releaseAt?: number;
  /** Whether the person may be offered to try again. */
  readonly retryable: boolean;
  readonly sentence: string;
}

/**
 * What to tell a person whose operation ended without success, from `error.heed`. Whatever may have been
 * done already is called that: nobody is invited to pay twice. Never throws, whatever comes: of a foreign
 * error, too, it may be asked.
 */
export function describeStop(
  report: StopFacts,
  { locale, now }: Pick<DescribeOptions, 'locale' | 'now'> = {},
): StopDescription {
  const { sentence, releaseAt, retryable } = readReport(report);
  const distance =
    retryable && releaseAt !== undefined ? distanceUntil(releaseAt, presentOf(now), locale) : undefined;
  return {
    ...(distance !== undefined && { distance }),
    ...(releaseAt !== undefined && { releaseAt }),
    retryable,
    sentence: distance === undefined ? sentence : `Busy. Try again in ${distance}`,
  };
}

function readReport(report: unknown): Pick<StopDescription, 'retryable' | 'sentence'> & {
  readonly releaseAt: number | undefined;
} {
  try {
    const { reason, releaseAt, retryable } = report as Readonly<Record<keyof StopFacts, unknown>>;
    const known = Object.entries(SENTENCES).find(([name]) => name === reason);
    const sentence = known?.[1] ?? UNKNOWN;
    return { sentence, releaseAt: instantIn(releaseAt), retryable: retryable === true };
  } catch {
    return { sentence: UNKNOWN, releaseAt: undefined, retryable: false };
  }
}

const UNKNOWN = 'It did not work: check what became of it before you try again';
const FAILED = 'The service could not do it';
const BUSY = 'Busy. Try again later';
const IN_DOUBT = 'No answer came back. It may have been done: check before you try again';

const NOT_REPEATED = 'It could not be sent again by itself: check what became of it before you try again';

const SENTENCES: Readonly<Record<StopReason, string>> = {
  cancelled: 'Cancelled',
  'deadline-passed': 'It took too long',
  'server-said-no': FAILED,
  'not-transient': FAILED,
  'outcome-unknown': IN_DOUBT,
  'answer-lost': 'It was done, but the answer was lost on the way: look at the result before you try again',
  'body-not-replayable': NOT_REPEATED,
  'body-changed': NOT_REPEATED,
  'exchanges-spent': FAILED,
  'allowance-empty': BUSY,
  'hint-too-long': BUSY,
  'deadline-too-near': BUSY,
  'queue-full': BUSY,
  detached: 'Cancelled',
  'not-ready': BUSY,
  'hook-failed': FAILED,
  'hook-timed-out': 'It took too long',
};
