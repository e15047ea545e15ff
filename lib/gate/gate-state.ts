/** Where a gate stands. Each state carries what is true only while it lasts. */
export type GateState = Open | Held | Asking | Probing | Ramping | Gliding;

/** Passes at once, but for the first burst and for a rate that is still fresh. */
export interface Open {
  readonly kind: 'open';
  /** Answers accepted since the last hold. */
  readonly accepted: number;
  /** When the passes given so far are paid for, at the pace that the state allows. */
  readonly paidUntilMonoMs: number;
  /** Since something has been in flight all the time: when that began, and what was accepted since. */
  readonly rush: { readonly sinceMonoMs: number; readonly accepted: number };
}

export function openState(paidUntilMonoMs: number, accepted: number = 0, rush: Open['rush'] = NO_RUSH): Open {
  return { kind: 'open', accepted, paidUntilMonoMs, rush };
}

const NO_RUSH: Open['rush'] = { sinceMonoMs: 0, accepted: 0 };

/** Sends nothing; left when the instant has come, whatever is still in flight. */
export interface Held {
  readonly kind: 'held';
  readonly untilMonoMs: number;
  /** What the server asked for, without the spread that is ours. Absent: it asked for nothing. */
  readonly askedMonoMs?: number | undefined;
  readonly because: HoldCause;
  /** The words of whoever holds it by hand. */
  readonly why?: string | undefined;
  /** One roll for all limits of a hold: the largest of many would be the same for every client. */
  readonly roll: number;
}

/** A store is asked: who may probe, now that a hold is over, or what is known of a scope that is new here. */
export interface Asking {
  readonly kind: 'asking';
  readonly about: 'lease' | 'scope';
  readonly untilMonoMs: number;
  /** This process was too busy to read an answer in time: it has had one more turn. */
  readonly prolonged?: boolean | undefined;
}

/** One pass, as long as its lease lasts. */
export interface Probing {
  readonly kind: 'probing';
  readonly sinceMonoMs: number;
  /** How many leases there were; the passes of all but the last are in flight without a verdict. */
  readonly leases: number;
  /** Absent: the next pass is the probe. */
  readonly leaseUntilMonoMs?: number | undefined;
}

/** Capacity unknown: in flight in proportion to what the server has accepted. */
export interface Ramping {
  readonly kind: 'ramping';
  readonly sinceMonoMs: number;
  readonly accepted: number;
  readonly nextMonoMs: number;
}

/** Capacity estimated: what a hold saves up, then evenly spaced, a step faster when that is worth the risk. */
export interface Gliding {
  readonly kind: 'gliding';
  readonly sinceMonoMs: number;
  readonly accepted: number;
  /** The present cycle, and how many came before it; only a window has more than one. */
  readonly cycle: { readonly sinceMonoMs: number; readonly taken: number };
  readonly cycles: number;
  readonly nextMonoMs: number;
  readonly perMs: number;
  readonly bursting: boolean;
  /** Kept up without a limit before the last step, not counting what may have been saved up. */
  readonly provenPerMs: number;
  readonly steps: number;
  /** Accepted before the last step, and when that was. */
  readonly acceptedAtStep: number;
  readonly steppedMonoMs: number;
}

/** A queue is let go by stages. */
export function isReleasing(state: GateState): state is Ramping | Gliding {
  return state.kind === 'ramping' || state.kind === 'gliding';
}

/** Until when nothing goes, if nothing happens; `undefined`: the probe may. */
export function closedUntilMonoMs(state: Held | Asking | Probing): number | undefined {
  return state.kind === 'probing' ? state.leaseUntilMonoMs : state.untilMonoMs;
}

/** A store is asked who may probe. */
export function asksForLease(state: GateState): boolean {
  return state.kind === 'asking' && state.about === 'lease';
}

/** It waits for the probe of another, which may be over at any time. */
export function isElsewhere(state: GateState): boolean {
  return state.kind === 'held' && state.because === 'probe-elsewhere';
}

/** Why a gate is held, as it is told. */
interface HoldGrounds {
  readonly because: HoldCause;
  /** What the server asked for, where it did. */
  readonly hintMs?: number;
  /** So many probes in a row have met a limit: from the second on each hold is longer than its hint. */
  readonly limitedProbes?: number;
  /** The words of whoever holds it by hand. */
  readonly why?: string;
}

export function groundsOf({ because, why }: Held, { lastHintMs, limitedProbes }: HintRecord): HoldGrounds {
  return {
    because,
    ...(because === 'hint' && { hintMs: lastHintMs, ...(limitedProbes > 1 && { limitedProbes }) }),
    ...(why === undefined ? {} : { why }),
  };
}

/** Of a gate. */
interface HintRecord {
  readonly lastHintMs: number;
  readonly limitedProbes: number;
}

export const HOLD_CAUSES = [
  'hint',
  'own-backoff',
  'failures',
  'quota-spent',
  'widened',
  'by-hand',
  'store',
  'probe-elsewhere',
] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** What the policy says about gates. */
export interface GateSettings {
  /** 0 is exact. */
  readonly jitter: number;
  /** Own backoff of the k-th failure in a row (from 1), before jitter. */
  readonly backoffMs: (k: number) => number;
  /** Passes in flight of one gate. Absent: no bound. */
  readonly concurrency?: number | undefined;
  /** No single answer holds longer. */
  readonly maxHoldMs: number;
  /** How long a store may take to answer. */
  readonly storeTimeoutMs: number;
}

/** When something happens, and who is waiting then. */
export interface Moment {
  readonly nowMonoMs: number;
  /** Waiters that are due, the one that asks included. */
  readonly waiting: number;
  /** Since when the first of them has been due. */
  readonly headSinceMonoMs?: number | undefined;
}
