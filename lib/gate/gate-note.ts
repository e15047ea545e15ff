import type { RefusalReason } from '../reasons.js';
import type { GateRecord } from './gate-record.js';
import type { GateState, HoldCause } from './gate-state.js';

/** What happened at a gate, for the journal. Instants are monotonic. */
export type GateNote = GateNoteFacts & GateHappening;

export interface GateNoteFacts {
  /** The gate's label: a credential is a running number in it. */
  readonly gate: string;
  readonly epoch: number;
  readonly atMonoMs: number;
}

export type GateHappening =
  | HoldHappening
  | { readonly event: 'hold-ended' }
  | { readonly event: 'probe'; readonly operation: string }
  /** What the answer of a probe means for the gate. */
  | { readonly event: 'verdict'; readonly verdict: 'accepted' | 'limited' | 'failed' | 'none' }
  /** A release has met a limit. */
  | { readonly event: 'overshoot'; readonly accepted: number; readonly inFlight: number }
  | { readonly event: 'rate'; readonly perSecond: number }
  | { readonly event: 'opened' }
  /** A new operation has succeeded. */
  | { readonly event: 'proven' }
  | { readonly event: 'released-by-hand' }
  | { readonly event: 'evicted'; readonly state: GateState['kind'] }
  | { readonly event: 'refused'; readonly operation: string; readonly because: RefusalReason }
  | { readonly event: 'store-failed'; readonly call: 'lease' | 'publish' | 'subscribe' };

export interface HoldHappening {
  readonly event: 'hold-began' | 'hold-extended';
  readonly untilMonoMs: number;
  readonly because: HoldCause;
  readonly hintMs?: number;
  readonly why?: string;
}

/** What one change of the record says. */
export function happeningsOf(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  return [...holdHappenings(before, after), ...releaseHappenings(before, after)];
}

function holdHappenings(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  const { state } = after;
  if (state.kind !== 'held') return before.state.kind === 'held' ? [{ event: 'hold-ended' }] : [];
  const wasUntil = before.state.kind === 'held' ? before.state.untilMonoMs : undefined;
  if (wasUntil === state.untilMonoMs) return [];
  const hint = state.because === 'hint' ? { hintMs: after.lastHintMs } : {};
  const why = state.why === undefined ? {} : { why: state.why };
  const event = wasUntil === undefined ? 'hold-began' : 'hold-extended';
  return [{ event, untilMonoMs: state.untilMonoMs, because: state.because, ...hint, ...why }];
}

function releaseHappenings(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  const happenings: GateHappening[] = [];
  if (before.state.kind === 'probing') happenings.push(...verdictHappenings(before, after));
  if (metLimit(before, after)) {
    const accepted = 'accepted' in before.state ? before.state.accepted : 0;
    happenings.push({ event: 'overshoot', accepted, inFlight: before.inFlightOfEpoch });
  }
  // Told when nothing can be added to the lesson any more.
  if (before.rate?.open !== undefined && after.rate?.open === undefined && after.rate !== undefined) {
    happenings.push({ event: 'rate', perSecond: after.rate.perMs * 1000 });
  }
  if (after.state.kind === 'open' && before.state.kind !== 'open') happenings.push({ event: 'opened' });
  if (before.unproven && !after.unproven) happenings.push({ event: 'proven' });
  return happenings;
}

/** A release that is held because a pass came back with a limit. */
function metLimit({ state, inFlight }: GateRecord, after: GateRecord): boolean {
  if (state.kind !== 'ramping' && state.kind !== 'gliding') return false;
  return after.state.kind === 'held' && after.state.because !== 'failures' && after.inFlight < inFlight;
}

function verdictHappenings(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  if (after.state.kind === 'ramping' || after.state.kind === 'gliding') {
    return [{ event: 'verdict', verdict: 'accepted' }];
  }
  if (after.limitedProbes > before.limitedProbes) return [{ event: 'verdict', verdict: 'limited' }];
  if (after.failures > before.failures) return [{ event: 'verdict', verdict: 'failed' }];
  const lostLease = before.state.kind === 'probing' && before.state.leaseUntilMonoMs !== undefined;
  const none = after.state.kind === 'probing' && after.state.leaseUntilMonoMs === undefined;
  return lostLease && none ? [{ event: 'verdict', verdict: 'none' }] : [];
}
