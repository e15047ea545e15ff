import type { Clock } from '../time/clock.js';
import type { PassFacts } from './gate-event.js';
import type { Gate } from './gate.js';
import type { Answer, Pass } from './ticket.js';

/** One gate's share in a pass. */
export interface Leg {
  readonly gate: Gate;
  readonly epoch: number;
  /** The number of the lease that the pass is the probe of. */
  readonly lease: number | undefined;
  readonly stalls: number;
  readonly fresh: boolean;
}

/** Where a pass comes from and goes back to. */
export interface PassDesk {
  readonly clock: Clock;
  report(pass: GatePass, answer: Answer): void;
}

/** The right to send one exchange, given back exactly once. */
export class GatePass implements Pass {
  readonly legs: readonly Leg[];
  readonly #desk: PassDesk;
  #sentMonoMs: number;
  #reported = false;

  constructor(legs: readonly Leg[], desk: PassDesk) {
    this.legs = legs;
    this.#desk = desk;
    this.#sentMonoMs = desk.clock.monoMs();
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

  factsOf({ epoch, lease, stalls, fresh }: Leg): PassFacts {
    return { epoch, lease, stalls, fresh, sentMonoMs: this.#sentMonoMs };
  }

  sent(): void {
    this.#sentMonoMs = this.#desk.clock.monoMs();
  }

  report(answer: Answer): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#desk.report(this, answer);
  }
}
