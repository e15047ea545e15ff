import { noAnswer } from './no-answer.js';

/** Own delay when the server said nothing: `firstMs * factor^(n-1)`, at most `maxMs`; or a function of n. */
export type Backoff =
  | { readonly firstMs: number; readonly factor: number; readonly maxMs: number }
  | ((failures: number) => number);

/**
 * Ms before jitter after the n-th failure in a row (from 1).
 * @throws TypeError when the caller's function gives anything but a finite number of 0 or more
 */
export function backoffMs(backoff: Backoff, failures: number): number {
  if (typeof backoff !== 'function') {
    // Of a power that is too large for a number, nothing is still nothing.
    const power = Math.min(backoff.factor ** (failures - 1), Number.MAX_VALUE);
    return Math.min(backoff.maxMs, backoff.firstMs * power);
  }
  const ms: unknown = backoff(failures);
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= 0) return ms;
  throw noAnswer('backoff', 'milliseconds (finite, >= 0)', ms);
}

/** Jitter only adds: up to 5 * jitter of the delay. */
export function jittered(delayMs: number, jitter: number, roll: number): number {
  return delayMs * (1 + roll * 5 * jitter);
}
