import { describe, expect, jest, test } from '@jest/globals';
import { virtualClock } from '../../lib/testing/virtual-clock.js';
import type { Clock } from '../../lib/time/clock.js';
import { alarmAt } from '../../lib/time/clock.js';

const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.setTimer(ms, resolve);
  });

/** The monotonic instants at which something happened. */
function stamps(clock: Clock): { readonly instants: number[]; readonly stamp: () => void } {
  const instants: number[] = [];
  return { instants, stamp: () => instants.push(clock.monoMs()) };
}

describe('the virtual clock', () => {
  test('stands still until it is told to move', async () => {
    const clock = virtualClock();
    const { instants, stamp } = stamps(clock);
    clock.setTimer(0, stamp);
    for (let turn = 0; turn < 1000; turn += 1) await Promise.resolve();
    expect(instants).toEqual([]);
    expect([clock.monoMs(), clock.wallEpochMs()]).toEqual([0, Date.UTC(2026, 0, 1)]);
  });

  test('moves wall and monotonic time together', async () => {
    const clock = virtualClock({ startEpochMs: 1_000_000, startMonoMs: 50 });
    await clock.advance(1500);
    expect([clock.monoMs(), clock.wallEpochMs()]).toEqual([1550, 1_001_500]);
  });

  test('gives wall time in whole milliseconds and monotonic time in fractions', async () => {
    const clock = virtualClock({ startEpochMs: 1000 });
    await clock.advance(0.75);
    expect([clock.monoMs(), clock.wallEpochMs()]).toEqual([0.75, 1000]);
  });

  test('a jump of the wall moves no timer', async () => {
    const clock = virtualClock({ startEpochMs: 1000 });
    const { instants, stamp } = stamps(clock);
    clock.setTimer(100, stamp);
    clock.jumpWall(3_600_000);
    await clock.advance(99);
    expect([instants, clock.wallEpochMs()]).toEqual([[], 3_601_099]);
    clock.jumpWall(-7_200_000);
    await clock.advance(1);
    expect([instants, clock.wallEpochMs()]).toEqual([[100], -3_598_900]);
  });

  test('fires timers in order, each at its own instant', async () => {
    const clock = virtualClock();
    const { instants, stamp } = stamps(clock);
    for (const ms of [30, 10, 20]) clock.setTimer(ms, stamp);
    await clock.advance(25);
    expect([instants, clock.monoMs()]).toEqual([[10, 20], 25]);
  });

  test('fires what is set on the way, if it is due before the end', async () => {
    const clock = virtualClock();
    const { instants, stamp } = stamps(clock);
    clock.setTimer(10, () => {
      clock.setTimer(5, stamp);
      clock.setTimer(50, stamp);
    });
    await clock.advance(20);
    expect(instants).toEqual([15]);
  });

  test('lets a long chain of promises end before the next timer fires', async () => {
    const clock = virtualClock();
    const order: string[] = [];
    const chain = async (): Promise<void> => {
      await sleep(clock, 10);
      for (let turn = 0; turn < 150; turn += 1) await Promise.resolve();
      order.push('chain');
    };
    void chain();
    clock.setTimer(11, () => order.push('timer'));
    await clock.advance(11);
    expect(order).toEqual(['chain', 'timer']);
  });

  test('lets a chain of promises end that is as long as it likes', async () => {
    const clock = virtualClock();
    const order: string[] = [];
    const chain = async (): Promise<void> => {
      await sleep(clock, 10);
      for (let turn = 0; turn < 20_000; turn += 1) await Promise.resolve();
      order.push('chain');
    };
    void chain();
    clock.setTimer(11, () => order.push('timer'));
    await clock.advance(11);
    expect(order).toEqual(['chain', 'timer']);
  });

  test('does not take a promise for stuck whose chain is long', async () => {
    const clock = virtualClock();
    const work = async (): Promise<string> => {
      for (let turn = 0; turn < 20_000; turn += 1) await Promise.resolve();
      await sleep(clock, 10);
      for (let turn = 0; turn < 20_000; turn += 1) await Promise.resolve();
      return 'done';
    };
    await expect(clock.until(work())).resolves.toBe('done');
  });

  test('settles while timers of the platform are fake', async () => {
    jest.useFakeTimers();
    try {
      const clock = virtualClock();
      await expect(clock.until(sleep(clock, 10).then(() => 'done'))).resolves.toBe('done');
    } finally {
      jest.useRealTimers();
    }
  });

  test('where there are no messages, lets chains of two hundred turns end', async () => {
    const { MessageChannel } = globalThis;
    Object.assign(globalThis, { MessageChannel: undefined });
    try {
      const clock = virtualClock();
      const order: string[] = [];
      void sleep(clock, 10).then(async () => {
        for (let turn = 0; turn < 150; turn += 1) await Promise.resolve();
        order.push('chain');
      });
      clock.setTimer(11, () => order.push('timer'));
      await clock.advance(11);
      expect(order).toEqual(['chain', 'timer']);
    } finally {
      Object.assign(globalThis, { MessageChannel });
    }
  });

  test('keeps no process alive', async () => {
    const clock = virtualClock();
    for (let moves = 0; moves < 10; moves += 1) await clock.advance(1);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort')).toEqual([]);
  });

  test('settles by the way given instead of its own', async () => {
    const settle = jest.fn(async () => {});
    const clock = virtualClock({ settle });
    clock.setTimer(1, () => {});
    await clock.advance(2);
    expect(settle).toHaveBeenCalledTimes(2);
  });

  test('a cancelled timer does not fire', async () => {
    const clock = virtualClock();
    const { instants, stamp } = stamps(clock);
    clock.setTimer(10, stamp)();
    await clock.advance(20);
    expect(instants).toEqual([]);
  });

  test('goes only forward', async () => {
    const clock = virtualClock();
    await clock.advanceTo(10);
    await expect(clock.advanceTo(9)).rejects.toThrow(RangeError);
    await expect(clock.advance(Number.NaN)).rejects.toThrow(RangeError);
    expect(clock.monoMs()).toBe(10);
  });

  test('refuses a second move while one is under way', async () => {
    const clock = virtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(5)).rejects.toThrow('await it');
    await first;
    await clock.advance(5);
    expect(clock.monoMs()).toBe(15);
  });

  test('an error thrown by a timer comes out of the move, and the clock can go on', async () => {
    const clock = virtualClock();
    clock.setTimer(10, () => {
      throw new Error('from the timer');
    });
    await expect(clock.advance(20)).rejects.toThrow('from the timer');
    expect(clock.monoMs()).toBe(10);
    await clock.advance(10);
    expect(clock.monoMs()).toBe(20);
  });

  test('complains of timers that set each other for ever at one instant', async () => {
    const clock = virtualClock({ settle: async () => {} });
    const again = (): void => {
      clock.setTimer(0, again);
    };
    again();
    await expect(clock.advance(1)).rejects.toThrow('for ever at 0 ms');
  });
});

