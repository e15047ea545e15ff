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
  // Like a limit, a quota is counted by the narrowest scope.
  legs.forEach((leg, at) => giveBack(house, leg, { answer, isNarrowest: at === 0 }));
  return gates;
}

/** A limit met by an exchange without a pass; nothing else that it says has an effect. */
export function overhear(house: House, scopes: readonly Scope[], answer: Answer): readonly Gate[] {
  if (answer.kind !== 'limited') return [];
  const nowMonoMs = house.clock.monoMs();
  const gates = scopes.map((scope) => house.book.inUse(scope, nowMonoMs));
  return limit(house, { gates, answer, legs: [] });
}

type Limit = Answer & { readonly kind: 'limited' };

interface Return {
  readonly answer: Exclude<Answer, Limit>;
  readonly isNarrowest: boolean;
}

function giveBack({ clock }: House, pass: Leg, { answer, isNarrowest }: Return): void {
  const nowMonoMs = clock.monoMs();
  const isJudged = answer.kind !== 'unjudged';
  // Field by field: a spread costs more than all the rest of an exchange at an open gate.
  pass.gate.apply({
    kind: 'returned',
    answer: answer.kind,
    pass,
    receivedMonoMs: isJudged ? answer.receivedMonoMs : nowMonoMs,
    quota: isJudged && isNarrowest ? answer.quota : undefined,
    moment: pass.gate.moment(nowMonoMs, 0),
    roll: answer.kind === 'failed' ? clock.roll() : 0,
  });
}

const UNJUDGED = { kind: 'unjudged' } as const;

interface LimitedExchange {
  readonly gates: readonly Gate[];
  readonly answer: Limit;
  readonly legs: readonly Leg[];
}

/** A limit closes the gate that the server named, else the narrowest, and whatever was probing with it. */
function limit(house: House, { gates, answer, legs }: LimitedExchange): readonly Gate[] {
  const { clock, book } = house;
  const nowMonoMs = clock.monoMs();
  const roll = clock.roll();
  const { scope, quota } = answer;
  const blamed = scope === undefined ? gates[0] : book.inUse(scope, nowMonoMs);
  const concerned = new Set(blamed === undefined ? gates : [...gates, blamed]);
  for (const gate of concerned) {
    const pass = legs.find((leg) => leg.gate === gate);
    if (gate === blamed || pass?.lease !== undefined) {
      const own = gate === gates[0] ? quota : undefined;
      gate.apply({ ...answer, quota: own, pass, roll, moment: gate.moment(nowMonoMs, 0) });
    } else if (pass !== undefined) {
      // The limit does not concern it: the server did not get as far as asking.
      giveBack(house, pass, { answer: UNJUDGED, isNarrowest: false });
    }
  }
  if (blamed !== undefined) widen(gates, blamed, nowMonoMs);
  return [...concerned];
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
  const laterMonoMs = Math.max(untilMonoMs, isSecond ? evidence.untilMonoMs : untilMonoMs);
  if (laterMonoMs === untilMonoMs) wider.evidence = { gate: closed, untilMonoMs };
  if (!isSecond) return;
  wider.apply({ kind: 'closed', untilMonoMs: laterMonoMs, because: 'widened' });
  widen(gates, wider, nowMonoMs);
}
