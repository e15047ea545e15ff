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

/**
 * The table: the first row that matches decides, and its place, from 1, is its number, for good. What stands
 * beside the rows is what the copies in README.md and docs/architecture.md say.
 */
export const DECISION_TABLE: readonly DecisionRow[] = [
  ['settle', isSettled], // success: neither a limit nor transient, and the adapter resolved
  ['cancelled', (facts) => facts.cancelled], // the caller cancelled
  ['deadline-passed', (facts) => facts.deadlinePassed], // the deadline has passed
  ['server-said-no', (facts) => facts.serverSaidNo], // the server said no
  ['not-transient', (facts) => facts.verdict === 'final'], // neither a limit nor transient
  ['permission', (facts) => facts.permission.kind === 'denied'], // permission denied
  ['exchanges-spent', (facts) => facts.exchangesLeft <= 0], // exchanges spent
  // a failure without a limit, and the allowance is empty
  ['allowance-empty', (facts) => facts.verdict === 'transient' && facts.allowanceEmpty],
  ['hint-too-long', isHintTooLong], // hint longer than maxHint, or overflow
  ['deadline-too-near', isDeadlineTooNear], // max(hint, own backoff) + reserve passes the deadline
];

/** `permission`: stop, with the denial's own reason. */
type DecisionRow = readonly [
  then: 'settle' | 'permission' | StopReason,
  matches: (facts: DecisionFacts) => boolean,
];

export function decide(facts: DecisionFacts): Decision {
  const at = DECISION_TABLE.findIndex(([, matches]) => matches(facts));
  const [then] = DECISION_TABLE[at] ?? [];
  if (then === undefined) return { kind: 'again', row: 11, ...delayOf(facts) };
  if (then === 'settle') return SETTLED;
  return { kind: 'stop', row: at + 1, because: then === 'permission' ? denialOf(facts.permission) : then };
}

export const SETTLED: Decision & { readonly kind: 'settle' } = { kind: 'settle', row: 1 };

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
