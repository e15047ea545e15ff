import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Timeline } from '../../lib/testing/timeline.js';

const timerAt = (wakeMs: number, fire: () => void = () => {}) => ({
  label: 'timer',
  fire,
  setAtMs: 0,
  dueMs: wakeMs,
  wakeMs,
});

function drain(timeline: Timeline): number[] {
  const wakes: number[] = [];
  for (let timer = timeline.takeDue(1e9); timer; timer = timeline.takeDue(1e9)) wakes.push(timer.wakeMs);
  return wakes;
}

describe('the timeline', () => {
  test('gives timers in the order of their instants, whatever the order in which they were set', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), (instants) => {
        const timeline = new Timeline();
        for (const instant of instants) timeline.add(timerAt(instant));
        expect(drain(timeline)).toEqual([...instants].sort((a, b) => a - b));
      }),
    );
  });

  test('gives timers of one instant in the order in which they were set', () => {
    const timeline = new Timeline();
    const fired: number[] = [];
    for (let i = 0; i < 100; i += 1) timeline.add(timerAt(i % 2, () => fired.push(i)));
    for (let timer = timeline.takeDue(1); timer; timer = timeline.takeDue(1)) timer.fire();
    const evenThenOdd = [...Array(50).keys()].map((i) => 2 * i);
    expect(fired).toEqual([...evenThenOdd, ...evenThenOdd.map((i) => i + 1)]);
  });

  test('gives everything but what was cancelled, and knows what is left', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ instant: fc.nat(50), cancelled: fc.boolean() })), (timers) => {
        const timeline = new Timeline();
        const cancels = timers.map(({ instant }) => timeline.add(timerAt(instant)));
        timers.forEach(({ cancelled }, i) => {
          if (cancelled) cancels[i]!();
        });
        const kept = timers.filter(({ cancelled }) => !cancelled).map(({ instant }) => instant);
        expect(timeline.pending).toHaveLength(kept.length);
        expect(drain(timeline)).toEqual(kept.sort((a, b) => a - b));
      }),
    );
  });

  test('takes no notice of a cancellation after the timer has fired', () => {
    const timeline = new Timeline();
    const cancel = timeline.add(timerAt(1));
    timeline.add(timerAt(2));
    timeline.takeDue(1);
    cancel();
    expect(drain(timeline)).toEqual([2]);
  });

  test('never moves back: a timer set in the past fires now', () => {
    const timeline = new Timeline();
    timeline.nowMs = 100;
    timeline.add(timerAt(3));
    timeline.takeDue(100);
    expect(timeline.nowMs).toBe(100);
  });
});
