import { DISTRUST, GUARD_MS, MOST_DISTRUST_MS, MOST_SPREAD_MS } from './figures.js';
import { amend } from './gate-record.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings, Held, HoldCause } from './gate-state.js';

interface NewHold {
  readonly untilMonoMs: number;
  readonly askedMonoMs?: number | undefined;
  readonly because: HoldCause;
  readonly why?: string | undefined;
  /** Absent: it is not spread. */
  readonly roll?: number | undefined;
}

/** The gate closed until the instant, or longer if it is held longer already. */
export function held(gate: GateRecord, hold: NewHold): GateRecord {
  const state: Held = { ...hold, kind: 'held', roll: rollOf(gate, hold.roll ?? 0) };
  if (gate.state.kind === 'held')
    return hold.untilMonoMs > gate.state.untilMonoMs ? amend(gate, { state }) : gate;
  return amend(gate, {
    state,
    epoch: gate.epoch + 1,
    inFlightOfEpoch: 0,
    stalls: 0,
    unproven: true,
  });
}

/** The roll of the hold that stands, so that each client has one place in the spread. */
export function rollOf({ state }: GateRecord, roll: number): number {
  return state.kind === 'held' ? state.roll : roll;
}

/** A server's hint and a little more: clients that know nothing of each other must not come back at once. */
export function spreadMs(hintMs: number, roll: number, { jitter }: GateSettings): number {
  return jitter === 0 ? hintMs : hintMs + GUARD_MS + roll * Math.min(jitter * hintMs, MOST_SPREAD_MS);
}

/** Own backoff after the k-th failure in a row. */
export function ownBackoffMs(k: number, roll: number, settings: GateSettings): number {
  return settings.backoffMs(k) * (1 + roll * 5 * settings.jitter);
}

/** How long a limited probe holds: the first keeps the hint, each that follows trusts it less. */
export function limitedProbeHintMs(hintMs: number, limitedProbes: number): number {
  return Math.max(hintMs, Math.min(MOST_DISTRUST_MS, hintMs * DISTRUST ** (limitedProbes - 1)));
}
