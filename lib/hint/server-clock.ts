import type { FieldValue } from './field-members.js';
import { membersOf } from './field-members.js';
import { parseRetryAfter } from './retry-after.js';

/** What the clock that an HTTP-date goes by showed at receipt. */
export interface ServerClock {
  readonly source: 'server-date' | 'local';
  /** Rather too early than too late: no wait that is measured from it is too short. */
  readonly nowEpochMs: number;
  /** What `Date` says. */
  readonly dateEpochMs?: number;
  /** Server minus local, as exact as the whole seconds of `Date` and `Age` are. */
  readonly skewMs?: number;
  readonly ageSeconds?: number;
}

/**
 * The server's clock as its response shows it: `Date`, moved on by `Age`. The local time of receipt stands
 * in where there is no single valid `Date` (RFC 9110 6.6.1).
 */
export function readServerClock(date: FieldValue, age: FieldValue, receivedEpochMs: number): ServerClock {
  const ageSeconds = readAgeSeconds(age);
  const aged = ageSeconds === undefined ? {} : { ageSeconds };
  const [line, anotherLine] = membersOf(date);
  const generated = parseRetryAfter(anotherLine === undefined ? line : undefined, receivedEpochMs);
  if (generated.kind !== 'http-date') return { source: 'local', nowEpochMs: receivedEpochMs, ...aged };
  const serverEpochMs = generated.atEpochMs + (ageSeconds ?? 0) * 1000;
  return {
    source: 'server-date',
    // Date is cut to whole seconds and so never ahead. An Age may be: up to one second is taken back.
    nowEpochMs: ageSeconds === undefined || ageSeconds === 0 ? serverEpochMs : serverEpochMs - 1000,
    dateEpochMs: generated.atEpochMs,
    skewMs: serverEpochMs - receivedEpochMs,
    ...aged,
  };
}

/** Whether a cache says that it has kept the response: what it tells of the moment is over (RFC 9111 5.1). */
export function isFromCache(age: FieldValue): boolean {
  const [first] = membersOf(age);
  const reading = parseRetryAfter(first, 0);
  if (reading.kind === 'unusable') return reading.because === 'overflow';
  return reading.kind === 'delay-seconds' && reading.delayMs > 0;
}

// RFC 9111 5.1: of a list the first member counts, and an invalid one is ignored. Its grammar is that of
// delay-seconds. RFC 9111 1.2.2: 2^31 stands for "more than could be counted", so it tells no time.
function readAgeSeconds(age: FieldValue): number | undefined {
  const [first] = membersOf(age);
  const reading = parseRetryAfter(first, 0);
  if (reading.kind !== 'delay-seconds') return undefined;
  const seconds = reading.delayMs / 1000;
  return seconds < 2 ** 31 ? seconds : undefined;
}
