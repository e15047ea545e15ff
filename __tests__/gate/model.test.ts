import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GateNote } from '../../lib/gate/gate-note';
import { Gates } from '../../lib/gate/gates';
import type { Scope } from '../../lib/model';
import type { Answer, EnterTerms, Entered, Pass } from '../../lib/gate/ticket';
import { seededDice } from '../../lib/testing/seeded-dice';
import { virtualClock } from '../../lib/testing/virtual-clock';
import type { VirtualClock } from '../../lib/testing/virtual-clock';
import { ORIGIN, routeOf } from './gate-world';

const NARROW = [routeOf('GET /a'), routeOf('GET /b')];
const SCOPES: readonly (readonly Scope[])[] = [
  [NARROW[0]!, ORIGIN],
  [NARROW[1]!, ORIGIN],
  [NARROW[0]!],
  [ORIGIN],
  [],
];

interface OperationPlan {
  readonly atMs: number;
  readonly scopes: number;
  readonly exchanges: number;
  readonly budgetMs: number | undefined;
  readonly reserveMs: number;
  readonly maxHoldMs: number | undefined;
  readonly leaveAfterMs: number | undefined;
  readonly repeatable: boolean;
  readonly turn: string | undefined;
}

interface Disturbance {
  readonly atMs: number;
  readonly what: 'wall-forward' | 'wall-back' | 'hold' | 'release' | 'overheard';
  readonly ms: number;
}

interface Plan {
  readonly seed: number;
  readonly jitter: number;
  readonly concurrency: number | undefined;
  readonly operations: readonly OperationPlan[];
  readonly disturbances: readonly Disturbance[];
  /** Shares of the answers, in parts of their sum. */
  readonly answers: {
    readonly accepted: number;
    readonly limited: number;
    readonly failed: number;
    readonly hangs: number;
  };
}

const time = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const operationPlan: fc.Arbitrary<OperationPlan> = fc.record({
  atMs: time(20_000),
  scopes: time(SCOPES.length - 1),
  exchanges: fc.integer({ min: 1, max: 4 }),
  budgetMs: maybe(time(30_000)),
  reserveMs: fc.constantFrom(0, 0, 100),
  maxHoldMs: maybe(fc.constantFrom(1000, 60_000)),
  leaveAfterMs: maybe(time(5000)),
  repeatable: fc.boolean(),
  turn: fc.constantFrom(undefined, undefined, 'x', 'y'),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  seed: fc.integer(),
  jitter: fc.constantFrom(0, 0.1, 1),
  concurrency: maybe(fc.integer({ min: 1, max: 5 })),
  operations: fc.array(operationPlan, { minLength: 1, maxLength: 40 }),
  disturbances: fc.array(
    fc.record({
      atMs: time(20_000),
      what: fc.constantFrom('wall-forward', 'wall-back', 'hold', 'release', 'overheard'),
      ms: time(10_000),
    }),
    { maxLength: 6 },
  ),
  answers: fc.record({ accepted: time(5), limited: time(5), failed: time(2), hangs: time(1) }),
});

/** A world in which everything that can happen does, and which watches what the gates do about it. */
class Model {
  readonly clock: VirtualClock;
  readonly gates: Gates;
  readonly faults: string[] = [];
  readonly #roll: () => number;
  readonly #plan: Plan;
  /** By label: until when nothing may be sent. */
  readonly #heldUntil = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  #ended = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#roll = seededDice(plan.seed);
    this.clock = virtualClock({ seed: plan.seed, settle: turns });
    this.gates = new Gates({
      clock: this.clock,
      jitter: plan.jitter,
      backoffMs: (k) => Math.min(8000, 250 * 2 ** (k - 1)),
      concurrency: plan.concurrency,
      maxQueued: 30,
      maxGates: 100,
      maxHoldMs: 60_000,
    });
    this.gates.onNote((note) => this.#hear(note));
  }

  async run(): Promise<void> {
    for (const disturbance of this.#plan.disturbances) {
      this.clock.setTimer(disturbance.atMs, () => this.#disturb(disturbance));
    }
    const ends = this.#plan.operations.map(async (operation) => {
      await this.#sleep(operation.atMs);
      await this.#operate(operation);
      this.#ended += 1;
    });
    await this.clock.advance(1_000_000);
    if (this.#ended !== ends.length)
      this.faults.push(`${ends.length - this.#ended} operations never settled`);
    this.#checkRest();
  }

