import { LEAST_LEASE_MS } from '../gate/gate-record.js';
import { isReleasing } from '../gate/gate-state.js';
import type { GateState, Held } from '../gate/gate-state.js';
import type { Gate } from '../gate/gate.js';
import type { GateMessage } from './gate-store.js';
import { PerSecond } from './per-second.js';

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
  /** When a hold of its own last stood. */
  ownMonoMs: number;
  /** Until when it does not go by the store, which has kept it waiting for too long. */
  aloneUntilMonoMs: number;
  /** What it says, and of that how often it asks who may probe: whatever the answers are, neither is without end. */
  readonly says: PerSecond;
  readonly asks: PerSecond;
  /** It holds, and could not say so: the store was not to be reached then. */
  isUntold: boolean;
  /** When it has something to say again, and where it stands among those that have. */
  nextMonoMs: number;
  place: number | undefined;
}

export function sharedGate(gate: Gate, name: string): SharedGate {
  return {
    gate,
    name,
    generation: undefined,
    members: 1,
    isMember: false,
    reported: 0,
    isAsking: false,
    elsewhereSinceMonoMs: undefined,
    ownMonoMs: 0,
    aloneUntilMonoMs: 0,
    says: new PerSecond(MOST_SAID),
    asks: new PerSecond(MOST_ASKED),
    isUntold: false,
    nextMonoMs: 0,
    place: undefined,
  };
}

/** What a message says beside its sender. */
export type Said = Saying<GateMessage>;
type Saying<One extends GateMessage> = One extends GateMessage ? Omit<One, 'memberMs' | 'accepted'> : never;

export const RENEWAL: Said = { kind: 'over', leaseMs: LEAST_LEASE_MS };
export const LEFT: Said = { kind: 'left' };

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

/** It has a lease, and neither a probe under way nor anybody who could be one. */
export function isIdle({ gate, generation }: SharedGate): boolean {
  return generation !== undefined && gate.record.state.kind === 'probing' && !hasProber(gate);
}

export function hasProber({ line, record }: Gate): boolean {
  return line.due > 0 || record.inFlightOfEpoch > 0;
}

/** For how long somebody has waited here, and nothing has gone, because of what the store says. */
export function keptMs({ gate, ownMonoMs }: SharedGate, nowMonoMs: number): number {
  const { line, record } = gate;
  const { first } = line;
  if (first === undefined || record.inFlight > 0 || isOwnHold(record.state)) return 0;
  return nowMonoMs - Math.max(first.dueMonoMs, record.movedMonoMs, ownMonoMs);
}

/** It has something to say again, by and by. */
export function isSpeaker(shared: SharedGate, nowMonoMs: number): boolean {
  const { gate, generation, aloneUntilMonoMs, isUntold } = shared;
  const { state } = gate.record;
  if (isUntold && isOwnHold(state)) return hasProber(gate);
  if (state.kind === 'probing') return generation !== undefined;
  return isReleasing(state) && nowMonoMs >= aloneUntilMonoMs;
}

export function isOwnHold(state: GateState): state is Held {
  return state.kind === 'held' && state.because !== 'store' && state.because !== 'probe-elsewhere';
}

export function speaksBefore(a: SharedGate, b: SharedGate): boolean {
  return a.nextMonoMs < b.nextMonoMs;
}

// Processes that are started together meet a scope together.
const NEWCOMER_MS = 5_000;
const MOST_SAID = 100;
const MOST_ASKED = 20;
const LEAST_EVERY_MS = 500;
const EVERY_MS_PER_MEMBER = 10;
const MISSED = 3;
