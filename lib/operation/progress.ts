import type { GateState } from '../gate/gate-state.js';
import type { Outcome } from '../model.js';
import type { StopReason } from '../reasons.js';

/** How an operation is getting on, for a person who waits for it. */
export type OperationProgress = HeldProgress | SentProgress | EndedProgress;

/** It waits; told again when its place or the release changes. */
export interface HeldProgress {
  readonly kind: 'held';
  readonly operation: string;
  /** The exchange that it waits to send, from 1. */
  readonly exchange: number;
  /** Of the gate that it waits at; `open` while only its own delay is waited for, `offline` while a network is. */
  readonly state: GateState['kind'] | 'offline';
  /** How many go before it there. */
  readonly ahead: number;
  /** When it may go at the earliest, where that is known: whole ms since 1970, and how long that is. */
  readonly releaseAt?: number;
  readonly waitMs?: number;
}

/** An exchange goes out, of so many at most. */
export interface SentProgress {
  readonly kind: 'sent';
  readonly operation: string;
  readonly exchange: number;
  readonly of: number;
}

/** It has ended, and this is told last: how, after how many exchanges, and why where it was no success. */
export interface EndedProgress {
  readonly kind: 'ended';
  readonly operation: string;
  readonly exchanges: number;
  readonly outcome: Outcome;
  readonly because?: StopReason;
}

/** Told at once of each step. What it throws, or rejects with, is dropped. */
export type ProgressListener = (progress: OperationProgress) => unknown;
