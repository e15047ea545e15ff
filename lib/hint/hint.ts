import { boundedText } from './bounded-text.js';
import type { FieldValue } from './field-members.js';
import { known } from './known.js';
import { shownReading } from './shown-reading.js';

/** A server's instruction about when to come back, and where it comes from. */
export interface Hint {
  /** The field that said so, in small letters; a place in the body by its path, such as `body.retry_after`. */
  readonly source: string;
  /** The value as it came: at most 128 characters, controls escaped. */
  readonly raw: string;
  readonly form: HintForm;
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
  /** An instant that had passed at receipt. */
  readonly elapsed?: true;
  /** The date names another day of the week than it falls on. */
  readonly dayName?: 'wrong';
}

/** How the wait was written; `documented` is what the vendor tells clients to wait where no field does. */
export type HintForm =
  | 'delay-seconds'
  | 'http-date'
  | 'seconds'
  | 'milliseconds'
  | 'go-duration'
  | 'epoch-seconds'
  | 'epoch-milliseconds'
  | 'rfc3339'
  | 'documented'
  | 'own';

/** What an instant was measured against; a number of seconds needs no clock. */
export type ClockUsed = 'none' | 'server-date' | 'local';

/** What a reader may see of a response. */
export interface HintFacts {
  readonly status: number;
  /** By name in small letters; `undefined` if the field is not there. */
  readonly header: (name: string) => FieldValue;
  /** The names of all fields, in small letters. */
  readonly headerNames: () => readonly string[];
  /** The local clock at receipt. */
  readonly receivedEpochMs: number;
  /** As the adapter gave it, before axios' transforms: JSON is still text. */
  readonly body?: unknown;
  /** Set where a browser keeps fields from scripts that the server did not expose (CORS). */
  readonly headersMayBeHidden?: boolean | undefined;
}

/** What a response says about the wait. Neither of `malformed` and `overflow` is silence, or a short wait. */
export type HintReading =
  /** `overrules`: a finer twin of that field, for those who asked for it. */
  | { readonly kind: 'hint'; readonly hint: Hint; readonly overrules?: 'retry-after' }
  | { readonly kind: 'silent'; readonly because: 'missing' | 'not-visible' }
  | { readonly kind: 'silent'; readonly because: 'reader-failed'; readonly source: string }
  | {
      readonly kind: 'malformed';
      readonly because: 'empty' | 'invalid';
      readonly source: string;
      readonly raw: string;
    }
  | {
      readonly kind: 'overflow';
      readonly source: string;
      readonly raw: string;
      readonly overrules?: 'retry-after';
    };

/** What is left of one of the server's quotas. In whatever unit: a request takes one of it, or more. */
export interface QuotaReading {
  readonly kind: 'quota';
  readonly source: string;
  readonly raw: string;
  /** The server's name for it. */
  readonly policy?: string;
  readonly remaining: number;
  readonly limit?: number;
  /** From receipt until it is renewed. */
  readonly resetMs?: number;
  readonly windowMs?: number;
  /** Where an instant was named for that: what it was measured against, as with hints. */
  readonly clock?: ClockUsed;
  readonly skewMs?: number;
}

/**
 * The server's own judgment of its answer: `final` says that sending again is useless, `transient` that it
 * is not (which grants no permission), `limit` that this is a "not now" whatever the status.
 */
export interface VerdictReading {
  readonly kind: 'verdict';
  readonly verdict: 'final' | 'transient' | 'limit';
  readonly source: string;
  readonly raw: string;
  /** With `limit`: what the limit is counted by. */
  readonly scope?: NamedScope;
}

/** What a server says its limit is counted by, as one part of a scope. */
export interface NamedScope {
  readonly by: string;
  readonly value: string;
  /** Whom it concerns where no scope of the request has that part; `request`: nobody else. */
  readonly reach: 'narrowest' | 'widest' | 'request';
}

/** All that a reader may say. */
export type Reading = HintReading | QuotaReading | VerdictReading;

