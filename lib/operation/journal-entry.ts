import type { GateState } from '../gate/gate-state.js';
import type { GateNote } from '../gate/gate-note.js';
import type { Hint, WeighedReading } from '../hint/hint.js';
import type { ExchangeEnd, Knowledge, Outcome, Verdict } from '../model.js';
import type { AllowanceTerms } from '../policy/allowance.js';
import type { Weighed } from '../policy/judgment.js';
import type { Denial, Grounds, RefusalReason, StopReason } from '../reasons.js';

/** One step of an operation or of a gate. Plain data, no secrets: every value is safe to store and to show. */
export type JournalEntry = EntryStamp & (OperationEvent | GateEvent);

/** What every entry has: its place in the order, and when it was on both clocks. */
export interface EntryStamp {
  /** Of the schema: an entry of another version may mean other things. */
  readonly v: 1;
  /** Running number over the whole client: the order in which things happened. */
  readonly n: number;
  readonly atEpochMs: number;
  readonly monoMs: number;
  /** Whose entry it is; of a gate entry whose pass or answer it was, where that is known. */
  readonly operation?: string;
  /** In the journal of an operation only: how many of its entries before this one are no longer kept. */
  readonly dropped?: number;
}

/** What happens to an operation. The end of a wait, an accepted probe, permission and the end differ. */
export type OperationEvent =
  | OperationOpenedEvent
  | {
      readonly event: 'hold-entered';
      /** The gate that refuses the operation for now. */
      readonly gate: string;
      readonly state: GateState['kind'];
      readonly ahead: number;
      readonly releaseAtEpochMs?: number;
    }
  /** Only its own instant is waited for, no gate: own backoff, or a hint for this request alone; or a network. */
  | { readonly event: 'pause-entered'; readonly releaseAtEpochMs?: number; readonly because?: 'offline' }
  /** The gate at which waiting is not worth it, and when it would let go. */
  | {
      readonly event: 'hold-refused';
      readonly gate: string;
      readonly because: RefusalReason;
      readonly releaseAtEpochMs?: number;
    }
  | { readonly event: 'wait-ended'; readonly waitedMs: number; readonly how: 'pass' | 'left' | RefusalReason }
  | ({ readonly event: 'hook-ended'; readonly hook: string; readonly tookMs: number } & HookNote)
  /** What the caller's `reconcile` found out about a write whose outcome was in doubt. */
  | {
      readonly event: 'reconciled';
      readonly exchange: number;
      readonly outcome: 'applied' | 'not-applied' | 'unknown';
    }
  /** `gates`: whose passes it took, narrow to wide. */
  | { readonly event: 'exchange-sent'; readonly exchange: number; readonly gates: readonly string[] }
  | { readonly event: 'probe-sent'; readonly exchange: number; readonly gates: readonly string[] }
  | { readonly event: 'probe-accepted'; readonly exchange: number; readonly gates: readonly string[] }
  /** The instant at which the caller's cancel was seen. */
  | { readonly event: 'cancel-requested' }
  | ObservationEvent
  | WeighedEvent
  | { readonly event: 'permission-granted'; readonly grounds: Grounds; readonly knowledge: Knowledge }
  | { readonly event: 'permission-denied'; readonly because: Denial; readonly knowledge: Knowledge }
  | DecisionEvent
  | {
      readonly event: 'operation-closed';
      readonly outcome: Outcome;
      readonly because?: StopReason;
      readonly exchanges: number;
      readonly knowledge: Knowledge;
      /** The last answer may be the trace of an earlier exchange: a 404 for a DELETE, a 412 for a PUT. */
      readonly earlierOutcome?: 'unknown';
      readonly tookMs: number;
    }
  | ConcludedEvent;

/** What was asked for, and on what terms. Never the query, user info or a variable segment of the path. */
export interface OperationOpenedEvent {
  readonly event: 'operation-opened';
  readonly method: string;
  readonly origin: string;
  /** The path as a template. */
  readonly route: string;
  /** The labels of its gates, narrow to wide. */
  readonly scopes: readonly string[];
  /** `observe` and `bare` send exactly one exchange, past the gates. */
  readonly mode: 'act' | 'observe' | 'bare';
  readonly budgetMs?: number;
  readonly deadlineEpochMs?: number;
  readonly terms: TermsNote;
}

