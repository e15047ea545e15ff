import { attribute } from './attribution.js';
import type { Attribution, Leg } from './attribution.js';
import type { Answer, Pass } from './ticket.js';

/** The right to send one exchange, given back exactly once. */
export class GatePass implements Pass {
  readonly operation: string;
  readonly legs: readonly Leg[];
  readonly #house: Attribution;
  #reported: boolean = false;

  constructor(operation: string, legs: readonly Leg[], house: Attribution) {
    this.operation = operation;
    this.legs = legs;
    this.#house = house;
  }

  get probing(): boolean {
    return this.legs.some((leg) => leg.lease !== undefined);
  }

  get gates(): readonly string[] {
    return this.legs.map((leg) => leg.gate.label);
  }

  get stands(): boolean {
    return this.legs.every((leg) => leg.gate.record.epoch === leg.epoch);
  }

  sent(): void {
    const sentMonoMs = this.#house.clock.monoMs();
    for (const leg of this.legs) leg.sentMonoMs = sentMonoMs;
  }

  report(answer: Answer): void {
    if (this.#reported) return;
    this.#reported = true;
    attribute(this.#house, this, answer);
  }
}
