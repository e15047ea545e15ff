import type { RefusalReason } from '../reasons.js';
import type { Clock } from '../time/clock.js';
import { latestOf, refusalBy, refusalOf } from './certainty.js';
import type { WaitFacts } from './certainty.js';
import type { GateBook } from './gate-book.js';
import type { Gate } from './gate.js';
import type { Lines, Party, PartyGates, Standing } from './lines.js';
import { PROBE_CANDIDATES, probeAmong } from './probe-choice.js';
import type { EnterTerms, Entered, Pass, Refused, Waiting } from './ticket.js';
import { overdue } from './waiter.js';
import type { WaitingLine } from './waiting-line.js';
import { WakeList } from './wake-list.js';

export interface TurnstileOptions {
  readonly clock: Clock;
  readonly lines: Lines;
  readonly book: GateBook;
  readonly maxQueued: number;
  /** Takes a pass from every gate in one step. */
  readonly take: (party: Party, gates: PartyGates) => Pass;
  readonly refused: (party: Party, gate: Gate, refused: Refused) => void;
}

/**
 * Where operations wait. Each stands in the line of the first gate that refuses it, narrow to wide; woken it
 * asks all its gates again, and takes all its passes or none.
 */
export class Turnstile {
  readonly #options: TurnstileOptions;
  readonly #wakes: WakeList = new WakeList();
  readonly #touched: Set<Gate> = new Set();
  #settling = false;

  constructor(options: TurnstileOptions) {
    this.#options = options;
  }

  /** When the next gate has something to do that nothing else will remind it of. */
  get wakeAtMonoMs(): number | undefined {
    return this.#wakes.nextMonoMs;
  }

  enter(party: Party, gates: PartyGates, terms: EnterTerms): Entered | Waiting {
    const { clock, lines, take } = this.#options;
    const nowMonoMs = clock.monoMs();
    const isLate = overdue(terms, clock) === 'deadline-passed';
    const isEarly = isLate || terms.notBeforeMonoMs > nowMonoMs;
    const at = isEarly ? gates[0] : lines.blockerOf(party, gates, nowMonoMs);
    if (at === undefined) return { kind: 'pass', pass: take(party, gates) };
    const entered = isLate
      ? this.#refused(party, at, refusalBy(at, 'deadline-passed', nowMonoMs))
      : this.#wait(party, { at, gates, terms, nowMonoMs });
    // Whoever could go by now goes when the timer fires: calls that come in one go must not let each other in.
    for (const gate of gates) this.#setTimer(gate, nowMonoMs);
    return entered;
  }

  /** The wait ends at once, and the next in line is looked at. */
  leave(party: Party): void {
    const { standing } = party;
    if (standing === undefined) return;
    this.#end(standing, { kind: 'left' }, 'unserved');
    this.settle([standing.at]);
  }

  /** Settles every waiter of an owner. */
  detach(owner: object): void {
    const theirs = [...this.#options.lines.standings()].filter(({ party }) => party.owner === owner);
    for (const standing of theirs) this.#refuse(standing, 'detached');
    this.settle(theirs.map(({ at }) => at));
  }

  /** Wakes the gates whose instant has come. */
  wake(): void {
    this.settle(this.#wakes.takeDue(this.#options.clock.monoMs()));
  }

  /** Brings gates up to date: whoever may go goes, and whoever cannot be in time is told. */
  settle(gates: Iterable<Gate>): void {
    for (const gate of gates) this.#touched.add(gate);
    if (this.#settling) return;
    this.#settling = true;
    try {
      // A gate that is touched again meanwhile comes to the end of the set and is seen again.
      for (const gate of this.#touched) {
        this.#touched.delete(gate);
        this.#settleGate(gate);
      }
    } finally {
      this.#settling = false;
    }
  }

  #settleGate(gate: Gate): void {
    const { clock, lines } = this.#options;
    const nowMonoMs = clock.monoMs();
    const line = lines.of(gate);
    if (line !== undefined) {
      line.wake(nowMonoMs);
      this.#letGo(gate, line, nowMonoMs);
      this.#refuseHopeless(gate, line, nowMonoMs);
    }
    if (line === undefined || line.due === 0) gate.apply({ kind: 'emptied', nowMonoMs });
    this.#setTimer(gate, nowMonoMs);
  }

  /** When it has something to do by itself; with nobody waiting it may be forgotten. */
  #setTimer(gate: Gate, nowMonoMs: number): void {
    const { lines, book } = this.#options;
    const line = lines.of(gate);
    book.rest(gate, nowMonoMs, line === undefined ? 'none' : 'some');
    if (line === undefined) {
      this.#wakes.remove(gate);
      return;
    }
    const room = line.due === 0 ? undefined : gate.room(lines.momentAt(gate, nowMonoMs, 0));
    const roomAtMonoMs =
      room?.kind === 'room' ? nowMonoMs : room?.kind === 'not-before' ? room.atMonoMs : undefined;
    this.#wakes.set(gate, [line.nextDueMonoMs, line.nextLatestMonoMs, roomAtMonoMs]);
  }

  #letGo(gate: Gate, line: WaitingLine<Standing>, nowMonoMs: number): void {
    const { lines, take } = this.#options;
    while (line.due > 0 && gate.room(lines.momentAt(gate, nowMonoMs, 0)).kind === 'room') {
      const chosen = this.#choose(nextOf(gate, line), nowMonoMs);
      if (chosen === undefined) continue;
      this.#end(chosen, { kind: 'pass', pass: take(chosen.party, chosen.gates) }, 'served');
      for (const other of chosen.gates) if (other !== gate) this.#touched.add(other);
    }
  }

