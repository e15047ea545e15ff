import { boundedText } from './bounded-text.js';
import type { RetryBudget } from './budget.js';
import { isFiniteMs, readBudgetMs } from './budget.js';
import { parseHttpDate } from './http-date.js';
import { withoutOws } from './white-space.js';
import type { RetryDelayErrorCode } from './retry-delay-error.js';
import { RetryDelayError } from './retry-delay-error.js';

export type { Duration, RetryBudget } from './budget.js';
export { parseHttpDate } from './http-date.js';
export type { HttpDateFault, HttpDateForm, HttpDateReading } from './http-date.js';
export { isRetryDelayError, RetryDelayError } from './retry-delay-error.js';
export type { RetryDelayErrorCode, RetryDelayFigures } from './retry-delay-error.js';

/** A field value as transports present it: one text, one text per field line, or nothing. */
export type RetryAfterValue = string | readonly string[] | null | undefined;

/** Why a value is of no use. `overflow` is a very long wait, not a short one; `multiple` is several field lines. */
export type RetryAfterFault = 'missing' | 'empty' | 'invalid' | 'overflow' | 'multiple';

/** `delayMs` is 0 or more; `dayName` is there if the text names another day than its date has. */
export type RetryAfterReading =
  | { readonly kind: 'delay-seconds'; readonly delayMs: number }
  | {
      readonly kind: 'http-date';
      readonly atEpochMs: number;
      readonly delayMs: number;
      readonly dayName?: 'wrong';
    }
  | RetryAfterRefusal;

/** A value that tells no wait: neither zero nor "as you like". */
export interface RetryAfterRefusal {
  readonly kind: 'unusable';
  readonly because: RetryAfterFault;
}

/**
 * Reads a Retry-After value, strictly; SP and HTAB around it are not part of it. Never throws.
 * A date at or before `nowEpochMs` is a delay of 0. `overflow` is more than 2^53-1 ms, however many digits
 * it has: a very long wait, never a short one. `multiple` is more than one field line.
 * Only dates need `nowEpochMs`; where it is not finite they are `invalid`.
 * @see RFC 9110 10.2.3
 */
export function parseRetryAfter(raw: RetryAfterValue, nowEpochMs: number): RetryAfterReading {
  const line = soleLine(raw);
  return typeof line === 'string' ? parseLine(line, nowEpochMs) : line;
}

/**
 * The delay in ms that a Retry-After value asks for, if it fits what is left: `budget` is ms or a date-fns
 * `Duration`, and a delay equal to it fits. `now` is a `Date` or ms since 1970.
 * @throws RetryDelayError if there is no usable value, the delay does not fit, or nothing is left of the budget.
 * @throws TypeError if `now` or `budget` is neither of those, or not finite.
 * @see RFC 9110 10.2.3
 */
export function retryDelay(raw: RetryAfterValue, now: Date | number, budget: RetryBudget): number {
  const reading = parseRetryAfter(raw, readEpochMs(now));
  const budgetMs = readBudgetMs(budget);
  if (budgetMs > 0 && reading.kind !== 'unusable' && reading.delayMs <= budgetMs) return reading.delayMs;
  const code = codeOf(reading, budgetMs);
  throw new RetryDelayError(
    `Retry-After ${code}: expected delay-seconds or an HTTP-date within ${budgetMs} ms, got ${shown(raw)}`,
    {
      code,
      budgetMs,
      ...('delayMs' in reading && { delayMs: reading.delayMs }),
      ...('atEpochMs' in reading && { atEpochMs: reading.atEpochMs }),
    },
  );
}

function shown(raw: unknown): string {
  return typeof raw === 'string' ? `"${boundedText(raw)}"` : boundedText(String(raw)) || 'nothing';
}

function codeOf(reading: RetryAfterReading, budgetMs: number): RetryDelayErrorCode {
  if (budgetMs <= 0) return 'budget-spent';
  if (reading.kind !== 'unusable') return 'exceeds-budget';
  if (reading.because === 'empty') return 'missing';
  return reading.because === 'multiple' ? 'invalid' : reading.because;
}

// A Date may come from another realm, where `instanceof` does not know it.
function readEpochMs(now: unknown): number {
  const epochMs = Object.prototype.toString.call(now) === '[object Date]' ? Number(now) : now;
  if (isFiniteMs(epochMs)) return epochMs;
  throw new TypeError(`now: expected a valid Date or finite ms since 1970, got ${boundedText(String(now))}`);
}

// Only a type promises what arrives here.
function soleLine(raw: unknown): string | RetryAfterRefusal {
  try {
    const line: unknown = Array.isArray(raw) && raw.length < 2 ? raw[0] : raw;
    if (typeof line === 'string') return line;
    if (line === undefined || line === null) return unusable('missing');
    return unusable(Array.isArray(line) ? 'multiple' : 'invalid');
  } catch {
    return unusable('invalid'); // a revoked Proxy, a getter that throws
  }
}

function parseLine(line: string, nowEpochMs: number): RetryAfterReading {
  const value = withoutOws(line);
  if (value === '') return unusable('empty');
  // delay-seconds = 1*DIGIT. Asked the other way round, because a match of many megabytes may overflow a stack.
  if (!/\D/.test(value)) {
    // 14 digits are too many in any case, so that a longer number need not be converted.
    const delayMs = Number(value.replace(/^0+/, '').slice(0, 14)) * 1000;
    return delayMs > Number.MAX_SAFE_INTEGER ? unusable('overflow') : { kind: 'delay-seconds', delayMs };
  }
  const date = Number.isFinite(nowEpochMs) ? parseHttpDate(value, nowEpochMs) : unusable('invalid');
  if (date.kind === 'unusable') return unusable('invalid');
  const { atEpochMs, dayName } = date;
  // Rounded up, because now may have a fraction and no wait may end early.
  const delayMs = Math.max(0, Math.ceil(atEpochMs - nowEpochMs));
  return { kind: 'http-date', atEpochMs, delayMs, ...(dayName === 'wrong' && { dayName }) };
}

function unusable(because: RetryAfterFault): RetryAfterRefusal {
  return { kind: 'unusable', because };
}
