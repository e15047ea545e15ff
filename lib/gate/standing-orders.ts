import type { Scope, ScopeSelector } from './scope-key.js';

/** A hold by hand on a part of scopes. */
export interface StandingOrder {
  readonly selector: ScopeSelector;
  readonly untilMonoMs: number;
  readonly why: string;
}

/** Holds by hand that also concern gates which do not exist yet. */
export class StandingOrders {
  readonly #orders: StandingOrder[] = [];

  add(order: StandingOrder, nowMonoMs: number): void {
    this.#drop(({ untilMonoMs }) => untilMonoMs <= nowMonoMs);
    this.#orders.push(order);
    // Beyond the bound the one that ends first makes room.
    if (this.#orders.length > MOST_ORDERS) {
      this.#orders.sort((a, b) => a.untilMonoMs - b.untilMonoMs).shift();
    }
  }

  /** Takes back what stands for a part. */
  revoke({ by, value }: ScopeSelector): void {
    this.#drop(({ selector }) => selector.by === by && selector.value === value);
  }

  /** The order that holds a scope longest. */
  of(scope: Scope, nowMonoMs: number): StandingOrder | undefined {
    return this.#orders
      .filter(({ selector, untilMonoMs }) => untilMonoMs > nowMonoMs && isPartOf(selector, scope))
      .sort((a, b) => b.untilMonoMs - a.untilMonoMs)[0];
  }

  #drop(isOver: (order: StandingOrder) => boolean): void {
    const kept = this.#orders.filter((order) => !isOver(order));
    this.#orders.splice(0, this.#orders.length, ...kept);
  }
}

export function isPartOf({ by, value }: ScopeSelector, scope: Scope): boolean {
  return scope.some((part) => part.by === by && part.value === value);
}

const MOST_ORDERS = 1_000;