  /** Of those who are next, who goes; undefined when the first of them has left the line instead. */
  #choose(next: readonly Standing[], nowMonoMs: number): Standing | undefined {
    const { clock, lines } = this.#options;
    const late = next.filter(({ terms }) => overdue(terms, clock) !== undefined);
    for (const standing of late) this.#refuseLate(standing);
    if (late.length > 0) return undefined;
    for (const standing of next) this.#renew(standing, nowMonoMs);
    const able = next.filter(({ party, gates }) => lines.blockerOf(party, gates, nowMonoMs) === undefined);
    if (able.length > 0) return probeAmong(able);
    for (const first of next.slice(0, 1)) this.#move(first, nowMonoMs);
    return undefined;
  }

  /** Some of its gates may have been forgotten while it waited. */
  #renew(standing: Standing, nowMonoMs: number): void {
    const gates = this.#options.book.alive(standing.gates, nowMonoMs);
    if (gates === standing.gates) return;
    standing.gates = gates;
    for (const gate of gates) this.#touched.add(gate);
  }

  #wait(party: Party, wish: Omit<WaitFacts, 'ahead'>): Refused | Waiting {
    const { clock, lines } = this.#options;
    const { at, gates, terms, nowMonoMs } = wish;
    const ahead = lines.of(at)?.due ?? 0;
    const refused = refusalOf({ ...wish, ahead }, clock) ?? this.#refusalWhenFull(at, nowMonoMs);
    if (refused !== undefined) return this.#refused(party, at, refused);
    const entered = new Promise((settle: (entered: Entered) => void) => {
      party.standing = {
        party,
        terms,
        settle,
        gates,
        at,
        latestMonoMs: latestOf(terms, clock),
        dueSinceMonoMs: nowMonoMs,
        stands: 'due',
        linePlace: undefined,
        latestPlace: undefined,
      };
      lines.add(party.standing, nowMonoMs);
    });
    const releaseAtMonoMs = at.heldUntilMonoMs(nowMonoMs);
    return { kind: 'waiting', gate: at.label, state: at.record.state.kind, ahead, releaseAtMonoMs, entered };
  }

  #refusalWhenFull(at: Gate, nowMonoMs: number): Refused | undefined {
    const { lines, maxQueued } = this.#options;
    return lines.waiting >= maxQueued ? refusalBy(at, 'queue-full', nowMonoMs) : undefined;
  }

  /** Into the line of the gate that refuses now; what is certain there is told at once. */
  #move(standing: Standing, nowMonoMs: number): void {
    const { lines, clock } = this.#options;
    const { terms, party, gates } = standing;
    const at = lines.blockerOf(party, gates, nowMonoMs);
    if (at === undefined) return;
    const ahead = lines.of(at)?.due ?? 0;
    const refused = refusalOf({ gates, terms, nowMonoMs, at, ahead }, clock);
    if (refused !== undefined) {
      this.#end(standing, this.#refused(party, at, refused), 'unserved');
      return;
    }
    lines.remove(standing, 'unserved');
    standing.at = at;
    lines.add(standing, nowMonoMs);
    this.#touched.add(at);
  }

  /** Those whose time runs out now or before the hold ends, and those whose own bound the hold exceeds. */
  #refuseHopeless(gate: Gate, line: WaitingLine<Standing>, nowMonoMs: number): void {
    const untilMonoMs = gate.heldUntilMonoMs(nowMonoMs);
    for (;;) {
      const standing = line.tooLate(nowMonoMs, untilMonoMs);
      if (standing === undefined) break;
      this.#refuseLate(standing);
    }
    if (untilMonoMs === undefined) return;
    for (const standing of line.unwillingFor(untilMonoMs - nowMonoMs))
      this.#refuse(standing, 'hint-too-long');
  }

  #refuseLate(standing: Standing): void {
    this.#refuse(standing, overdue(standing.terms, this.#options.clock) ?? 'deadline-too-near');
  }

  #refuse(standing: Standing, because: RefusalReason): void {
    const { at, party } = standing;
    const refused = refusalBy(at, because, this.#options.clock.monoMs());
    this.#end(standing, this.#refused(party, at, refused), 'unserved');
  }

  #refused(party: Party, gate: Gate, refused: Refused): Refused {
    this.#options.refused(party, gate, refused);
    return refused;
  }

  #end(standing: Standing, entered: Entered, how: 'served' | 'unserved'): void {
    this.#options.lines.remove(standing, how);
    standing.party.standing = undefined;
    standing.settle(entered);
  }
}

/** A probe is chosen among some; else the first goes. */
function nextOf(gate: Gate, line: WaitingLine<Standing>): readonly Standing[] {
  if (gate.record.state.kind === 'probing') return line.firstFew(PROBE_CANDIDATES);
  return line.first === undefined ? [] : [line.first];
}
