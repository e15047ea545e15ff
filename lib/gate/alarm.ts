import { alarmAt } from '../time/clock.js';
import type { CancelTimer, Clock } from '../time/clock.js';

/** The one timer of all gates: set for the earliest instant, and none when there is nothing to wait for. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #cancel: CancelTimer | undefined;
  #atMonoMs: number | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** An alarm that is set too early is left: whoever it wakes sets the next. */
  setFor(atMonoMs: number | undefined): void {
    if (atMonoMs !== undefined && this.#atMonoMs !== undefined && this.#atMonoMs <= atMonoMs) return;
    this.#clear();
    if (atMonoMs === undefined) return;
    this.#atMonoMs = atMonoMs;
    this.#cancel = alarmAt(this.#clock, atMonoMs, () => {
      this.#atMonoMs = undefined;
      this.#cancel = undefined;
      this.#ring();
    });
  }

  #clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#atMonoMs = undefined;
  }
}
