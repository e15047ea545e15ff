import type { CancelTimer, Clock } from '../time/clock.js';
import { seededDice } from './seeded-dice.js';
import { settle } from './settle.js';
import { Timeline } from './timeline.js';

/** A Clock for tests: at rest until it is told to move. */
export function virtualClock(options: VirtualClockOptions = {}): VirtualClock {
  return new HandDrivenClock(options);
}

/**
 * A Clock that moves only when it is told to. Timers fire in order, ties as they were set, and promises
 * settle between them, so that a test of minutes takes milliseconds and falls out the same way every time.
 */
export interface VirtualClock extends Clock {
  /** Moves both clocks on, firing what is due on the way. Await it. */
  advance(ms: number): Promise<void>;
  /** The same up to a monotonic instant. @throws RangeError for an instant that has passed */
  advanceTo(monoMs: number): Promise<void>;
  /**
   * Moves from timer to timer until the promise has settled, and gives what it gives.
   * @throws Error when no timer is left that could settle it
   */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Moves wall time alone, forward or back: a correction by NTP, a hand on the clock. */
  jumpWall(ms: number): void;
  /** A second view of the same time. */
  reader(options: ClockReaderOptions): Clock;
  /** Timers that have not fired, in order. */
  readonly pending: readonly PendingTimer[];
  /** @throws Error that lists every timer still set, with its name and age. */
  assertIdle(): void;
}

/** Where time begins, how the dice fall, and how late or early timers are. */
export interface VirtualClockOptions {
  /** Where wall time begins. @default 2026-01-01T00:00:00Z */
  readonly startEpochMs?: number | undefined;
  /** Where monotonic time begins. @default 0 */
  readonly startMonoMs?: number | undefined;
  /** Seed of the dice. @default 1 */
  readonly seed?: number | undefined;
  /** Replaces the dice: `() => 0` takes all chance out. */
  readonly roll?: (() => number) | undefined;
  /** Timers fire only at whole multiples of this, as in a background tab: 60_000. */
  readonly timersEveryMs?: number | undefined;
  /** Timers fire this much too early, by half of their delay at most. */
  readonly timersEarlyByMs?: number | undefined;
  /**
   * Lets promises settle between two timers.
   * @default until no chain of promises goes on; 200 turns of the microtask queue where there is no MessageChannel
   */
  readonly settle?: (() => Promise<void>) | undefined;
}

/** A timer that has not fired: what set it, when it is due, and how long it has been set. */
export interface PendingTimer {
  readonly name: string;
  readonly dueMonoMs: number;
  readonly ageMs: number;
}

/** One reader of the clock's time with a name and dice of its own: a process, a tab, a client. */
export interface ClockReaderOptions {
  readonly name: string;
  readonly seed?: number | undefined;
  /** How far this reader's wall clock is ahead. @default 0 */
  readonly wallAheadMs?: number | undefined;
}

const DEFAULT_START_EPOCH_MS = Date.UTC(2026, 0, 1);

const MOST_TIMERS_AT_ONE_INSTANT = 100_000;

class HandDrivenClock implements VirtualClock {
  readonly #timeline: Timeline = new Timeline();
  readonly #options: VirtualClockOptions;
  readonly #startMonoMs: number;
  readonly #roll: () => number;
  #wallAheadMs: number;
  #advancing = false;
  #firedAtOneInstant = 0;

  constructor(options: VirtualClockOptions) {
    this.#options = options;
    this.#startMonoMs = options.startMonoMs ?? 0;
    this.#wallAheadMs = (options.startEpochMs ?? DEFAULT_START_EPOCH_MS) - this.#startMonoMs;
    this.#timeline.nowMs = this.#startMonoMs;
    this.#roll = options.roll ?? seededDice(options.seed ?? 1);
  }

