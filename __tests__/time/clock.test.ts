import { describe, expect, jest, test } from '@jest/globals';
import { alarmAt, LONGEST_TIMER_MS, systemClock } from '../../lib/time/clock.js';
import type { Clock } from '../../lib/time/clock.js';

/** A clock whose timers fire when the test says so, and not when they should. */
function handClock(): Clock & {
  nowMs: number;
  timers: { delayMs: number; fire: () => void; cancelled: boolean }[];
} {
  const clock = {
    nowMs: 0,
    timers: [] as { delayMs: number; fire: () => void; cancelled: boolean }[],
    wallEpochMs: () => clock.nowMs,
    monoMs: () => clock.nowMs,
    setTimer: (delayMs: number, fire: () => void) => {
      const timer = { delayMs, fire, cancelled: false };
      clock.timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    roll: () => 0,
  };
  return clock;
}

describe('alarmAt', () => {
  test('splits a wait above 2^31-1 ms, which every platform fires at once', () => {
    const clock = handClock();
    const fire = jest.fn();
    const thirtyDaysMs = 30 * 24 * 3600 * 1000;
    alarmAt(clock, thirtyDaysMs, fire);
    expect(clock.timers[0]?.delayMs).toBe(LONGEST_TIMER_MS);
    clock.nowMs = LONGEST_TIMER_MS;
    clock.timers[0]?.fire();
    expect(fire).not.toHaveBeenCalled();
    expect(clock.timers[1]?.delayMs).toBe(thirtyDaysMs - LONGEST_TIMER_MS);
    clock.nowMs = thirtyDaysMs;
    clock.timers[1]?.fire();
    expect(fire).toHaveBeenCalledTimes(1);
  });

  test('goes on waiting when its timer fires early', () => {
    const clock = handClock();
    const fire = jest.fn();
    alarmAt(clock, 5, fire);
    clock.nowMs = 4.2;
    clock.timers[0]?.fire();
    expect(fire).not.toHaveBeenCalled();
    expect(clock.timers[1]?.delayMs).toBe(1);
  });

  test('cancels the timer that is armed now, not the first one', () => {
    const clock = handClock();
    const cancel = alarmAt(clock, 5, () => undefined);
    clock.nowMs = 4;
    clock.timers[0]?.fire();
    cancel();
    expect(clock.timers[1]?.cancelled).toBe(true);
  });

  test('asks for no negative delay when the instant has passed', () => {
    const clock = handClock();
    clock.nowMs = 10;
    alarmAt(clock, 5, () => undefined);
    expect(clock.timers[0]?.delayMs).toBe(0);
  });
});

describe('the platform clock', () => {
  test('never fires an alarm early by its own reading, of 300 alarms of 5 ms', async () => {
    const early = await Promise.all(
      Array.from(
        { length: 300 },
        () =>
          new Promise<number>((resolve) => {
            const atMonoMs = systemClock.monoMs() + 5;
            alarmAt(systemClock, atMonoMs, () => {
              resolve(Math.min(0, systemClock.monoMs() - atMonoMs));
            });
          }),
      ),
    );
    expect(early.filter((ms) => ms < 0)).toEqual([]);
  });

  test('sees fake timers that are installed after import', () => {
    jest.useFakeTimers();
    try {
      const fire = jest.fn();
      alarmAt(systemClock, systemClock.monoMs() + 60_000, fire);
      jest.advanceTimersByTime(59_999);
      expect(fire).not.toHaveBeenCalled();
      jest.advanceTimersByTime(2);
      expect(fire).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });

  test('rolls from 0 to below 1', () => {
    const rolls = Array.from({ length: 100 }, () => systemClock.roll());
    expect(rolls.every((roll) => roll >= 0 && roll < 1)).toBe(true);
  });
});
