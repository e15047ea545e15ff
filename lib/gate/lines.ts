import type { Gate } from './gate.js';
import type { Moment } from './gate-state.js';
import type { Entered } from './ticket.js';
import type { Waiter } from './waiter.js';
import { WaitingLine } from './waiting-line.js';

/** Who asks for passes: an operation, as far as gates know it. */
export interface Party {
  readonly number: number;
  readonly turn: string | undefined;
  readonly owner: object;
  readonly operation: string;
  readonly beganMonoMs: number;
  /** Where it stands, while it waits. */
  standing: Standing | undefined;
}

/** An operation's gates, narrow to wide. */
export type PartyGates = readonly [Gate, ...Gate[]];

/** A party in the line of one gate. */
export interface Standing extends Waiter {
  readonly party: Party;
  readonly settle: (entered: Entered) => void;
  gates: PartyGates;
  at: Gate;
}

/** The lines of all gates that have waiters. */
export class Lines {
  readonly #lines: Map<Gate, WaitingLine<Standing>> = new Map();
  readonly #changed: () => void;
  #waiting = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Waiters in all. */
  get waiting(): number {
    return this.#waiting;
  }

  of(gate: Gate): WaitingLine<Standing> | undefined {
    return this.#lines.get(gate);
  }

  add(standing: Standing, nowMonoMs: number): void {
    const line = this.#lines.get(standing.at) ?? new WaitingLine();
    this.#lines.set(standing.at, line);
    line.add(standing, nowMonoMs);
    this.#waiting += 1;
    this.#changed();
  }

  /** Takes one out that leaves unserved, or that goes. */
  remove(standing: Standing, how: 'unserved' | 'served'): void {
    const line = this.#lines.get(standing.at);
    if (line === undefined) return;
    if (how === 'served') line.serve(standing);
    else line.remove(standing);
    this.#waiting -= 1;
    if (line.size === 0) this.#lines.delete(standing.at);
    this.#changed();
  }

  /** `joining` counts one that asks from outside the line. */
  momentAt(gate: Gate, nowMonoMs: number, joining: 0 | 1): Moment {
    const line = this.#lines.get(gate);
    if (line === undefined) return { nowMonoMs, waiting: joining, headSinceMonoMs: undefined };
    return { nowMonoMs, waiting: line.due + joining, headSinceMonoMs: line.first?.dueSinceMonoMs };
  }

  /** The first of its gates that refuses a party: it has no room, or older tickets stand there. */
  blockerOf(party: Party, gates: PartyGates, nowMonoMs: number): Gate | undefined {
    for (const gate of gates) {
      // Whoever looks on behalf of its own line has seen that there is room.
      if (gate === party.standing?.at) continue;
      const first = this.#lines.get(gate)?.first;
      if (first !== undefined && first.party.number < party.number) return gate;
      if (gate.room(this.momentAt(gate, nowMonoMs, 1)).kind !== 'room') return gate;
    }
    return undefined;
  }

  *standings(): IterableIterator<Standing> {
    for (const line of this.#lines.values()) yield* line;
  }
}
