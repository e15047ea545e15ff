import { LEAST_LEASE_MS } from '../gate/gate-record.js';
import type { GateState, Held, HoldCause } from '../gate/gate-state.js';
import type { Gate } from '../gate/gate.js';
import type { GateMessage } from './gate-store.js';

/** A gate that is shared with others, and how things stand between it and the store. */
export interface SharedGate {
  readonly gate: Gate;
  readonly name: string;
  /** Of the lease that it has. */
  generation: number | undefined;
  /** How many share it, by the last word. */
  members: number;
  isMember: boolean;
  /** Of its accepts, those that the store has been told of. */
  reported: number;
  /** An answer is waited for. */
  isAsking: boolean;
  /** Since when others have been said to probe. */
  elsewhereSinceMonoMs: number | undefined;
  /** When it has something to say again, and where it stands among those that have. */
  nextMonoMs: number;
  place: number | undefined;
}

export function sharedGate(gate: Gate, name: string): SharedGate {
  return {
    ...{ gate, name, generation: undefined, members: 1, isMember: false, reported: 0, isAsking: false },
    ...{ elsewhereSinceMonoMs: undefined, nextMonoMs: 0, place: undefined },
  };
}

/** What a message says beside its sender. */
export type Said = Saying<GateMessage>;
type Saying<One extends GateMessage> = One extends GateMessage ? Omit<One, 'memberMs' | 'accepted'> : never;

export const RENEWAL: Said = { kind: 'over', leaseMs: LEAST_LEASE_MS };

/** How long whoever says this counts as one of those who share the gate. */
export function memberMsOf(shared: SharedGate, { kind }: Said, waiting: number): number {
  switch (kind) {
    case 'left':
      return 0;
    case 'met':
      return NEWCOMER_MS;
    case 'held':
    case 'let-go':
      return waiting > 0 ? MISSED * shareEveryMs(shared) : 0;
    case 'over':
    case 'sharing':
    case 'accepted':
    case 'paced':
      return MISSED * shareEveryMs(shared);
  }
}

/** How long until it has to say something again. */
export function pauseMsOf(shared: SharedGate): number {
  return shared.gate.record.state.kind === 'probing' ? LEAST_LEASE_MS / 3 : shareEveryMs(shared);
}

/** However many they are, a store hears of one gate a hundred times a second at the most. */
function shareEveryMs({ members }: SharedGate): number {
  return Math.max(LEAST_EVERY_MS, members * EVERY_MS_PER_MEMBER);
}

export function isReleasing({ kind }: GateState): boolean {
  return kind === 'ramping' || kind === 'gliding';
}

export function isOwnHold(state: GateState): state is Held {
  return state.kind === 'held' && OWN_CAUSES.has(state.because);
}

/** A hold that this client met itself, new or prolonged: the others learn of it. */
export function isLongerHold(before: GateState, after: GateState): boolean {
  if (!isOwnHold(after)) return false;
  return before.kind !== 'held' || after.untilMonoMs > before.untilMonoMs;
}

export function speaksBefore(a: SharedGate, b: SharedGate): boolean {
  return a.nextMonoMs < b.nextMonoMs;
}

const OWN_CAUSES: ReadonlySet<HoldCause> = new Set<HoldCause>([
  'hint',
  'own-backoff',
  'failures',
  'quota-spent',
  'widened',
  'by-hand',
]);
// Processes that are started together meet a scope together.
const NEWCOMER_MS = 5_000;
const LEAST_EVERY_MS = 500;
const EVERY_MS_PER_MEMBER = 10;
const MISSED = 3;
