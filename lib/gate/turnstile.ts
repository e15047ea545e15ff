import type { RefusalReason } from '../reasons.js';
import type { Clock } from '../time/clock.js';
import { latestOf, overdue, refusalBy, refusalOf } from './certainty.js';
import type { Bulletin } from './bulletin.js';
import type { GateBook } from './gate-book.js';
import { earliest, isKnown } from './earliest.js';
import { PROBE_CANDIDATES } from './figures.js';
import type { Gate, Waiter } from './gate.js';
import { Heap } from './heap.js';
import { probeAmong } from './probe-choice.js';
import { placeAt } from './standstill.js';
import { emptied } from './transition.js';
import type { Entered, Granted, Refused, Waiting } from './ticket.js';

/**
 * Where operations wait. Each stands in the line of the first gate that refuses it, narrow to wide; woken it
 * asks all its gates again, and takes all its passes or none.
 */
export abstract class Turnstile {
  abstract readonly clock: Clock;
  abstract readonly settings: TurnstileSettings;
  abstract readonly book: GateBook;
  abstract readonly bulletin: Bulletin;
  /** Wherever somebody may wait. */
  abstract readonly everywhere: readonly Gate[];
  /** How many wait, at all gates. */
  waiters: number = 0;
  /** The gates that have something to do at an instant of which nothing else will remind them. */
  readonly #wakes: Heap<Gate> = new Heap('wakePlace', wakesBefore);
  readonly #touched: Set<Gate> = new Set();
  #settling: boolean = false;

  /** A pass from every gate, in one step. */
  abstract take(waiter: Waiter): Granted;

  /** After every step. */
  abstract rest(): void;

  /** When the next gate has something to do. */
  get wakeAtMonoMs(): number | undefined {
    return this.#wakes.first?.wakeAtMonoMs;
  }

  enter(waiter: Waiter, notBeforeMonoMs: number | undefined): Entered | Waiting {
    const nowMonoMs = this.clock.monoMs();
    const { gates } = waiter;
    waiter.dueMonoMs = Math.max(notBeforeMonoMs ?? nowMonoMs, nowMonoMs);
    const isLate = overdue(waiter, this.clock) === 'deadline-passed';
    const isEarly = waiter.dueMonoMs > nowMonoMs;
    const at = isLate || isEarly ? gates[0] : blockerOf(waiter, nowMonoMs);
    let entered: Entered | Waiting;
    if (at === undefined) entered = this.take(waiter);
    else {
      entered = isLate ? this.#refuse(waiter, at, 'deadline-passed') : this.#wait(waiter, at, nowMonoMs);
      // Whoever could go by now goes when the timer fires: calls that come in one go must not let each other in.
      for (const gate of gates) this.#setTimer(gate, nowMonoMs);
    }
    this.rest();
    return entered;
  }

  /** The wait ends at once, and the next in line is looked at. */
  leave(waiter: Waiter): void {
    const { at } = waiter;
    if (at === undefined) return;
    endWait(waiter, { kind: 'left' });
    this.settle([at]);
  }

  /** Settles every waiter of an owner. */
  detach(owner: object): void {
    for (const gate of this.everywhere) {
      for (const waiter of [...gate.line]) {
        if (waiter.owner !== owner) continue;
        this.#refuse(waiter, gate, 'detached');
        this.#touched.add(gate);
      }
    }
    this.settle([]);
  }

  /** Wakes the gates whose instant has come. */
  wake(): void {
    const nowMonoMs = this.clock.monoMs();
    for (;;) {
      const gate = this.#wakes.first;
      if (gate === undefined || gate.wakeAtMonoMs > nowMonoMs) break;
      this.#wakes.remove(gate);
      this.#touched.add(gate);
    }
    this.settle([]);
  }

