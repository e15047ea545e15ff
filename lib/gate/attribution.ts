import type { Clock } from '../time/clock.js';
import type { Bulletin } from './bulletin.js';
import type { GateBook } from './gate-book.js';
import type { PassFacts } from './gate-event.js';
import type { Gate } from './gate.js';
import type { Scope } from '../model.js';
import type { Answer, QuotaNews } from './ticket.js';

/** What is needed of the gates around. */
export interface Attribution {
  readonly clock: Clock;
  readonly book: GateBook;
  readonly bulletin: Bulletin;
  settle(gates: Iterable<Gate>): void;
}

/**
 * Gives a pass back to its gates: each gets its own verdict from the one answer. Of an exchange without a pass
 * only a limit has an effect.
 */
export function attribute(house: Attribution, sent: Sent, answer: Answer): void {
  house.settle(house.bulletin.of(sent.operation, () => judge(house, sent, answer)));
}

/** One gate's share in a pass. */
export interface Leg extends PassFacts {
  readonly gate: Gate;
  sentMonoMs: number;
}

/** What was sent: with a pass, or past the gates of its scopes without one. */
export interface Sent {
  readonly operation: string | undefined;
  readonly legs?: readonly Leg[];
  readonly scopes?: readonly Scope[];
}

/** A limit closes the gate that the server named, else the narrowest, and whatever was probing with it. */
function judge({ clock, book }: Attribution, sent: Sent, answer: Answer): Iterable<Gate> {
  const { legs = [], scopes = [] } = sent;
  const nowMonoMs = clock.monoMs();
  const isLimit = answer.kind === 'limited';
  const gates = legs.map((leg) => leg.gate);
  if (isLimit) gates.push(...scopes.map((scope) => book.inUse(scope, nowMonoMs)));
  const roll = isLimit ? clock.roll() : 0;
  const blamed = isLimit && answer.scope ? book.inUse(answer.scope, nowMonoMs) : gates[0];
  if (blamed === undefined) return gates;
  const concerned = isLimit ? new Set([...gates, blamed]) : gates;
  const said: Said = answer;
  for (const gate of concerned) {
    const pass = legs.find((leg) => leg.gate === gate);
    const moment = gate.moment(nowMonoMs, 0);
    // Like a limit, a quota is counted by the narrowest scope.
    const quota = gate === gates[0] ? said.quota : undefined;
    if (isLimit && (gate === blamed || pass?.lease !== undefined))
      gate.apply({ ...answer, quota, pass, roll, moment });
    else if (pass !== undefined)
      // Field by field: a spread costs more than all the rest of an exchange at an open gate.
      gate.apply({
        kind: 'returned',
        // A limit does not concern the others: the server did not get as far as asking.
        answer: isLimit ? 'unjudged' : answer.kind,
        pass,
        receivedMonoMs: said.receivedMonoMs ?? nowMonoMs,
        quota: isLimit ? undefined : quota,
        moment,
        roll: answer.kind === 'failed' ? clock.roll() : 0,
      });
  }
  if (isLimit) widen(gates, blamed, nowMonoMs);
  return concerned;
}

/** What answers say, as far as they do. */
interface Said {
  readonly kind: Answer['kind'];
  readonly receivedMonoMs?: number | undefined;
  readonly quota?: readonly QuotaNews[] | undefined;
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
