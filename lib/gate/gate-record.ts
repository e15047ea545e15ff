import { LEASE_EXCHANGES, LEAST_LEASE_MS } from './figures.js';
import { openState } from './gate-state.js';
import type { GateState } from './gate-state.js';
import type { Quota } from './quota.js';
import type { LearnedRate } from './rate.js';

/** All that a gate knows. Replaced, never changed. */
export interface GateRecord {
  readonly state: GateState;
  /** How many holds there were; every pass carries it. */
  readonly epoch: number;
  /** Passes in flight, of all epochs and of this one. */
  readonly inFlight: number;
  readonly inFlightOfEpoch: number;
  /** How often those in flight were given up waiting for, since nothing had moved for the length of a lease. */
  readonly stalls: number;
  /** When a pass was last given or came back. */
  readonly movedMonoMs: number;
  /** Of answered, not limited exchanges. */
  readonly smoothedMs: number | undefined;
  /** No new operation has succeeded since the last hold. */
  readonly unproven: boolean;
  /** In a row. */
  readonly limitedProbes: number;
  readonly failures: number;
  readonly lastHintMs: number;
  readonly rate: LearnedRate | undefined;
  readonly quotas: readonly Quota[];
  /**
   * This client's part of what all send who share the gate, and until when a gate of which little is known
   * goes by it. Rates and accepts are those of all; what is waited for and in flight here is a part of that.
   */
  readonly share: number;
  readonly shareUntilMonoMs: number;
  /** Accepted here while the gate was not open. */
  readonly accepts: number;
}

/** A gate of which nothing is known. */
export const UNKNOWN_GATE: GateRecord = {
  state: openState(0),
  epoch: 0,
  inFlight: 0,
  inFlightOfEpoch: 0,
  stalls: 0,
  movedMonoMs: 0,
  smoothedMs: undefined,
  unproven: false,
  limitedProbes: 0,
  failures: 0,
  lastHintMs: 0,
  rate: undefined,
  quotas: [],
  share: 1,
  shareUntilMonoMs: 0,
  accepts: 0,
};

/** How long an exchange is waited for: then the next may go without its answer. */
export function leaseMsOf({ smoothedMs = 0 }: GateRecord): number {
  return Math.max(LEAST_LEASE_MS, LEASE_EXCHANGES * smoothedMs);
}

/** When those in flight are waited for no longer. */
export function stallsAtMonoMs(gate: GateRecord): number {
  return gate.movedMonoMs + leaseMsOf(gate);
}

/** The record with some of it replaced. Field by field: a spread costs twenty times as much, for every exchange. */
export function amend(gate: GateRecord, changes: Partial<GateRecord>): GateRecord {
  return {
    state: changes.state ?? gate.state,
    epoch: changes.epoch ?? gate.epoch,
    inFlight: changes.inFlight ?? gate.inFlight,
    inFlightOfEpoch: changes.inFlightOfEpoch ?? gate.inFlightOfEpoch,
    stalls: changes.stalls ?? gate.stalls,
    movedMonoMs: changes.movedMonoMs ?? gate.movedMonoMs,
    smoothedMs: changes.smoothedMs ?? gate.smoothedMs,
    unproven: changes.unproven ?? gate.unproven,
    limitedProbes: changes.limitedProbes ?? gate.limitedProbes,
    failures: changes.failures ?? gate.failures,
    lastHintMs: changes.lastHintMs ?? gate.lastHintMs,
    rate: 'rate' in changes ? changes.rate : gate.rate,
    quotas: changes.quotas ?? gate.quotas,
    share: changes.share ?? gate.share,
    shareUntilMonoMs: changes.shareUntilMonoMs ?? gate.shareUntilMonoMs,
    accepts: changes.accepts ?? gate.accepts,
  };
}

export { LEAST_LEASE_MS } from './figures.js';
