import type { GateRecord } from '../gate/gate-record.js';
import { isReleasing } from '../gate/gate-state.js';
import type { GateState } from '../gate/gate-state.js';
import { LEFT, isOwnHold } from './shared-gate.js';
import type { Said, SharedGate } from './shared-gate.js';
import { LONGEST_HOLD_MS } from './store-word.js';

/** What others are told of a change of a gate that the store has not brought about. */
export function newsOf(shared: SharedGate, before: GateState, nowMonoMs: number): readonly Said[] {
  const { state } = shared.gate.record;
  if (isLongerHold(before, state)) return holdOf(shared, nowMonoMs);
  if (before.kind === 'probing') return acceptedOf(shared);
  if (!isReleasing(before)) return [];
  if (state.kind === 'open') return shared.isMember ? [LEFT] : [];
  return paceOf(before, state);
}

/** A hold of its own, as far as it still lasts. */
export function holdOf({ gate }: SharedGate, nowMonoMs: number): readonly Said[] {
  const { state, lastHintMs }: GateRecord = gate.record;
  if (!isOwnHold(state) || state.untilMonoMs <= nowMonoMs) return [];
  const forMs = Math.min(state.untilMonoMs - nowMonoMs, LONGEST_HOLD_MS);
  return [{ kind: 'held', forMs, hintMs: lastHintMs }];
}

/** The probe of its lease was accepted; whoever probed without one speaks for himself. */
function acceptedOf({ gate, generation }: SharedGate): readonly Said[] {
  const { state, smoothedMs: exchangeMs } = gate.record;
  if (generation === undefined || !isReleasing(state)) return [];
  const perSecond = state.kind === 'gliding' ? state.perMs * 1000 : undefined;
  return [{ kind: 'accepted', generation, perSecond, exchangeMs }];
}

/** A step of its own is everybody's. */
function paceOf(before: GateState, after: GateState): readonly Said[] {
  const isFaster = after.kind === 'gliding' && before.kind === 'gliding' && after.perMs > before.perMs;
  return isFaster ? [{ kind: 'paced', perSecond: after.perMs * 1000 }] : [];
}

/** A hold that this client met itself, new or prolonged. */
function isLongerHold(before: GateState, after: GateState): boolean {
  if (!isOwnHold(after)) return false;
  return before.kind !== 'held' || after.untilMonoMs > before.untilMonoMs;
}
