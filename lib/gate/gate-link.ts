import type { Clock } from '../time/clock.js';
import type { StoreHappening } from './gate-note.js';
import type { GateRecord } from './gate-record.js';
import type { GateSettings } from './gate-state.js';
import type { Gate } from './gate.js';

/**
 * What gates are shared by: made by `sharedStore()` of `axios-heed/store`, or by a store that comes with the package.
 * How gates speak with it is their own affair.
 */
export interface SharedStore {
  /** For gates alone. */
  linkTo(gates: never): unknown;
}

/** The same, as the gates see it: it brings along what says to a store what happens, and to gates what that says. */
export interface LinkingStore {
  /** `undefined`: nothing is shared. */
  linkTo(gates: LinkedGates): GateLink | undefined;
}

export interface LinkedGates {
  readonly clock: Clock;
  readonly settings: GateSettings;
  /** The store has had a say at these. */
  settle(gates: Iterable<Gate>): void;
  note(happening: StoreHappening): void;
}

export interface GateLink {
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
  /** When it has something to say that nothing else will remind it of. */
  readonly wakeAtMonoMs: number | undefined;
  /** Says what has become due. */
  wake(): void;
  /** Listens, unless it does already. */
  open(): void;
  close(): void;
  /** A gate is new: others may know more of its scope. */
  opened(gate: Gate): void;
  forgotten(gate: Gate): void;
  /** Asks who may probe; `local` where there is nobody to ask. */
  ask(gate: Gate): 'asked' | 'local';
  /** Another state, or more of the same: of what concerns others they are told. */
  changed(gate: Gate, before: GateRecord): void;
  /** Ended by hand. */
  letGo(gate: Gate): void;
}
