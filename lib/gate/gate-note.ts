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
  readonly why?: string;
}

/** What one change of the record says. */
export function happeningsOf(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  if (isUneventful(before, after)) return NOTHING;
  return [
    ...leaseHappenings(before, after),
    ...holdHappenings(before, after),
    ...releaseHappenings(before, after),
  ];
}

const NOTHING: readonly GateHappening[] = [];

/** One exchange more or less through a gate that is open: it is asked about for each, twice. */
function isUneventful(before: GateRecord, after: GateRecord): boolean {
  return (
    before.state.kind === 'open' &&
    after.state.kind === 'open' &&
    before.unproven === after.unproven &&
    before.rate === after.rate
  );
}

function leaseHappenings(before: GateRecord, { state }: GateRecord): readonly GateHappening[] {
  if (before.state.kind !== 'asking' || before.state.about === 'scope' || state.kind === 'asking') return [];
  const isTaken = state.kind === 'held' && state.because === 'probe-elsewhere';
  return isTaken || state.kind === 'probing'
    ? [{ event: 'lease', outcome: isTaken ? 'taken' : 'granted' }]
    : [];
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
  const { kind } = after.state;
  if (kind !== before.state.kind) {
    if (kind === 'ramping' || kind === 'gliding') happenings.push({ event: 'released', state: kind });
    // A scope that is new, and that nobody knows of, has been open all the time.
    if (kind === 'open' && before.state.kind !== 'asking') happenings.push({ event: 'opened' });
  }
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
