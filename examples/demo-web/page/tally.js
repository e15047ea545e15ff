/** What has become of the calls of this tab since it last waited for nothing, through one client. */
export class Tally {
  #beganMs = 0;
  #endedMs = 0;
  #counts = { asked: 0, answered: 0, failed: 0 };

  follow(call) {
    if (this.pending === 0) {
      this.#beganMs = performance.now();
      this.#counts = { asked: 0, answered: 0, failed: 0 };
    }
    const counts = this.#counts;
    counts.asked += 1;
    const count = (key) => () => {
      counts[key] += 1;
      this.#endedMs = performance.now();
    };
    call.then(count('answered'), count('failed'));
  }

  get pending() {
    const { asked, answered, failed } = this.#counts;
    return asked - answered - failed;
  }

  /** From 0 to 1. */
  get share() {
    const { asked, answered } = this.#counts;
    return asked === 0 ? 0 : answered / asked;
  }

  get words() {
    const { asked, answered, failed } = this.#counts;
    if (asked === 0) return 'No call from this tab yet';
    if (this.pending > 0) return `${answered} of ${asked} answered`;
    const took = `in ${((this.#endedMs - this.#beganMs) / 1000).toFixed(1)} s`;
    if (failed === 0)
      return asked === 1 ? `The call was answered ${took}` : `All ${asked} calls answered ${took}`;
    return `${answered} calls answered, ${failed} given up`;
  }
}
