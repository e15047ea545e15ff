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
    return Math.min(backoff.maxMs, backoff.firstMs * backoff.factor ** (failures - 1));
  }
  const ms: unknown = backoff(failures);
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= 0) return ms;
  throw noAnswer('backoff', 'milliseconds (finite, >= 0)', ms);
}

/** Jitter only adds: up to 5 * jitter of the delay. */
export function jittered(delayMs: number, jitter: number, roll: number): number {
  return delayMs * (1 + roll * 5 * jitter);
}
