import type { HintReading } from '../hint/hint.js';
import type { Verdict } from '../model.js';
import type { StopReason } from '../reasons.js';
import type { Permission } from './permission.js';

/** All that the decision weighs, as plain data: the same facts always give the same decision. */
export interface DecisionFacts {
  readonly verdict: Verdict;
  readonly resolved: boolean;
  readonly cancelled: boolean;
  readonly deadlinePassed: boolean;
  readonly serverSaidNo: boolean;
  readonly permission: Permission;
  readonly exchangesLeft: number;
  readonly allowanceEmpty: boolean;
  readonly hint: HintReading;
  /** Own delay with its jitter. */
  readonly ownBackoffMs: number;
  /** Absent: no bound of its own. */
  readonly maxHintMs?: number | undefined;
  /** From the receipt to the deadline; absent: no deadline. */
  readonly remainingMs?: number | undefined;
  readonly reserveMs: number;
}

export type Decision =
  | { readonly kind: 'settle'; readonly row: 1 }
  | { readonly kind: 'stop'; readonly row: number; readonly because: StopReason }
  | {
      readonly kind: 'again';
      readonly row: 11;
      /** Not before receipt plus this. */
      readonly delayMs: number;
      readonly floor: 'hint' | 'own-backoff';
    };

/** The table: the first row that matches decides. Printed in docs/architecture.md from here. */
export const DECISION_TABLE: readonly DecisionRow[] = [
  {
    number: 1,
    when: 'success: neither a limit nor transient, and the adapter resolved',
    then: 'settle',
    matches: isSettled,
  },
  { number: 2, when: 'the caller cancelled', then: 'cancelled', matches: (f) => f.cancelled },
  { number: 3, when: 'the deadline has passed', then: 'deadline-passed', matches: (f) => f.deadlinePassed },
  { number: 4, when: 'the server said no', then: 'server-said-no', matches: (f) => f.serverSaidNo },
  {
    number: 5,
    when: 'neither a limit nor transient',
    then: 'not-transient',
    matches: (f) => f.verdict === 'final',
  },
  {
    number: 6,
    when: 'permission denied',
    then: 'permission',
    matches: (f) => f.permission.kind === 'denied',
  },
  { number: 7, when: 'exchanges spent', then: 'exchanges-spent', matches: (f) => f.exchangesLeft <= 0 },
  {
    number: 8,
    when: 'a failure without a limit, and the allowance is empty',
    then: 'allowance-empty',
    matches: (f) => f.verdict === 'transient' && f.allowanceEmpty,
  },
  { number: 9, when: 'hint longer than maxHint, or overflow', then: 'hint-too-long', matches: isHintTooLong },
  {
    number: 10,
    when: 'max(hint, own backoff) + reserve passes the deadline',
    then: 'deadline-too-near',
    matches: isDeadlineTooNear,
  },
];

interface DecisionRow {
  readonly number: number;
  readonly when: string;
  readonly then: 'settle' | 'permission' | StopReason;
  readonly matches: (facts: DecisionFacts) => boolean;
}

export function decide(facts: DecisionFacts): Decision {
  const found = DECISION_TABLE.find(({ matches }) => matches(facts));
  if (found === undefined) return { kind: 'again', row: 11, ...delayOf(facts) };
  if (found.then === 'settle') return { kind: 'settle', row: 1 };
  const because = found.then === 'permission' ? denialOf(facts.permission) : found.then;
  return { kind: 'stop', row: found.number, because };
}

/** A success needs no judgment: whatever else there is, the first row matches. */
export function isSettled({ verdict, resolved }: Pick<DecisionFacts, 'verdict' | 'resolved'>): boolean {
  return verdict === 'final' && resolved;
}

/** How long the server asked to wait, from receipt; absent when it said nothing usable. */
export function hintMsOf(hint: HintReading): number | undefined {
  return hint.kind === 'hint' ? hint.hint.delayMs : undefined;
}

function isHintTooLong({ hint, maxHintMs }: DecisionFacts): boolean {
  if (hint.kind === 'overflow') return true;
  return maxHintMs !== undefined && (hintMsOf(hint) ?? 0) > maxHintMs;
}

function isDeadlineTooNear(facts: DecisionFacts): boolean {
  return facts.remainingMs !== undefined && delayOf(facts).delayMs + facts.reserveMs > facts.remainingMs;
}

// A hint is a floor: the longer of the two, never their sum.
function delayOf({ hint, ownBackoffMs }: DecisionFacts): { delayMs: number; floor: 'hint' | 'own-backoff' } {
  const hintMs = hintMsOf(hint) ?? 0;
  return hintMs > ownBackoffMs
    ? { delayMs: hintMs, floor: 'hint' }
    : { delayMs: ownBackoffMs, floor: 'own-backoff' };
}

function denialOf(permission: Permission): StopReason {
  return permission.kind === 'denied' ? permission.because : 'outcome-unknown';
}