/** The policy and the request's own options, as far as they are data; of a function only that it is one. */
export interface TermsNote {
  /** The most that may be sent, the first included. */
  readonly exchanges: number;
  /** Absent: no bound of its own. */
  readonly maxHintMs?: number;
  /** Absent: what the narrowest gate has seen. */
  readonly reserveMs?: number;
  readonly jitter: number;
  readonly backoff:
    { readonly firstMs: number; readonly factor: number; readonly maxMs: number } | 'function';
  readonly transient: readonly number[] | 'function';
  readonly notApplied: readonly number[] | 'function';
  readonly allowance: AllowanceTerms | 'none';
  /** Absent: no bound, or that of shared gates. */
  readonly concurrency?: number;
}

/** How a hook ended, and what a readiness check said. */
export interface HookNote {
  readonly how: string;
  readonly notBeforeEpochMs?: number;
  readonly why?: string;
}

/** The facts at the end of an exchange; `hint` keeps the server's own words, bounded. */
export interface ObservationEvent {
  readonly event: 'observation';
  readonly exchange: number;
  readonly end: ExchangeEnd;
  /** Whether the adapter resolved: `validateStatus` decides that. */
  readonly resolved: boolean;
  readonly verdict: Verdict;
  /** What the policy's own `classify` said, which overrules the status. */
  readonly classified?: Verdict;
  /** Of this exchange alone. */
  readonly knowledge: Knowledge;
  readonly sentEpochMs: number;
  readonly receivedEpochMs: number;
  readonly tookMs: number;
  readonly status?: number;
  readonly code?: string;
  readonly hint: HintNote;
  /** The server's clock at the making of its answer, and how long caches had that since. */
  readonly serverDateEpochMs?: number;
  readonly ageSeconds?: number;
  readonly fromCache?: true;
  /** A browser kept headers back that the server did not expose (CORS). */
  readonly headersHidden?: true;
  /** The origin that has answered, where a redirect led to another host and the adapter shows it (http, xhr). */
  readonly answeredBy?: string;
}

/** All that was read of an answer, with its raw texts bounded; of a hint its members, one by one. */
export type HintNote = (Omit<Heard, 'hint'> & Hint) | Exclude<WeighedReading, Heard>;

type Heard = WeighedReading & { readonly kind: 'hint' };

/** What the table is asked with, beside the observation; not written where a success needs no judgment. */
export interface WeighedEvent extends Weighed {
  readonly event: 'weighed';
}

/** What the decision table said. */
export interface DecisionEvent {
  readonly event: 'decision';
  readonly exchange: number;
  readonly row: number;
  readonly decision: 'settle' | 'again' | 'stop';
  readonly because?: StopReason;
  /** With `again`: not before receipt plus this, and what set it. */
  readonly delayMs?: number;
  readonly floor?: 'hint' | 'own-backoff';
}

/** The application's own word on what became of its transaction. */
export interface Conclusion {
  /** At most 128 characters of it are kept. */
  readonly conclusion: string;
  readonly detail?: string | undefined;
}

/** A `Conclusion` as the journal keeps it: bounded, controls escaped. */
export interface ConcludedEvent {
  readonly event: 'concluded';
  readonly conclusion: string;
  readonly detail?: string;
}

/**
 * What happens to a gate: the gate's own notes, each under its name with `gate-` before it. Gates of several
 * clients or processes may have one label: `client` is whose this one is, and how the names of its operations begin.
 */
export type GateEvent = GateEventOf<GateNote>;

type GateEventOf<Note extends GateNote> = Note extends GateNote
  ? Omit<Note, 'event' | 'atMonoMs' | 'operation'> &
      (Note extends { readonly untilMonoMs: number } ? { readonly untilEpochMs: number } : unknown) & {
        readonly event: `gate-${Note['event']}`;
        readonly client: string;
      }
  : never;

/** Hears entries, one by one, as they are written. What it throws, or rejects with, is dropped. */
export type JournalListener = (entry: JournalEntry) => unknown;
