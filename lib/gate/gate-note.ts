import type { RefusalReason } from '../reasons.js';
import type { GateRecord } from './gate-record.js';
import { asksForLease, groundsOf, isElsewhere, isReleasing } from './gate-state.js';
import type { GateState, HoldCause } from './gate-state.js';

/** What happened at a gate, for the journal. Instants are monotonic. */
export type GateNote = GateNoteFacts & GateHappening;

export interface GateNoteFacts {
  /** The gate's label: a credential is a running number in it. */
  readonly gate: string;
  readonly epoch: number;
  readonly atMonoMs: number;
  /** Whose pass or answer it was, where that is known. */
  readonly operation?: string;
}

export type GateHappening =
  | HoldHappening
  | { readonly event: 'hold-ended' }
  /** Who may probe: this client, or another that shares the gate. */
  | { readonly event: 'lease'; readonly outcome: 'granted' | 'taken' }
  | { readonly event: 'probe' }
  /** What the answer of a probe means for the gate. */
  | { readonly event: 'verdict'; readonly verdict: 'accepted' | 'limited' | 'failed' | 'none' }
  /** A release has met a limit. */
  | { readonly event: 'overshoot'; readonly accepted: number; readonly inFlight: number }
  | { readonly event: 'rate'; readonly perSecond: number }
  /** The queue is let go by stages: blindly at first, or at a rate that is known. */
  | { readonly event: 'released'; readonly state: 'ramping' | 'gliding' }
  | { readonly event: 'opened' }
  /** A new operation has succeeded. */
  | { readonly event: 'proven' }
  | { readonly event: 'released-by-hand' }
  | { readonly event: 'evicted'; readonly state: GateState['kind'] }
  | { readonly event: 'refused'; readonly because: RefusalReason }
  | StoreHappening;

export type StoreHappening =
  | { readonly event: 'store-failed'; readonly call: 'lease' | 'publish' | 'subscribe' }
  /** The store answers again. */
  | { readonly event: 'store-recovered' }
  /** The store said what cannot be, or what its gate does not heed. */
  | { readonly event: 'store-ignored'; readonly because: string };

export interface HoldHappening {
  readonly event: 'hold-began' | 'hold-extended';
  readonly untilMonoMs: number;
  readonly because: HoldCause;
  readonly hintMs?: number;
  /** So many probes in a row have met a limit: from the second on each hold is longer than its hint. */
  readonly limitedProbes?: number;
  readonly why?: string;
}

/** What one change of the record says. */
export function happeningsOf(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  const was = before.state;
  const is = after.state;
  // One exchange more or less through a gate that is open: it is asked about for each, twice.
  const isSteady = was.kind === 'open' && is.kind === 'open' && before.unproven === after.unproven;
  if (isSteady && before.rate === after.rate) return [];
  const verdict = was.kind === 'probing' ? verdictOf(before, after) : undefined;
  // A release is held because a pass came back with a limit.
  const isLimited = is.kind === 'held' && is.because !== 'failures' && after.inFlight < before.inFlight;
  const all: readonly (GateHappening | false | undefined)[] = [
    asksForLease(was) && is.kind === 'probing' && { event: 'lease', outcome: 'granted' },
    asksForLease(was) && isElsewhere(is) && { event: 'lease', outcome: 'taken' },
    holdHappening(was, after),
    verdict && { event: 'verdict', verdict },
    isReleasing(was) &&
      isLimited && { event: 'overshoot', accepted: was.accepted, inFlight: before.inFlightOfEpoch },
    // Told when nothing can be added to the lesson any more.
    before.rate?.open !== undefined &&
      after.rate !== undefined &&
      after.rate.open === undefined && { event: 'rate', perSecond: after.rate.perMs * 1000 },
    is.kind !== was.kind && isReleasing(is) && { event: 'released', state: is.kind },
    // A scope that is new, and that nobody knows of, has been open all the time.
    is.kind === 'open' && was.kind !== 'open' && was.kind !== 'asking' && { event: 'opened' },
    before.unproven && !after.unproven && { event: 'proven' },
  ];
  return all.flatMap((one) => one || []);
}

function holdHappening(was: GateState, after: GateRecord): GateHappening | undefined {
  const is = after.state;
  const wasUntilMonoMs = was.kind === 'held' ? was.untilMonoMs : undefined;
  if (is.kind !== 'held') return was.kind === 'held' ? { event: 'hold-ended' } : undefined;
  const { untilMonoMs } = is;
  if (wasUntilMonoMs === untilMonoMs) return undefined;
  if (was.kind === 'held' && untilMonoMs < was.untilMonoMs && is.because === was.because)
    return isElsewhere(is) ? undefined : { event: 'released-by-hand' };
  const event = wasUntilMonoMs === undefined ? 'hold-began' : 'hold-extended';
  return { event, untilMonoMs, ...groundsOf(is, after) };
}

type Verdict = (GateHappening & { readonly event: 'verdict' })['verdict'];

function verdictOf(before: GateRecord, { state, limitedProbes, failures }: GateRecord): Verdict | undefined {
  if (isReleasing(state)) return 'accepted';
  if (limitedProbes > before.limitedProbes) return 'limited';
  if (failures > before.failures) return 'failed';
  return hasLease(before.state) && state.kind === 'probing' && !hasLease(state) ? 'none' : undefined;
}

function hasLease(state: GateState): boolean {
  return state.kind === 'probing' && state.leaseUntilMonoMs !== undefined;
}