  /** Brings gates up to date: whoever may go goes, whoever cannot be in time is told, then whoever listens. */
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
    this.rest();
  }

  #settleGate(gate: Gate): void {
    const nowMonoMs = this.clock.monoMs();
    gate.line.wake(nowMonoMs);
    while (gate.line.due > 0 && gate.room(nowMonoMs, 0).kind === 'room') this.#letGo(gate, nowMonoMs);
    this.#refuseHopeless(gate, nowMonoMs);
    if (gate.line.due === 0) gate.become(emptied(gate.record, nowMonoMs));
    this.#setTimer(gate, nowMonoMs);
  }

  /** When it has something to do by itself; with nobody waiting it may be forgotten. */
  #setTimer(gate: Gate, nowMonoMs: number): void {
    const { line } = gate;
    this.book.rest(gate, nowMonoMs);
    this.#wakes.remove(gate);
    const room = line.due === 0 ? undefined : gate.room(nowMonoMs, 0);
    const roomAtMonoMs =
      room?.kind === 'room' ? nowMonoMs : room?.kind === 'not-before' ? room.atMonoMs : undefined;
    const wakeAtMonoMs = earliest(line.nextMonoMs, roomAtMonoMs);
    if (wakeAtMonoMs === undefined) return;
    gate.wakeAtMonoMs = wakeAtMonoMs;
    this.#wakes.add(gate);
  }

  /** Of those who are next, lets one go; or takes out of the line whoever is not to go from there. */
  #letGo(gate: Gate, nowMonoMs: number): void {
    const { line } = gate;
    const isProbing = gate.record.state.kind === 'probing';
    const next = isProbing ? line.firstFew(PROBE_CANDIDATES) : [line.first].filter(isKnown);
    const late = next.filter((waiter) => overdue(waiter, this.clock) !== undefined);
    for (const waiter of late) this.#refuseLate(waiter, gate);
    if (late.length > 0) return;
    for (const waiter of next) this.#renew(waiter, nowMonoMs);
    const chosen = probeAmong(next.filter((waiter) => blockerOf(waiter, nowMonoMs) === undefined));
    if (chosen === undefined) {
      const [first] = next;
      const at = first && blockerOf(first, nowMonoMs);
      if (first !== undefined && at !== undefined) this.#move(first, at, nowMonoMs);
      return;
    }
    endWait(chosen, this.take(chosen));
    for (const other of chosen.gates) if (other !== gate) this.#touched.add(other);
  }

  /** Some of its gates may have been forgotten while it waited. */
  #renew(waiter: Waiter, nowMonoMs: number): void {
    const gates = this.book.alive(waiter.gates, nowMonoMs);
    if (gates === waiter.gates) return;
    waiter.gates = gates;
    for (const gate of gates) this.#touched.add(gate);
  }

  #wait(waiter: Waiter, at: Gate, nowMonoMs: number): Refused | Waiting {
    const place = placeAt(at, nowMonoMs);
    waiter.latestMonoMs = latestOf(waiter, nowMonoMs, this.clock);
    const isPause = waiter.dueMonoMs > nowMonoMs && place.releaseAtMonoMs === undefined;
    const refused = refusalOf(waiter, at, nowMonoMs);
    if (refused !== undefined) return this.#end(waiter, at, refused);
    if (this.waiters >= this.settings.maxQueued && !isPause) return this.#refuse(waiter, at, 'queue-full');
    const entered = new Promise((settle: (entered: Entered) => void) => {
      waiter.settle = settle;
    });
    at.stand(waiter, nowMonoMs);
    return { ...place, entered };
  }

  /** Into the line of the gate that refuses now; what is certain there is told at once. */
  #move(waiter: Waiter, at: Gate, nowMonoMs: number): void {
    const refused = refusalOf(waiter, at, nowMonoMs);
    if (refused !== undefined) {
      this.#end(waiter, at, refused);
      return;
    }
    waiter.at?.stepOut(waiter, 'left');
    at.stand(waiter, nowMonoMs);
    this.#touched.add(at);
  }

  /** Those whose time runs out now or before the hold ends, and those whose own bound the hold exceeds. */
  #refuseHopeless(gate: Gate, nowMonoMs: number): void {
    const { line } = gate;
    const untilMonoMs = gate.heldUntilMonoMs(nowMonoMs);
    for (;;) {
      const waiter = line.tooLate(nowMonoMs, untilMonoMs);
      if (waiter === undefined) break;
      this.#refuseLate(waiter, gate);
    }
    for (const waiter of line.unwillingFor(gate.hintLeftMs(nowMonoMs)))
      this.#refuse(waiter, gate, 'hint-too-long');
  }

  #refuseLate(waiter: Waiter, gate: Gate): void {
    this.#refuse(waiter, gate, overdue(waiter, this.clock) ?? 'deadline-too-near');
  }

  #refuse(waiter: Waiter, gate: Gate, because: RefusalReason): Refused {
    return this.#end(waiter, gate, refusalBy(gate, because, this.clock.monoMs()));
  }

  /** Tells of a refusal, and ends the wait where it has begun. */
  #end(waiter: Waiter, gate: Gate, refused: Refused): Refused {
    this.bulletin.note(gate, { event: 'refused', because: refused.because }, waiter.operation);
    endWait(waiter, refused);
    return refused;
  }
}

export interface TurnstileSettings {
  /** Waiters in all. */
  readonly maxQueued: number;
}

/** Out of its line; a wait that has begun ends. */
function endWait(waiter: Waiter, entered: Entered): void {
  waiter.at?.stepOut(waiter, entered.kind);
  waiter.settle?.(entered);
  waiter.settle = undefined;
}

/** The first of its gates that refuses: it has no room, or older tickets stand there. */
function blockerOf(waiter: Waiter, nowMonoMs: number): Gate | undefined {
  const { at, number } = waiter;
  // Whoever looks on behalf of its own line has seen that there is room.
  return waiter.gates.find(
    (gate) =>
      gate !== at &&
      ((gate.line.first?.number ?? number) < number || gate.room(nowMonoMs, 1).kind !== 'room'),
  );
}

function wakesBefore(a: Gate, b: Gate): boolean {
  return a.wakeAtMonoMs < b.wakeAtMonoMs;
}