  wallEpochMs(): number {
    // Date.now() knows whole milliseconds.
    return Math.floor(this.#timeline.nowMs + this.#wallAheadMs);
  }

  monoMs(): number {
    return this.#timeline.nowMs;
  }

  roll(): number {
    return this.#roll();
  }

  setTimer(delayMs: number, fire: () => void): CancelTimer {
    return this.#setNamed(delayMs, fire, fire.name === '' ? 'unnamed' : fire.name);
  }

  reader({ name, seed, wallAheadMs = 0 }: ClockReaderOptions): Clock {
    return {
      wallEpochMs: () => this.wallEpochMs() + wallAheadMs,
      monoMs: () => this.monoMs(),
      setTimer: (delayMs, fire) => this.#setNamed(delayMs, fire, name),
      roll: seed === undefined ? () => this.roll() : seededDice(seed),
    };
  }

  async advance(ms: number): Promise<void> {
    await this.advanceTo(this.#timeline.nowMs + ms);
  }

  async advanceTo(monoMs: number): Promise<void> {
    if (!Number.isFinite(monoMs) || monoMs < this.#timeline.nowMs) {
      throw new RangeError(
        `virtual time goes forward: it is ${this.#timeline.nowMs} ms, asked for ${monoMs}`,
      );
    }
    await this.#alone(() => this.#moveTo(monoMs));
  }

  async until<T>(promise: Promise<T>): Promise<T> {
    const settled: Set<Promise<T>> = new Set();
    const mark = (): void => {
      settled.add(promise);
    };
    promise.then(mark, mark);
    await this.#alone(() => this.#moveUntil(() => settled.has(promise)));
    if (settled.has(promise)) return await promise;
    throw new Error(`no timer is left at ${this.#timeline.nowMs} ms that could settle this promise`);
  }

  jumpWall(ms: number): void {
    this.#wallAheadMs += ms;
  }

  get pending(): readonly PendingTimer[] {
    return this.#timeline.pending.map(({ label, dueMs, setAtMs }) => ({
      name: label,
      dueMonoMs: dueMs,
      ageMs: this.#timeline.nowMs - setAtMs,
    }));
  }

  assertIdle(): void {
    const sleepers = this.pending;
    if (sleepers.length === 0) return;
    const lines = sleepers.slice(0, 20).map(({ name, ageMs, dueMonoMs }) => {
      return `  ${name}: set ${ageMs} ms ago, due in ${dueMonoMs - this.#timeline.nowMs} ms`;
    });
    const count = sleepers.length === 1 ? '1 timer is' : `${sleepers.length} timers are`;
    throw new Error([`${count} still set at ${this.#timeline.nowMs} ms:`, ...lines].join('\n'));
  }

  #setNamed(delayMs: number, fire: () => void, label: string): CancelTimer {
    const setAtMs = this.#timeline.nowMs;
    const dueMs = setAtMs + Math.max(0, delayMs);
    return this.#timeline.add({ label, fire, setAtMs, dueMs, wakeMs: this.#wakeMs(setAtMs, dueMs) });
  }

  #wakeMs(setAtMs: number, dueMs: number): number {
    const { timersEveryMs = 0, timersEarlyByMs = 0 } = this.#options;
    if (timersEveryMs > 0) return Math.ceil(dueMs / timersEveryMs) * timersEveryMs;
    // Half at most: a timer that is early by all of its delay, set again and again, would stop time.
    return dueMs - Math.min(timersEarlyByMs, (dueMs - setAtMs) / 2);
  }

  /** One mover at a time: two would fire each other's timers out of order. */
  async #alone(move: () => Promise<void>): Promise<void> {
    if (this.#advancing) throw new Error('the last move of this virtual clock has not ended: await it');
    this.#advancing = true;
    try {
      await move();
    } finally {
      this.#advancing = false;
    }
  }

  async #moveTo(monoMs: number): Promise<void> {
    await this.#settle();
    while (await this.#fireNext(monoMs));
    this.#timeline.nowMs = monoMs;
  }

  async #moveUntil(isOver: () => boolean): Promise<void> {
    await this.#settle();
    while (!isOver() && (await this.#fireNext(Number.MAX_VALUE)));
  }

  async #fireNext(untilMs: number): Promise<boolean> {
    const beforeMs = this.#timeline.nowMs;
    const timer = this.#timeline.takeDue(untilMs);
    if (timer === undefined) return false;
    this.#firedAtOneInstant = this.#timeline.nowMs === beforeMs ? this.#firedAtOneInstant + 1 : 0;
    if (this.#firedAtOneInstant > MOST_TIMERS_AT_ONE_INSTANT) {
      throw new Error(`timers set each other for ever at ${beforeMs} ms`);
    }
    timer.fire();
    await this.#settle();
    return true;
  }

  async #settle(): Promise<void> {
    if (this.#options.settle === undefined) await settle();
    else await this.#options.settle();
  }
}
