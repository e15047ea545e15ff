import { describe, expect, test } from '@jest/globals';
import type { Clock } from '../../lib/time/clock.js';
import { deadlineAfter, deadlineAt, momentOf, nearerDeadline, remainingMs } from '../../lib/time/deadline.js';
import type { Deadline } from '../../lib/time/deadline.js';

const clockAt = (wallEpochMs: number, monoMs: number): Clock => ({
  wallEpochMs: () => wallEpochMs,
  monoMs: () => monoMs,
  setTimer: () => () => undefined,
  roll: () => 0,
});

const deadlineIn = (clock: Clock, budgetMs: number): Deadline => deadlineAfter(momentOf(clock), budgetMs);

describe('a deadline', () => {
  test('from a budget and from an instant agree', () => {
    const clock = clockAt(1_000_000, 50);
    expect(deadlineIn(clock, 300)).toEqual(deadlineAt(clock, 1_000_300));
  });

  test('comes nearer when the wall clock jumps forward, and no further when it jumps back', () => {
    const deadline = deadlineIn(clockAt(1_000_000, 0), 10_000);
    expect(remainingMs(clockAt(1_002_000, 2000), deadline)).toBe(8000);
    expect(remainingMs(clockAt(1_009_500, 2000), deadline)).toBe(500);
    expect(remainingMs(clockAt(900_000, 2000), deadline)).toBe(8000);
  });

  test('the nearer of two wins, and none is no deadline', () => {
    const near = deadlineIn(clockAt(0, 0), 1);
    const far = deadlineIn(clockAt(0, 0), 2);
    expect(nearerDeadline(far, near)).toBe(near);
    expect(nearerDeadline(undefined, far)).toBe(far);
    expect(nearerDeadline(undefined, undefined)).toBeUndefined();
  });
});
