import type { Closed } from './gate-event.js';
import type { Scope } from '../model.js';
import { MOST_ORDERS } from './figures.js';
import type { ScopeSelector } from './scope-key.js';

/** A hold by hand on a part of scopes. */
export interface StandingOrder {
  readonly selector: ScopeSelector;
  readonly hold: Closed;
}

/** Holds by hand that also concern gates which do not exist yet. */
export class StandingOrders {
  // The one that holds longest first.
  #orders: readonly StandingOrder[] = [];

  add(order: StandingOrder, nowMonoMs: number): void {
    this.#orders = [order, ...this.#orders]
      .filter((one) => one.hold.untilMonoMs > nowMonoMs)
      .sort((a, b) => b.hold.untilMonoMs - a.hold.untilMonoMs)
      .slice(0, MOST_ORDERS);
  }

  /** Takes back what stands for a part. */
  revoke({ by, value }: ScopeSelector): void {
    this.#orders = this.#orders.filter(({ selector }) => selector.by !== by || selector.value !== value);
  }

  /** The hold that lasts longest for a scope. */
  of(scope: Scope, nowMonoMs: number): Closed | undefined {
    return this.#orders.find((order) => order.hold.untilMonoMs > nowMonoMs && isPartOf(order.selector, scope))
      ?.hold;
  }
}

export function isPartOf({ by, value }: ScopeSelector, scope: Scope): boolean {
  return scope.some((part) => part.by === by && part.value === value);
}
