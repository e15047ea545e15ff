import type { Clock } from '../time/clock.js';
import type { GateBook } from './gate-book.js';
import type { GatePass } from './gate-pass.js';
import type { Gate } from './gate.js';
import type { Lines } from './lines.js';
import type { Scope } from './scope-key.js';
import type { Answer } from './ticket.js';

interface AttributionOptions {
  readonly clock: Clock;
  readonly book: GateBook;
  readonly lines: Lines;
}

/** Which gates an answer concerns: each gate of an exchange gets its own verdict from the one answer. */
export class Attribution {
  readonly #options: AttributionOptions;
  /** By wider gate: the narrower one under it that was limited, and until when it is held. */
  readonly #evidence: WeakMap<Gate, Evidence> = new WeakMap();

  constructor(options: AttributionOptions) {
    this.#options = options;
  }

  /** Gives the pass back to its gates. Returns those that the answer touched. */
  report(pass: GatePass, answer: Answer): readonly Gate[] {
    const gates = pass.legs.map(({ gate }) => gate);
    if (answer.kind === 'limited') return this.#limit({ gates, answer, pass });
    this.#giveBack(pass, answer);
    return gates;
  }

  /** A limit met by an exchange without a pass; nothing else that it says has an effect. */
  overhear(scopes: readonly Scope[], answer: Answer): readonly Gate[] {
    if (answer.kind !== 'limited') return [];
    const nowMonoMs = this.#options.clock.monoMs();
    return this.#limit({ gates: scopes.map((scope) => this.#options.book.inUse(scope, nowMonoMs)), answer });
  }

  #giveBack(pass: GatePass, answer: Exclude<Answer, Limit>): void {
    const { clock, lines } = this.#options;
    const nowMonoMs = clock.monoMs();
    for (const leg of pass.legs) {
      leg.gate.apply({
        kind: 'returned',
        answer: answer.kind,
        pass: pass.factsOf(leg),
        receivedMonoMs: answer.kind === 'unjudged' ? nowMonoMs : answer.receivedMonoMs,
        moment: lines.momentAt(leg.gate, nowMonoMs, 0),
        roll: answer.kind === 'failed' ? clock.roll() : 0,
        // Like a limit, a quota is counted by the narrowest scope.
        quota: answer.kind === 'unjudged' || leg !== pass.legs[0] ? undefined : answer.quota,
      });
    }
  }

  /** A limit closes the gate that the server named, else the narrowest, and whatever was probing with it. */
  #limit(exchange: LimitedExchange): readonly Gate[] {
    const { clock, book } = this.#options;
    const { gates, answer } = exchange;
    const nowMonoMs = clock.monoMs();
    const roll = clock.roll();
    const named = answer.scope === undefined ? undefined : book.inUse(answer.scope, nowMonoMs);
    const blamed = named ?? gates[0];
    const concerned = blamed === undefined || gates.includes(blamed) ? gates : [...gates, blamed];
    for (const gate of concerned) this.#judgeLimit(gate, exchange, { nowMonoMs, roll, blamed });
    if (blamed !== undefined) this.#widen(gates, blamed, nowMonoMs);
    return concerned;
  }

  #judgeLimit(
    gate: Gate,
    { gates, answer, pass }: LimitedExchange,
    { nowMonoMs, roll, blamed }: Judgement,
  ): void {
    const moment = this.#options.lines.momentAt(gate, nowMonoMs, 0);
    const leg = pass?.legs.find((one) => one.gate === gate);
    const facts = leg && pass?.factsOf(leg);
    if (gate === blamed || leg?.lease !== undefined) {
      const { hintMs, receivedMonoMs } = answer;
      const quota = gate === gates[0] ? answer.quota : undefined;
      gate.apply({ kind: 'limited', pass: facts, hintMs, receivedMonoMs, quota, roll, moment });
    } else if (facts !== undefined) {
      // The limit does not concern it: the server did not get as far as asking.
      gate.apply({
        kind: 'returned',
        answer: 'unjudged',
        pass: facts,
        receivedMonoMs: nowMonoMs,
        moment,
        roll,
      });
    }
  }

  /**
   * One narrow limit says nothing about the wider scope. A second, of another gate under it, while the first
   * still holds, closes it until the later of the two; and so on outwards.
   */
  #widen(gates: readonly Gate[], closed: Gate, nowMonoMs: number): void {
    const wider = gates[gates.indexOf(closed) + 1];
    const untilMonoMs = closed.heldUntilMonoMs(nowMonoMs);
    if (wider === undefined || wider === gates[0] || untilMonoMs === undefined) return;
    const before = this.#evidence.get(wider);
    const stands = before !== undefined && before.gate !== closed && before.untilMonoMs > nowMonoMs;
    if (!stands) {
      this.#evidence.set(wider, { gate: closed, untilMonoMs });
      return;
    }
    const later = before.untilMonoMs > untilMonoMs ? before : { gate: closed, untilMonoMs };
    this.#evidence.set(wider, later);
    wider.apply({ kind: 'closed', untilMonoMs: later.untilMonoMs, because: 'widened' });
    this.#widen(gates, wider, nowMonoMs);
  }
}

type Limit = Answer & { readonly kind: 'limited' };

interface Judgement {
  readonly nowMonoMs: number;
  readonly roll: number;
  readonly blamed: Gate | undefined;
}

interface LimitedExchange {
  readonly gates: readonly Gate[];
  readonly answer: Limit;
  /** Absent: it was sent without one. */
  readonly pass?: GatePass;
}

interface Evidence {
  readonly gate: Gate;
  readonly untilMonoMs: number;
}
