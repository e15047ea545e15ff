import type { Clock } from '../time/clock.js';
import type { PassFacts } from './gate-event.js';
import type { Gate } from './gate.js';
import type { Answer, Pass } from './ticket.js';

/** One gate's share in a pass. */
export interface Leg extends PassFacts {
  readonly gate: Gate;
  sentMonoMs: number;
}

/** Where a pass comes from and goes back to. */
export interface PassDesk {
  readonly clock: Clock;
  report(pass: GatePass, answer: Answer): void;
}

/** The right to send one exchange, given back exactly once. */
export class GatePass implements Pass {
  readonly operation: string;
  readonly legs: readonly Leg[];
  readonly #desk: PassDesk;
  #reported: boolean = false;

  constructor(operation: string, legs: readonly Leg[], desk: PassDesk) {
    this.operation = operation;
    this.legs = legs;
    this.#desk = desk;
  }

  get probing(): boolean {
    return this.legs.some(({ lease }) => lease !== undefined);
  }

  get gates(): readonly string[] {
    return this.legs.map(({ gate }) => gate.label);
  }

  get stands(): boolean {
    return this.legs.every(({ gate, epoch }) => gate.record.epoch === epoch);
  }

  sent(): void {
    const sentMonoMs = this.#desk.clock.monoMs();
    for (const leg of this.legs) leg.sentMonoMs = sentMonoMs;
  }

  report(answer: Answer): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#desk.report(this, answer);
  }
}
