import type { Clock } from '../time/clock.js';
import type { GateBook } from './gate-book.js';
import type { Leg } from './gate-pass.js';
import type { Gate } from './gate.js';
import type { Scope } from '../model.js';
import type { Answer } from './ticket.js';

interface House {
  readonly clock: Clock;
  readonly book: GateBook;
}

/**
 * Gives a pass back to its gates: each gets its own verdict from the one answer. Returns those that the answer
 * touched.
 */
export function attribute(house: House, legs: readonly Leg[], answer: Answer): readonly Gate[] {
  const gates = legs.map(({ gate }) => gate);
  if (answer.kind === 'limited') return limit(house, { gates, answer, legs });
  const nowMonoMs = house.clock.monoMs();
  const isJudged = answer.kind !== 'unjudged';
  legs.forEach((pass, at) =>
    pass.gate.apply({
      kind: 'returned',
      answer: answer.kind,
      pass,
      receivedMonoMs: isJudged ? answer.receivedMonoMs : nowMonoMs,
      moment: pass.gate.moment(nowMonoMs, 0),
      roll: answer.kind === 'failed' ? house.clock.roll() : 0,
      // Like a limit, a quota is counted by the narrowest scope.
      quota: isJudged && at === 0 ? answer.quota : undefined,
    }),
  );
  return gates;
}

/** A limit met by an exchange without a pass; nothing else that it says has an effect. */
export function overhear(house: House, scopes: readonly Scope[], answer: Answer): readonly Gate[] {
  if (answer.kind !== 'limited') return [];
  const nowMonoMs = house.clock.monoMs();
  const gates = scopes.map((scope) => house.book.inUse(scope, nowMonoMs));
  return limit(house, { gates, answer, legs: [] });
}

interface LimitedExchange {
  readonly gates: readonly Gate[];
  readonly answer: Answer & { readonly kind: 'limited' };
  readonly legs: readonly Leg[];
}

/** A limit closes the gate that the server named, else the narrowest, and whatever was probing with it. */
function limit({ clock, book }: House, { gates, answer, legs }: LimitedExchange): readonly Gate[] {
  const nowMonoMs = clock.monoMs();
  const roll = clock.roll();
  const { scope, hintMs, receivedMonoMs, quota } = answer;
  const blamed = scope === undefined ? gates[0] : book.inUse(scope, nowMonoMs);
  const concerned = blamed === undefined || gates.includes(blamed) ? gates : [...gates, blamed];
  for (const gate of concerned) {
    const moment = gate.moment(nowMonoMs, 0);
    const pass = legs.find((leg) => leg.gate === gate);
    if (gate === blamed || pass?.lease !== undefined) {
      const own = gate === gates[0] ? quota : undefined;
      gate.apply({ kind: 'limited', pass, hintMs, receivedMonoMs, quota: own, roll, moment });
    } else if (pass !== undefined) {
      // The limit does not concern it: the server did not get as far as asking.
      const back = { kind: 'returned', answer: 'unjudged', pass, moment, roll } as const;
      gate.apply({ ...back, receivedMonoMs: nowMonoMs });
    }
  }
  if (blamed !== undefined) widen(gates, blamed, nowMonoMs);
  return concerned;
}

/**
 * One narrow limit says nothing about the wider scope. A second, of another gate under it, while the first
 * still holds, closes it until the later of the two; and so on outwards.
 */
function widen(gates: readonly Gate[], closed: Gate, nowMonoMs: number): void {
  const wider = gates[gates.indexOf(closed) + 1];
  const untilMonoMs = closed.heldUntilMonoMs(nowMonoMs);
  if (wider === undefined || wider === gates[0] || untilMonoMs === undefined) return;
  const { evidence } = wider;
  const isSecond = evidence !== undefined && evidence.gate !== closed && evidence.untilMonoMs > nowMonoMs;
  if (!isSecond || evidence.untilMonoMs <= untilMonoMs) wider.evidence = { gate: closed, untilMonoMs };
  if (!isSecond) return;
  const laterMonoMs = Math.max(evidence.untilMonoMs, untilMonoMs);
  wider.apply({ kind: 'closed', untilMonoMs: laterMonoMs, because: 'widened' });
  widen(gates, wider, nowMonoMs);
}
