import { shownEpochMs } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { groundsOf } from './gate-state.js';
import type { GateState, HoldCause } from './gate-state.js';
import type { Gate } from './gate.js';
import { isTelling } from './rate.js';
import type { ScopeLabel } from './scope-key.js';

/** All gates at one instant. The same object until something changes. */
export interface GatesSnapshot {
  readonly gates: readonly GateSnapshot[];
  /** Operations that wait, in all. */
  readonly waiting: number;
}

/** One gate at one instant. No credential is in it: a running number stands for each. */
export interface GateSnapshot {
  readonly gate: string;
  readonly scope: readonly ScopeLabel[];
  readonly state: GateState['kind'];
  readonly epoch: number;
  readonly waiting: number;
  readonly inFlight: number;
  /** No new operation has succeeded since the last hold: nothing may be called recovered yet. */
  readonly unproven: boolean;
  /** While it is held. */
  readonly hold?: HoldSnapshot | undefined;
  /** The rate that saturated releases have taught, while it is fresh. */
  readonly perSecond?: number | undefined;
}

/** Until when a gate is held at the earliest, and where that comes from. */
export interface HoldSnapshot {
  readonly releaseAtEpochMs: number;
  readonly because: HoldCause;
  /** What the server asked for, where it did. */
  readonly hintMs?: number | undefined;
  /** So many probes in a row have met a limit: from the second on each hold is longer than its hint. */
  readonly limitedProbes?: number | undefined;
  /** The words of whoever holds it by hand. */
  readonly why?: string | undefined;
}

interface House {
  readonly clock: Clock;
  readonly book: Iterable<Gate>;
  readonly waiters: number;
}

export function snapshotOf(house: House): GatesSnapshot {
  const gates = [...house.book].map((gate) => gateSnapshotOf(gate, house.clock));
  return Object.freeze({ gates: Object.freeze(gates), waiting: house.waiters });
}

function gateSnapshotOf(gate: Gate, clock: Clock): GateSnapshot {
  const { record } = gate;
  const { state, rate } = record;
  return Object.freeze({
    gate: gate.label,
    scope: gate.labels,
    state: state.kind,
    epoch: record.epoch,
    waiting: gate.line.size,
    inFlight: record.inFlight,
    unproven: record.unproven,
    ...(state.kind === 'held'
      ? {
          hold: Object.freeze({
            releaseAtEpochMs: shownEpochMs(clock, state.untilMonoMs),
            ...groundsOf(state, record),
          }),
        }
      : {}),
    ...(rate !== undefined && isTelling(rate) ? { perSecond: rate.perMs * 1000 } : {}),
  });
}
