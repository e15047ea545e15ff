import type { Scope } from '../model.js';
import type { ScopeSelector } from './scope-key.js';

/** A hold by hand on a part of scopes. */
export interface StandingOrder {
  readonly selector: ScopeSelector;
  readonly untilMonoMs: number;
  readonly why: string;
}

/** Holds by hand that also concern gates which do not exist yet. */
export class StandingOrders {
  // The one that holds longest first.
  #orders: readonly StandingOrder[] = [];

  add(order: StandingOrder, nowMonoMs: number): void {
    const orders = [order, ...this.#orders.filter(({ untilMonoMs }) => untilMonoMs > nowMonoMs)];
    this.#orders = orders.sort((a, b) => b.untilMonoMs - a.untilMonoMs).slice(0, MOST_ORDERS);
  }

  /** Takes back what stands for a part. */
  revoke({ by, value }: ScopeSelector): void {
    this.#orders = this.#orders.filter(({ selector }) => selector.by !== by || selector.value !== value);
  }

  /** The order that holds a scope longest. */
  of(scope: Scope, nowMonoMs: number): StandingOrder | undefined {
    return this.#orders.find(
      ({ selector, untilMonoMs }) => untilMonoMs > nowMonoMs && isPartOf(selector, scope),
    );
  }
}

export function isPartOf({ by, value }: ScopeSelector, scope: Scope): boolean {
  return scope.some((part) => part.by === by && part.value === value);
}

const MOST_ORDERS = 1_000;
