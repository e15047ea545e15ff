/**
 * The core's only contact with time and chance: two readings, one timer, one die.
 * `wallEpochMs` may jump and is for HTTP-dates and journal stamps; `monoMs` only goes forward and is for
 * every wait. Inject your own in tests, see `axios-heed/testing`.
 */
export interface Clock {
  /** Wall time, ms since 1970-01-01T00:00:00Z. */
  wallEpochMs(): number;
  /** Monotonic time, ms since an arbitrary origin; may be fractional. */
  monoMs(): number;
  /**
   * Runs `fire` once, about `delayMs` from now (0 to 2^31-1), unless cancelled. May be early by a few
   * milliseconds or late by any amount: whoever asks reads the clock again.
   */
  setTimer(delayMs: number, fire: () => void): CancelTimer;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  roll(): number;
}

/** Takes a timer back; once it has fired, without effect. */
export type CancelTimer = () => void;

// A timer of more than 2^31-1 ms fires at once in every browser and in Node.
export const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The platform's clock. The globals are looked up at each call, so that fake timers installed after import
 * are seen. Timers keep a Node process alive: there is one only while an operation waits.
 */
export const systemClock: Clock = {
  wallEpochMs: () => Date.now(),
  monoMs: () => (typeof performance === 'undefined' ? steadyMs() : performance.now()),
  setTimer: (delayMs, fire) => {
    const timer = setTimeout(fire, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
  roll: () => Math.random(),
};

let lastEpochMs = 0;
let steppedBackMs = 0;

/** Where there is no `performance`: the wall clock, kept from going back. Forward jumps nobody can tell there. */
function steadyMs(): number {
  const nowEpochMs = Date.now();
  steppedBackMs += Math.max(0, lastEpochMs - nowEpochMs);
  lastEpochMs = nowEpochMs;
  return nowEpochMs + steppedBackMs;
}

/**
 * The wall instant of a monotonic one, to be shown. Whole ms, rounded up: a Date cuts a fraction off, and a gate that
 * opens then would still be closed.
 */
export function shownEpochMs(clock: Clock, atMonoMs: number): number {
  return Math.ceil(clock.wallEpochMs() + atMonoMs - clock.monoMs());
}

/**
 * Runs `fire` once at or after the monotonic instant, never before it, whatever the length of the wait.
 */
export function alarmAt(clock: Clock, instantMonoMs: number, fire: () => void): CancelTimer {
  const arm = (): CancelTimer => {
    const leftMs = instantMonoMs - clock.monoMs();
    return clock.setTimer(Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(leftMs))), ring);
  };
  const ring = (): void => {
    // Timers fire early by up to some milliseconds, and long waits come in parts.
    if (clock.monoMs() < instantMonoMs) cancel = arm();
    else fire();
  };
  let cancel = arm();
  return () => {
    cancel();
  };
}
