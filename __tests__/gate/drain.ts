import type { GateNote } from '../../lib/gate/gate-note';
import { Gates } from '../../lib/gate/gates';
import type { GatesOptions } from '../../lib/gate/gates';
import type { Scope } from '../../lib/model';
import type { Answer, Entered, Pass } from '../../lib/gate/ticket';
import type { Admission, QuotaModel } from '../../lib/testing/quota-model';
import { seededDice } from '../../lib/testing/seeded-dice';
import { Timeline } from '../../lib/testing/timeline';
import type { Clock } from '../../lib/time/clock';

export interface DrainPlan {
  readonly model: QuotaModel;
  readonly queued: number;
  readonly rttMs: number;
  readonly seed: number;
  /** What the server says of a wait, ms; undefined: nothing. */
  readonly hintMs?: ((waitMs: number, atMs: number) => number | undefined) | undefined;
  readonly headers?: boolean | undefined;
  /** They come to an open gate, not to a held one. */
  readonly open?: boolean | undefined;
  readonly options?: Partial<GatesOptions>;
}

export interface DrainResult {
  readonly accepted: number;
  readonly rejected: number;
  readonly drainMs: number;
  readonly mostIn50Ms: number;
  readonly notes: readonly GateNote[];
  /** Rejections by the epoch of their passes. */
  readonly rejectedByEpoch: ReadonlyMap<number, number>;
}

const SCOPES: readonly Scope[] = [[{ by: 'origin', value: 'simulated', secret: false }]];

/** The real gates before a server of which nothing is known: so many operations, in simulated time. */
export async function drain(plan: DrainPlan): Promise<DrainResult> {
  const world = new DrainWorld(plan);
  return await world.run();
}

export const wholeSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000 - 1e-9)) * 1000;

class DrainWorld {
  readonly #plan: DrainPlan;
  readonly #timeline = new Timeline();
  readonly #roll: () => number;
  readonly #gates: Gates;
  readonly #sends: number[] = [];
  readonly #notes: GateNote[] = [];
  readonly #rejectedByEpoch = new Map<number, number>();
  #epoch = 0;
  #accepted = 0;
  #rejected = 0;
  #lastAcceptedMs = 0;

