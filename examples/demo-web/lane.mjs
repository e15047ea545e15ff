/**
 * One client's own copy of the API: a quota that refills steadily, and an outage on request. Two clients that
 * shared one would disturb each other, and nothing could be compared.
 */
export class Lane {
  #tokens = 0;
  #filledAtMs = 0;
  #downUntilMs = 0;
  #tick = { served: 0, refused: 0 };
  #quota = { perSecond: 10, burst: 20 };

  constructor(nowMs) {
    this.reset(nowMs);
  }

  reset(nowMs) {
    this.#tokens = this.#quota.burst;
    this.#filledAtMs = nowMs;
    this.#downUntilMs = 0;
  }

  set perSecond(perSecond) {
    this.#quota = { perSecond, burst: 2 * perSecond };
  }

  breakDown(nowMs, forMs) {
    this.#downUntilMs = nowMs + forMs;
  }

  downMs(nowMs) {
    return Math.max(0, this.#downUntilMs - nowMs);
  }

  /** 200, 429 or 503, and for a refusal the whole seconds until it makes sense to ask again. */
  answer(nowMs) {
    const refusal = this.#refusal(nowMs);
    this.#tick[refusal === undefined ? 'served' : 'refused'] += 1;
    return refusal ?? { status: 200 };
  }

  /** What has arrived since the last call. */
  takeTick() {
    const tick = this.#tick;
    this.#tick = { served: 0, refused: 0 };
    return tick;
  }

  #refusal(nowMs) {
    const { perSecond, burst } = this.#quota;
    const grownMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(burst, this.#tokens + (grownMs / 1000) * perSecond);
    this.#filledAtMs = nowMs;
    if (nowMs < this.#downUntilMs) return refusalOf(503, this.#downUntilMs - nowMs);
    if (this.#tokens < 1) return refusalOf(429, ((1 - this.#tokens) / perSecond) * 1000);
    this.#tokens -= 1;
    return undefined;
  }
}

function refusalOf(status, waitMs) {
  return { status, retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) };
}
