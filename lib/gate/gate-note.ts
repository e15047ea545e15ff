import type { GateRecord } from './gate-record.js';
import type { GateState, HoldCause } from './gate-state.js';
import type { RefusalReason } from '../reasons.js';

/** What happened at a gate, for the journal. Instants are monotonic. */
export type GateNote = GateNoteFacts & GateHappening;

export interface GateNoteFacts {
  /** The gate's label: a credential is a running number in it. */
  readonly gate: string;
  readonly epoch: number;
  readonly atMonoMs: number;
}

export type GateHappening =
  | {
      readonly event: 'hold-began' | 'hold-extended';
      readonly untilMonoMs: number;
      readonly because: HoldCause;
      readonly hintMs?: number;
      readonly why?: string;
    }
  | { readonly event: 'hold-ended' }
  | { readonly event: 'lease-asked' }
  | { readonly event: 'probe'; readonly operation: string }
  | {
      readonly event: 'verdict';
      readonly verdict: 'accepted' | 'limited' | 'failed' | 'none';
    }
  | {
      readonly event: 'overshoot';
      readonly accepted: number;
      readonly inFlight: number;
    }
  | { readonly event: 'rate'; readonly perSecond: number }
  | { readonly event: 'opened' }
  | { readonly event: 'proven' }
  | { readonly event: 'released-by-hand' }
  | { readonly event: 'evicted'; readonly state: GateState['kind'] }
  | {
      readonly event: 'refused';
      readonly operation: string;
      readonly because: RefusalReason;
    }
  | {
      readonly event: 'store-failed';
      readonly call: 'lease' | 'publish' | 'subscribe';
    };

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
  const event = wasUntil === undefined ? 'hold-began' : 'hold-extended';
  return [{ event, untilMonoMs: state.untilMonoMs, because: state.because, ...hint }];
}

function releaseHappenings(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  const happenings: GateHappening[] = [];
  if (before.state.kind === 'probing') happenings.push(...verdictHappenings(before, after));
  if ((before.state.kind === 'ramping' || before.state.kind === 'gliding') && after.state.kind === 'held') {
    happenings.push({
      event: 'overshoot',
      accepted: before.state.accepted,
      inFlight: before.inFlightOfEpoch,
    });
  }
  if (after.rate !== undefined && after.rate.perMs !== before.rate?.perMs) {
    happenings.push({ event: 'rate', perSecond: after.rate.perMs * 1000 });
  }
  if (after.state.kind === 'open' && before.state.kind !== 'open') happenings.push({ event: 'opened' });
  if (before.unproven && !after.unproven) happenings.push({ event: 'proven' });
  return happenings;
}

function verdictHappenings(before: GateRecord, after: GateRecord): readonly GateHappening[] {
  if (after.state.kind === 'ramping' || after.state.kind === 'gliding')
    return [{ event: 'verdict', verdict: 'accepted' }];
  if (after.limitedProbes > before.limitedProbes) return [{ event: 'verdict', verdict: 'limited' }];
  if (after.failures > before.failures) return [{ event: 'verdict', verdict: 'failed' }];
  const lostLease = before.state.kind === 'probing' && before.state.leaseUntilMonoMs !== undefined;
  const none = after.state.kind === 'probing' && after.state.leaseUntilMonoMs === undefined;
  return lostLease && none ? [{ event: 'verdict', verdict: 'none' }] : [];
}