describe('moving until a promise settles', () => {
  test('stops at the instant of the settlement and gives the value', async () => {
    const clock = virtualClock();
    const work = async (): Promise<string> => {
      await sleep(clock, 40);
      await sleep(clock, 60);
      return 'done';
    };
    clock.setTimer(500, () => {});
    await expect(clock.until(work())).resolves.toBe('done');
    expect(clock.monoMs()).toBe(100);
  });

  test('gives the rejection', async () => {
    const clock = virtualClock();
    await expect(clock.until(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  test('says so when no timer is left that could settle it', async () => {
    const clock = virtualClock();
    clock.setTimer(7, () => {});
    await expect(clock.until(new Promise(() => {}))).rejects.toThrow('no timer is left at 7 ms');
  });
});

describe('forgotten sleepers', () => {
  test('are listed with name, age and what is left', async () => {
    const clock = virtualClock();
    clock.reader({ name: 'gates' }).setTimer(500, () => {});
    await clock.advance(300);
    clock.setTimer(50, function poll() {});
    expect(clock.pending).toEqual([
      { name: 'poll', dueMonoMs: 350, ageMs: 0 },
      { name: 'gates', dueMonoMs: 500, ageMs: 300 },
    ]);
    expect(() => {
      clock.assertIdle();
    }).toThrow(
      /2 timers are still set at 300 ms:\n {2}poll: set 0 ms ago, due in 50 ms\n {2}gates: set 300 ms ago/,
    );
  });

  test('are none once they have fired or were cancelled', async () => {
    const clock = virtualClock();
    const cancel = clock.setTimer(500, () => {});
    clock.setTimer(10, () => {});
    await clock.advance(10);
    cancel();
    expect(() => {
      clock.assertIdle();
    }).not.toThrow();
  });
});

describe('hostile timers', () => {
  test('late ones fire at the next full minute', async () => {
    const clock = virtualClock({ timersEveryMs: 60_000 });
    const { instants, stamp } = stamps(clock);
    for (const ms of [1, 60_000, 60_001]) clock.setTimer(ms, stamp);
    await clock.advance(200_000);
    expect(instants).toEqual([60_000, 60_000, 120_000]);
  });

  test('early ones fire early, and an alarm that reads the clock is never early', async () => {
    const clock = virtualClock({ timersEarlyByMs: 3 });
    const plain = stamps(clock);
    const alarm = stamps(clock);
    clock.setTimer(100, plain.stamp);
    alarmAt(clock, 100, alarm.stamp);
    await clock.advance(200);
    expect([plain.instants, alarm.instants]).toEqual([[97], [100]]);
  });
});

describe('chance', () => {
  test('falls the same way for the same seed, and another way for another', () => {
    const rolls = (seed: number): number[] => {
      const clock = virtualClock({ seed });
      return Array.from({ length: 5 }, () => clock.roll());
    };
    expect(rolls(7)).toEqual(rolls(7));
    expect(rolls(7)).not.toEqual(rolls(8));
  });

  test('is spread evenly over 0 to 1', () => {
    const clock = virtualClock();
    const tenths = Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i += 1) tenths[Math.floor(clock.roll() * 10)]! += 1;
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  test('can be taken out', () => {
    expect(virtualClock({ roll: () => 0.25 }).roll()).toBe(0.25);
  });
});

describe('readers', () => {
  test('share the time and have a wall and dice of their own', async () => {
    const clock = virtualClock({ startEpochMs: 0 });
    const ahead = clock.reader({ name: 'tab', seed: 3, wallAheadMs: 5000 });
    const twin = virtualClock().reader({ name: 'twin', seed: 3 });
    const { instants, stamp } = stamps(ahead);
    ahead.setTimer(10, stamp);
    await clock.advance(10);
    expect([instants, ahead.monoMs(), ahead.wallEpochMs()]).toEqual([[10], 10, 5010]);
    expect(ahead.roll()).toBe(twin.roll());
  });
});
