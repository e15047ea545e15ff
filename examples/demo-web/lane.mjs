/**
 * One client's own copy of the API: a quota that refills steadily, and an outage on request. Two clients that
 * shared one would disturb each other, and nothing could be compared.
 */
export class Lane {
  #quota = { perSecond: 10, burst: 20 };
  #tokens = this.#quota.burst;
  #filledAtMs;
  #downUntilMs = 0;
  #tick = { served: 0, refused: 0 };
  #totals = { served: 0, refused: 0, most: 0 };

  constructor(nowMs) {
    this.#filledAtMs = nowMs;
  }

  set perSecond(perSecond) {
    this.#quota = { perSecond, burst: 2 * perSecond };
  }

  breakDown(nowMs, forMs) {
    this.#downUntilMs = nowMs + forMs;
  }

  downMs(nowMs) {
    return Math.max(0, Math.round(this.#downUntilMs - nowMs));
  }

  /** 200, 429 or 503, and for a refusal the whole seconds until it makes sense to ask again. */
  answer(nowMs) {
    const refusal = this.#refusal(nowMs);
    const kind = refusal === undefined ? 'served' : 'refused';
    this.#tick[kind] += 1;
    this.#totals[kind] += 1;
    return refusal ?? { status: 200 };
  }

  /** What has arrived since the last call, and in all; `most` is that of the fullest tick. */
  takeTick() {
    const { served, refused } = this.#tick;
    this.#tick = { served: 0, refused: 0 };
    this.#totals.most = Math.max(this.#totals.most, served + refused);
    return { served, refused, totals: { ...this.#totals } };
  }

  #refusal(nowMs) {
    const { perSecond, burst } = this.#quota;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledAtMs) / 1000) * perSecond);
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
