import type { Ledger } from '../store/ledger.js';

/** A ledger as it travels to a tab with another clock: instants as ms from now. */
export type LedgerState = Omit<Ledger, 'untilMs' | 'lease' | 'releasedMs' | 'members' | 'expiresMs'> & {
  readonly untilInMs?: number | undefined;
  readonly releasedInMs?: number | undefined;
  readonly lease?: { readonly owner: string; readonly endsInMs: number } | undefined;
  readonly members: readonly (readonly [string, number])[];
  readonly expiresInMs: number;
};

export function stateOf(ledger: Ledger, nowMs: number): LedgerState {
  const { untilMs, releasedMs, lease, members, expiresMs, ...rest } = ledger;
  return {
    ...rest,
    untilInMs: untilMs === undefined ? undefined : untilMs - nowMs,
    releasedInMs: releasedMs === undefined ? undefined : releasedMs - nowMs,
    lease: lease && { owner: lease.owner, endsInMs: lease.untilMs - nowMs },
    members: [...members].map(([name, untilMs]) => [name, untilMs - nowMs] as const),
    expiresInMs: expiresMs - nowMs,
  };
}

export function fromState(state: LedgerState, nowMs: number): Ledger {
  const { untilInMs, releasedInMs, lease, members, expiresInMs, ...rest } = state;
  return {
    ...rest,
    untilMs: untilInMs === undefined ? undefined : nowMs + untilInMs,
    releasedMs: releasedInMs === undefined ? undefined : nowMs + releasedInMs,
    lease: lease && { owner: lease.owner, untilMs: nowMs + lease.endsInMs },
    members: new Map(members.map(([name, inMs]) => [name, nowMs + inMs])),
    expiresMs: nowMs + expiresInMs,
  };
}

/** Whether it knows of more: of more leases, or of the same number and a later hold. */
export function isLaterThan(one: Ledger, other: Ledger | undefined): boolean {
  if (other === undefined || one.generation !== other.generation) {
    return other === undefined || one.generation > other.generation;
  }
  return (one.untilMs ?? 0) > (other.untilMs ?? 0) || one.members.size > other.members.size;
}
