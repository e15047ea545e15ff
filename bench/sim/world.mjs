// One simulated world: time, a server behind a network, clients with the real gates, and what happened.
const SCOPES = [[{ by: 'origin', value: 'simulated', secret: false }]];
const OWN_BACKOFF = { firstMs: 500, factor: 2, maxMs: 30_000 };
const EXCHANGES = 1_000_000; // nobody gives up: what is measured is the gate

export class World {
  constructor(kit, server, { rttMs, seed, headers = false }) {
    this.kit = kit;
    this.model = server.make();
    this.hint = server.hint?.() ?? kit.wholeSeconds;
    this.rttMs = rttMs;
    this.headers = headers;
    this.seed = seed;
    this.roll = kit.seededDice(seed * 7919 + 13);
    this.timeline = new kit.Timeline();
    this.sends = [];
    this.stats = { accepted: 0, rejected: 0, refused: 0, lastAcceptedMs: 0 };
  }

  get nowMs() {
    return this.timeline.nowMs;
  }

  at(ms, fire) {
    return this.timeline.add({
      label: 'world',
      fire,
      setAtMs: this.nowMs,
      dueMs: ms,
      wakeMs: Math.max(ms, this.nowMs),
    });
  }

  /** A process of its own: gates, dice, and nothing in common with the others but the server. */
  client(index = 0, options = {}) {
    const clock = {
      wallEpochMs: () => 1_767_225_600_000 + this.nowMs,
      monoMs: () => this.nowMs,
      setTimer: (delayMs, fire) => this.at(this.nowMs + delayMs, fire),
      roll: this.kit.seededDice(this.seed * 1_000_003 + index),
    };
    const gates = new this.kit.Gates({
      clock,
      jitter: 0.1,
      backoffMs: (failures) => this.kit.backoffMs(OWN_BACKOFF, failures),
      maxQueued: 1_000_000,
      maxGates: 10_000,
      maxHoldMs: 3_600_000,
      ...options,
    });
    return { gates, clock };
  }

  /** One answer at once, without a network: the limit that begins the hold. */
  async limitAtOnce(client) {
    const admission = this.model.admit(0);
    const waitMs = admission.kind === 'rejected' ? admission.waitMs : 1000;
    const ticket = this.ticket(client);
    const entered = await enter(ticket, client);
    entered.pass.sent();
    entered.pass.report({ kind: 'limited', receivedMonoMs: 0, ...this.spoken(waitMs) });
    ticket.leave();
  }

  /** Sends one operation through the client's gates until it is accepted. Resolves with how it ended. */
  async operation(client, model = this.model) {
    const ticket = this.ticket(client);
    let notBeforeMonoMs = this.nowMs;
    for (let spent = 0; ; spent += 1) {
      const entered = await enter(ticket, client, notBeforeMonoMs, spent);
      if (entered.kind !== 'pass') {
        this.stats.refused += 1;
        return entered;
      }
      const answer = await this.exchange(entered.pass, model);
      entered.pass.report(answer);
      if (answer.kind === 'accepted') {
        ticket.leave();
        return entered;
      }
      notBeforeMonoMs = this.nowMs + (answer.hintMs ?? 0);
    }
  }

  ticket(client) {
    this.operations = (this.operations ?? 0) + 1;
    return client.gates.ticket({ scopes: SCOPES, owner: client, operation: String(this.operations) });
  }

  exchange(pass, model = this.model) {
    pass.sent();
    this.sends.push(this.nowMs);
    return new Promise((resolve) => {
      this.at(this.nowMs + this.oneWayMs(), () => {
        const admission = model.admit(this.nowMs);
        const serviceMs = admission.kind === 'accepted' ? admission.serviceMs : 0;
        const comeBack = (final) => {
          const spoken = {
            ...(final.kind === 'accepted' ? {} : this.spoken(final.waitMs)),
            ...this.toldQuota(final),
          };
          this.at(this.nowMs + this.oneWayMs(), () => resolve(this.receive(final.kind, spoken)));
        };
        if (serviceMs === 0) comeBack(admission);
        else
          this.at(this.nowMs + serviceMs, () => comeBack(model.finish?.(admission, this.nowMs) ?? admission));
      });
    });
  }

  receive(kind, spoken) {
    if (kind === 'accepted') {
      this.stats.accepted += 1;
      this.stats.lastAcceptedMs = this.nowMs;
      return { kind: 'accepted', receivedMonoMs: this.nowMs, ...spoken };
    }
    this.stats.rejected += 1;
    return { kind: 'limited', receivedMonoMs: this.nowMs, ...spoken };
  }

  spoken(waitMs) {
    const text = this.hint(waitMs, this.nowMs);
    return text === undefined ? {} : { hintMs: Number(text) * 1000 };
  }

  /** What quota headers say, in whole seconds. */
  toldQuota({ quota }) {
    if (!this.headers || quota === undefined) return {};
    const wholeMs = (ms) => Math.max(1, Math.ceil(ms / 1000 - 1e-9)) * 1000;
    return { quota: [{ ...quota, resetMs: wholeMs(quota.resetMs), windowMs: wholeMs(quota.windowMs) }] };
  }

  oneWayMs() {
    return (this.rttMs / 2) * (0.8 + 0.4 * this.roll());
  }

  /** Runs until the promise settles, or until the time is up. */
  async runUntil(promise, limitMs) {
    let settled = false;
    promise.then(() => (settled = true));
    await turn();
    while (!settled) {
      const timer = this.timeline.takeDue(limitMs);
      if (timer === undefined) return false;
      timer.fire();
      await turn();
    }
    return true;
  }

  /** Most sends within 50 ms. */
  get mostIn50Ms() {
    let first = 0;
    return this.sends.reduce((most, lastMs, last) => {
      while (this.sends[first] < lastMs - 50) first += 1;
      return Math.max(most, last - first + 1);
    }, 0);
  }
}

async function enter(ticket, client, notBeforeMonoMs = 0, spent = 0) {
  const terms = { notBeforeMonoMs, reserveMs: 0, exchangesLeft: EXCHANGES - spent, repeatable: true };
  const entered = ticket.enter(terms);
  return entered.kind === 'waiting' ? await entered.entered : entered;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
