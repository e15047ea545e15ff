/** So many in a second, and no more. */
export class PerSecond {
  readonly #most: number;
  #sinceMonoMs: number = 0;
  #count: number = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether this one is within it. */
  take(nowMonoMs: number): boolean {
    if (nowMonoMs - this.#sinceMonoMs >= 1000) {
      this.#sinceMonoMs = nowMonoMs;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#most;
  }
}