  async #operate(facts: OperationPlan): Promise<void> {
    const scopes = SCOPES[facts.scopes]!;
    const began = this.clock.monoMs();
    const ticket = this.gates.ticket({ scopes, turn: facts.turn, owner: this, operation: 'op' });
    const wallEnd = this.clock.wallEpochMs() + (facts.budgetMs ?? 0);
    const deadline =
      facts.budgetMs === undefined ? undefined : { atMonoMs: began + facts.budgetMs, atEpochMs: wallEnd };
    let notBeforeMonoMs = began;
    for (let exchange = 0; exchange < facts.exchanges; exchange += 1) {
      const { reserveMs, maxHoldMs, repeatable } = facts;
      const terms = {
        notBeforeMonoMs,
        deadline,
        reserveMs,
        maxHoldMs,
        repeatable,
        exchangesLeft: facts.exchanges - exchange,
      };
      const answer = ticket.enter(terms);
      if (answer.kind === 'waiting' && facts.leaveAfterMs !== undefined) {
        this.clock.setTimer(facts.leaveAfterMs, () => ticket.leave());
      }
      const entered: Entered = answer.kind === 'waiting' ? await answer.entered : answer;
      if (entered.kind !== 'pass') return;
      this.#checkPass(entered.pass, terms);
      const received = await this.#exchange(entered.pass);
      if (received.kind === 'accepted' || received.kind === 'unjudged') return;
      notBeforeMonoMs = this.clock.monoMs() + (received.kind === 'failed' ? 30 : (received.hintMs ?? 0));
    }
  }

  #checkPass(pass: Pass, { notBeforeMonoMs = 0, deadline }: EnterTerms): void {
    const now = this.clock.monoMs();
    if (now < notBeforeMonoMs) this.faults.push(`sent at ${now}, not before ${notBeforeMonoMs}`);
    if (
      deadline !== undefined &&
      (now >= deadline.atMonoMs || this.clock.wallEpochMs() >= deadline.atEpochMs)
    ) {
      this.faults.push(`sent at ${now} after its deadline`);
    }
    for (const gate of pass.gates) {
      const until = this.#heldUntil.get(gate) ?? 0;
      if (now < until) this.faults.push(`sent at ${now} through ${gate}, held until ${until}`);
      const inFlight = (this.#inFlight.get(gate) ?? 0) + 1;
      this.#inFlight.set(gate, inFlight);
      if (inFlight > (this.#plan.concurrency ?? Number.MAX_VALUE))
        this.faults.push(`${inFlight} in flight at ${gate}`);
    }
  }

  async #exchange(pass: Pass): Promise<Answer> {
    pass.sent();
    await this.#sleep(20 + 200 * this.#roll());
    const answer = await this.#answer();
    for (const gate of pass.gates) this.#inFlight.set(gate, this.#inFlight.get(gate)! - 1);
    if (answer.kind === 'limited') this.#expectHold(pass.gates[0], answer);
    pass.report(answer);
    pass.report({ kind: 'accepted', receivedMonoMs: this.clock.monoMs() });
    return answer;
  }

  async #answer(): Promise<Answer> {
    const { accepted, limited, failed, hangs } = this.#plan.answers;
    const lot = this.#roll() * (accepted + limited + failed + hangs + 1);
    const receivedMonoMs = this.clock.monoMs();
    if (lot < limited) {
      const hintMs = [undefined, 0, 500, 3000, 20_000][Math.floor(this.#roll() * 5)];
      return { kind: 'limited', receivedMonoMs, hintMs };
    }
    if (lot < limited + failed) return { kind: 'failed', receivedMonoMs };
    if (lot < limited + failed + hangs) {
      await this.#sleep(30_000);
      return { kind: 'unjudged' };
    }
    return { kind: 'accepted', receivedMonoMs };
  }

  #expectHold(
    gate: string | undefined,
    { receivedMonoMs, hintMs = 250 }: Answer & { kind: 'limited' },
  ): void {
    if (gate === undefined) return;
    this.#heldUntil.set(gate, Math.max(this.#heldUntil.get(gate) ?? 0, receivedMonoMs + hintMs));
  }

  /** Whatever the gates say of a hold binds them as well. */
  #hear(note: GateNote): void {
    if (note.event === 'hold-began' || note.event === 'hold-extended') {
      this.#heldUntil.set(note.gate, Math.max(this.#heldUntil.get(note.gate) ?? 0, note.untilMonoMs));
    }
  }

  #disturb({ what, ms }: Disturbance): void {
    const { clock, gates } = this;
    switch (what) {
      case 'wall-forward':
        clock.jumpWall(ms);
        break;
      case 'wall-back':
        clock.jumpWall(-ms);
        break;
      case 'hold':
        gates.hold({ by: 'route', value: 'GET /a' }, clock.wallEpochMs() + ms, 'by hand');
        break;
      case 'release':
        // By hand everything may be sent again.
        this.#heldUntil.clear();
        gates.release({ by: 'origin', value: 'https://a.example' });
        break;
      case 'overheard':
        gates.overhear([NARROW[0]!, ORIGIN], { kind: 'limited', receivedMonoMs: clock.monoMs(), hintMs: ms });
    }
  }

  #checkRest(): void {
    const { gates, waiting } = this.gates.snapshot();
    if (waiting !== 0) this.faults.push(`${waiting} still wait`);
    for (const { gate, inFlight } of gates) {
      if (inFlight !== 0) this.faults.push(`${inFlight} passes of ${gate} were lost`);
    }
    if (this.clock.pending.length > 0) this.faults.push('a timer is left');
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.clock.setTimer(ms, wake);
    });
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}

describe('whatever happens', () => {
  test('nobody is sent before an instant or after a deadline, everybody settles, and no pass is lost', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (one) => {
        const model = new Model(one);
        await model.run();
        expect(model.faults).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
