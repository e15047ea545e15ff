import { boundedText } from './bounded-text.js';
import type { FieldValue } from './field-members.js';
import { membersOf } from './field-members.js';
import type { RetryAfterReading } from './retry-after.js';
import { parseRetryAfter } from './retry-after.js';
import { readServerClock } from './server-clock.js';
import type { ServerClock } from './server-clock.js';

/** A server's instruction about when to come back, and where it comes from. */
export interface Hint {
  /** The field that said so, in small letters. */
  readonly source: string;
  /** The value as it came: at most 128 characters, controls escaped. */
  readonly raw: string;
  readonly form: 'delay-seconds' | 'http-date';
  /** 0 or more, counted from the receipt of the response. */
  readonly delayMs: number;
  /** The instant that the server named, on its own clock. */
  readonly atEpochMs?: number;
  readonly clock: ClockUsed;
  /** Server minus local, where the response has a `Date`; good to a second or two. */
  readonly skewMs?: number;
  /** How long the response had been in caches, where it says so. */
  readonly ageSeconds?: number;
  /** More than 1: the longest of so many. */
  readonly members?: number;
  /** A date that had passed at receipt. */
  readonly elapsed?: true;
  /** The date names another day of the week than it falls on. */
  readonly dayName?: 'wrong';
}

/** What a date was measured against; a number of seconds needs no clock. */
export type ClockUsed = 'none' | 'server-date' | 'local';

/** What a reader may see of a response. */
export interface HintFacts {
  readonly status: number;
  /** By name in small letters; `undefined` if the field is not there. */
  readonly header: (name: string) => FieldValue;
  /** The local clock at receipt. */
  readonly receivedEpochMs: number;
  readonly body?: unknown;
  /** Set where a browser keeps fields from scripts that the server did not expose (CORS). */
  readonly headersMayBeHidden?: boolean | undefined;
}

/** Neither of `malformed` and `overflow` is silence, and neither is a short wait. */
export type HintReading =
  | { readonly kind: 'hint'; readonly hint: Hint }
  | { readonly kind: 'silent'; readonly because: 'missing' | 'not-visible' }
  | { readonly kind: 'silent'; readonly because: 'reader-failed'; readonly source: string }
  | {
      readonly kind: 'malformed';
      readonly because: 'empty' | 'invalid';
      readonly source: string;
      readonly raw: string;
    }
  | { readonly kind: 'overflow'; readonly source: string; readonly raw: string };

/** Looks for one kind of hint in a response. It may throw: `readHints` takes that for silence and says so. */
export type HintReader = (facts: HintFacts) => HintReading;

/** `passedOver` is what other readers said besides plain silence. */
export type WeighedReading = HintReading & { readonly passedOver?: readonly HintReading[] };

/**
 * Asks all readers, in order of precedence. The first that tells a wait (a hint, or an overflow) counts;
 * if none does, the first malformed one; if there is none either, the first silence.
 * A reader that throws, or whose wait is no number of ms, counts as silent: `reader-failed`.
 */
export function readHints(facts: HintFacts, readers: readonly HintReader[]): WeighedReading {
  const readings = readers.map((reader) => readingOf(reader, facts));
  const chosen = readings.find(({ kind }) => kind === 'hint' || kind === 'overflow') ??
    readings.find(({ kind }) => kind === 'malformed') ??
    readings[0] ?? { kind: 'silent', because: 'missing' };
  const passedOver = readings.filter((reading) => reading !== chosen && saysSomething(reading));
  return passedOver.length === 0 ? chosen : { ...chosen, passedOver };
}

/**
 * Reads Retry-After. Of several members, in several lines or in one, the longest counts, and only if all
 * are valid. A date is measured against the server's own clock where the response shows it.
 * @see RFC 9110 10.2.3
 */
export const retryAfterReader: HintReader = (facts) => {
  const field = facts.header('retry-after');
  if (field === undefined) return silence(facts);
  const clock = readServerClock(facts.header('date'), facts.header('age'), facts.receivedEpochMs);
  const said = longestOf(field, clock.nowEpochMs);
  const origin = { source: 'retry-after', raw: boundedText(textOf(field)) };
  switch (said.kind) {
    case 'longest':
      return { kind: 'hint', hint: { ...origin, ...measured(said, clock) } };
    case 'malformed':
    case 'overflow':
      return { ...said, ...origin };
    case 'nothing':
      return silence(facts);
  }
};

// Whoever can see a Date is shown more than CORS shows by itself.
function silence({ headersMayBeHidden, header }: HintFacts): HintReading {
  const hidden = headersMayBeHidden === true && header('date') === undefined;
  return { kind: 'silent', because: hidden ? 'not-visible' : 'missing' };
}

type Delay = Exclude<RetryAfterReading, { kind: 'unusable' }>;

type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'longest'; readonly delay: Delay; readonly members: number }
  | { readonly kind: 'malformed'; readonly because: 'empty' | 'invalid' }
  | { readonly kind: 'overflow' };

function longestOf(field: FieldValue, nowEpochMs: number): Said {
  let longest: Delay | undefined;
  let members = 0;
  let overflow = false;
  for (const member of membersOf(field)) {
    members += 1;
    const reading = parseRetryAfter(member, nowEpochMs);
    if (reading.kind !== 'unusable') {
      if (longest === undefined || reading.delayMs > longest.delayMs) longest = reading;
    } else if (reading.because === 'overflow') overflow = true;
    else return { kind: 'malformed', because: reading.because === 'empty' ? 'empty' : 'invalid' };
  }
  if (overflow) return { kind: 'overflow' };
  return longest === undefined ? { kind: 'nothing' } : { kind: 'longest', delay: longest, members };
}

function measured(
  { delay, members }: Extract<Said, { kind: 'longest' }>,
  { source, skewMs, ageSeconds }: ServerClock,
): Omit<Hint, 'source' | 'raw'> {
  const { kind: form, delayMs } = delay;
  return {
    form,
    delayMs,
    ...(delay.kind === 'http-date'
      ? {
          atEpochMs: delay.atEpochMs,
          clock: source,
          ...(delayMs === 0 && { elapsed: true }),
          ...(delay.dayName && { dayName: delay.dayName }),
        }
      : { clock: 'none' }),
    ...(skewMs !== undefined && { skewMs }),
    ...(ageSeconds !== undefined && { ageSeconds }),
    ...(members > 1 && { members }),
  };
}

function textOf(field: FieldValue): string {
  return typeof field === 'string' ? field : (field ?? []).join(', ');
}

// Readers may be the application's own, and what they say ends in a timer.
function readingOf(reader: HintReader, facts: HintFacts): HintReading {
  try {
    const reading = reader(facts);
    if (isSound(reading)) return reading;
  } catch {
    // told below
  }
  return { kind: 'silent', because: 'reader-failed', source: reader.name };
}

function isSound(reading: HintReading): boolean {
  switch (reading.kind) {
    case 'hint':
      return reading.hint.delayMs >= 0 && reading.hint.delayMs <= Number.MAX_SAFE_INTEGER;
    case 'silent':
    case 'malformed':
    case 'overflow':
      return true;
    default:
      return false;
  }
}

function saysSomething(reading: HintReading): boolean {
  return reading.kind !== 'silent' || reading.because === 'reader-failed';
}