  constructor(plan: DrainPlan) {
    this.#plan = plan;
    this.#roll = seededDice(plan.seed * 7919 + 13);
    this.#gates = new Gates({
      clock: this.#clock(),
      jitter: 0.1,
      backoffMs: (k) => Math.min(30_000, 500 * 2 ** (k - 1)),
      maxQueued: 1_000_000,
      maxGates: 100,
      maxHoldMs: 3_600_000,
      ...plan.options,
    });
    this.#gates.onNote((note) => {
      this.#notes.push(note);
      this.#epoch = note.epoch;
    });
  }

  async run(): Promise<DrainResult> {
    if (this.#plan.open !== true) this.#hold();
    const all = Promise.all(Array.from({ length: this.#plan.queued }, (_, at) => this.#operate(String(at))));
    await this.#settle(all);
    return {
      accepted: this.#accepted,
      rejected: this.#rejected,
      drainMs: this.#lastAcceptedMs,
      mostIn50Ms: this.#mostIn50Ms(),
      notes: this.#notes,
      rejectedByEpoch: this.#rejectedByEpoch,
    };
  }

  /** The limit that begins the hold; a server that has something left says one second. */
  #hold(): void {
    const answer = this.#received(this.#plan.model.admit(0));
    const limit = { kind: 'limited', receivedMonoMs: 0, hintMs: 1000 } as const;
    this.#gates.overhear(SCOPES, answer.kind === 'limited' ? answer : limit);
  }

  #clock(): Clock {
    return {
      wallEpochMs: () => 1_767_225_600_000 + this.#timeline.nowMs,
      monoMs: () => this.#timeline.nowMs,
      setTimer: (delayMs, fire) => this.#in(delayMs, fire),
      roll: this.#roll,
    };
  }

  async #operate(operation: string): Promise<void> {
    const ticket = this.#gates.ticket({ scopes: SCOPES, owner: this, operation });
    let notBeforeMonoMs = this.#timeline.nowMs;
    for (let exchangesLeft = 1_000_000; ; exchangesLeft -= 1) {
      const answer = ticket.enter({ notBeforeMonoMs, reserveMs: 0, exchangesLeft, repeatable: true });
      const entered: Entered = answer.kind === 'waiting' ? await answer.entered : answer;
      if (entered.kind !== 'pass') throw new Error(`${operation} was ${entered.kind}`);
      const received = await this.#exchange(entered.pass);
      if (received.kind !== 'limited') return;
      notBeforeMonoMs = this.#timeline.nowMs + (received.hintMs ?? 0);
    }
  }

  async #exchange(pass: Pass): Promise<Answer> {
    pass.sent();
    const epoch = this.#epoch;
    this.#sends.push(this.#timeline.nowMs);
    await this.#pause(this.#oneWayMs());
    let admission = this.#plan.model.admit(this.#timeline.nowMs);
    if (admission.kind === 'accepted' && admission.serviceMs > 0) {
      await this.#pause(admission.serviceMs);
      admission = this.#plan.model.finish?.(admission, this.#timeline.nowMs) ?? admission;
    }
    await this.#pause(this.#oneWayMs());
    const answer = this.#received(admission);
    this.#count(answer, epoch);
    pass.report(answer);
    return answer;
  }

  #count(answer: Answer, epoch: number): void {
    if (answer.kind === 'accepted') {
      this.#accepted += 1;
      this.#lastAcceptedMs = this.#timeline.nowMs;
    } else {
      this.#rejected += 1;
      this.#rejectedByEpoch.set(epoch, (this.#rejectedByEpoch.get(epoch) ?? 0) + 1);
    }
  }

  #received(admission: Admission): Answer {
    const receivedMonoMs = this.#timeline.nowMs;
    const quota =
      this.#plan.headers === true && admission.quota !== undefined ? [told(admission.quota)] : undefined;
    if (admission.kind === 'accepted') return { kind: 'accepted', receivedMonoMs, quota };
    const hintMs = (this.#plan.hintMs ?? wholeSeconds)(admission.waitMs, receivedMonoMs);
    return { kind: 'limited', receivedMonoMs, hintMs, quota };
  }

  #oneWayMs(): number {
    return (this.#plan.rttMs / 2) * (0.8 + 0.4 * this.#roll());
  }

  #pause(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#in(ms, wake);
    });
  }

  #in(delayMs: number, fire: () => void): () => void {
    const setAtMs = this.#timeline.nowMs;
    const dueMs = setAtMs + delayMs;
    return this.#timeline.add({ label: 'drain', fire, setAtMs, dueMs, wakeMs: dueMs });
  }

  async #settle(all: Promise<unknown>): Promise<void> {
    const state = { settled: false };
    const mark = (): void => {
      state.settled = true;
    };
    all.then(mark, mark);
    await turns();
    while (!state.settled) {
      const timer = this.#timeline.takeDue(Number.MAX_VALUE);
      if (timer === undefined) throw new Error('nothing is left that could let anybody go');
      timer.fire();
      await turns();
    }
    await all;
  }

  #mostIn50Ms(): number {
    let first = 0;
    return this.#sends.reduce((most, lastMs, last) => {
      while (this.#sends[first]! < lastMs - 50) first += 1;
      return Math.max(most, last - first + 1);
    }, 0);
  }
}

function told<T extends { readonly resetMs: number; readonly windowMs: number }>(quota: T): T {
  return { ...quota, resetMs: wholeSeconds(quota.resetMs), windowMs: wholeSeconds(quota.windowMs) };
}

// An operation that is let go is a few promises away from its next timer.
async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