/**
 * Looks for one dialect of hints in a response; an empty list is silence. It may throw: `readHints` takes
 * that for silence and says so.
 */
export type HintReader = (facts: HintFacts) => Reading | readonly Reading[];

/** The reading that tells the wait, and what readers said beside it. */
export type WeighedReading = HintReading & {
  /** Other waits, and what was malformed. */
  readonly passedOver?: readonly HintReading[];
  readonly quota?: readonly QuotaReading[];
  readonly said?: readonly VerdictReading[];
};

/**
 * Asks all readers. What overrules Retry-After comes first, then Retry-After, then all others; of equals the
 * latest release counts, an overflow being the latest of all. Where nobody tells a wait, the first malformed
 * reading counts, then the first silence.
 * A reader that throws, or says what cannot be, counts as silent: `reader-failed`.
 */
export function readHints(facts: HintFacts, readers: readonly HintReader[]): WeighedReading {
  const readings = readers.flatMap((reader) => readingsOf(reader, facts));
  const waits = readings.filter(isAboutTheWait);
  const chosen = waits.reduce((best, one) => (isBefore(one, best) ? one : best), waits[0] ?? MISSING);
  if (readings.length === 1 && readings[0] === chosen) return chosen;
  const passedOver = waits.filter((reading) => reading !== chosen && saysSomething(reading));
  const quota = readings.filter(({ kind }) => kind === 'quota') as readonly QuotaReading[];
  const said = readings.filter(({ kind }) => kind === 'verdict') as readonly VerdictReading[];
  return known({ ...chosen, passedOver: some(passedOver), quota: some(quota), said: some(said) });
}

function some<One>(all: readonly One[]): readonly One[] | undefined {
  return all.length > 0 ? all : undefined;
}

/** What stands for no answer at all, too. */
export const MISSING: HintReading = { kind: 'silent', because: 'missing' };

function isAboutTheWait(reading: Reading): reading is HintReading {
  return reading.kind !== 'quota' && reading.kind !== 'verdict';
}

function isBefore(one: HintReading, other: HintReading): boolean {
  const ahead = rankOf(one) - rankOf(other);
  return ahead > 0 || (ahead === 0 && releaseMs(one) > releaseMs(other));
}

/** The same for readings among which the latest release counts. */
function rankOf(reading: HintReading): number {
  switch (reading.kind) {
    case 'silent':
      return 0;
    case 'malformed':
      return 1;
    case 'hint':
    case 'overflow':
      if (reading.overrules !== undefined) return 4;
      return (reading.kind === 'hint' ? reading.hint : reading).source === 'retry-after' ? 3 : 2;
  }
}

function releaseMs(reading: HintReading): number {
  if (reading.kind === 'overflow') return Number.MAX_SAFE_INTEGER;
  return reading.kind === 'hint' ? reading.hint.delayMs : 0;
}

// Readers may be the application's own, and what they say ends in a timer.
function readingsOf(reader: HintReader, facts: HintFacts): readonly Reading[] {
  let readings: readonly Reading[] = [];
  try {
    readings = [reader(facts)].flat();
    if (readings.every(isSound)) return readings.map(shownReading);
  } catch {
    // told below
  }
  // Nobody waits for a promise, and its rejection would end a Node process.
  for (const one of readings) Promise.resolve(one).catch(() => undefined);
  return [{ kind: 'silent', because: 'reader-failed', source: boundedText(reader.name) }];
}

function isSound(reading: Reading): boolean {
  switch (reading.kind) {
    case 'hint':
      return isAmount(reading.hint.delayMs);
    case 'quota':
      return isAmount(reading.remaining) && isAmount(reading.resetMs ?? reading.windowMs ?? 0);
    case 'silent':
    case 'malformed':
    case 'overflow':
    case 'verdict':
      return true;
    default:
      return false;
  }
}

function isAmount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function saysSomething(reading: HintReading): boolean {
  return reading.kind !== 'silent' || reading.because === 'reader-failed';
}
