import type { GateNote } from '../gate/gate-note.js';
import type { ExchangeEnd, Knowledge, Outcome, Verdict } from '../model.js';
import type { Hint, WeighedReading } from '../hint/hint.js';
import type { Denial, Grounds, RefusalReason, StopReason } from '../reasons.js';
import type { Clock } from '../time/clock.js';

/** One step of an operation or of a gate. Plain data, no secrets: every value is safe to store and to show. */
export type JournalEntry = EntryStamp & (OperationEvent | GateEvent);

export interface EntryStamp {
  /** Running number over the whole client: the order in which things happened. */
  readonly n: number;
  readonly atEpochMs: number;
  readonly monoMs: number;
  /** The operation that the entry belongs to; gate entries may have none. */
  readonly operation?: string;
}

/** What happens to an operation. The end of a wait, an accepted probe, permission and the end differ. */
export type OperationEvent =
  | {
      readonly event: 'operation-opened';
      readonly method: string;
      readonly origin: string;
      /** The path as a template: variable segments are never kept. */
      readonly route: string;
      readonly deadlineEpochMs?: number;
      readonly exchanges: number;
      readonly mode: 'act' | 'observe' | 'bare';
    }
  | {
      readonly event: 'hold-entered';
      /** The gate that refuses the operation for now. */
      readonly gate: string;
      readonly state: string;
      readonly ahead: number;
      readonly releaseAtEpochMs?: number;
    }
  /** Only its own instant is waited for, no gate: own backoff, or a hint for this request alone. */
  | { readonly event: 'pause-entered'; readonly releaseAtEpochMs?: number }
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
  | ObservationEvent
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
    };

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
  readonly verdict: Verdict;
  readonly knowledge: Knowledge;
  readonly tookMs: number;
  readonly receivedEpochMs: number;
  readonly status?: number;
  readonly code?: string;
  readonly hint: HintNote;
}

/** All that was read of an answer, with its raw texts bounded; of a hint its members, one by one. */
export type HintNote = (Omit<Heard, 'hint'> & Hint) | Exclude<WeighedReading, Heard>;

type Heard = WeighedReading & { readonly kind: 'hint' };

/** What the decision table said, and everything that was weighed. */
export interface DecisionEvent {
  readonly event: 'decision';
  readonly exchange: number;
  readonly row: number;
  readonly decision: 'settle' | 'again' | 'stop';
  readonly because?: StopReason;
  /** With `again`: not before receipt plus this, and what set it. */
  readonly delayMs?: number;
  readonly floor?: 'hint' | 'own-backoff';
  readonly weighed: {
    readonly ownBackoffMs: number;
    readonly roll: number;
    readonly exchangesLeft: number;
    readonly reserveMs: number;
    readonly maxHintMs?: number;
    readonly remainingMs?: number;
    readonly allowance?: number;
  };
}

/** What happens to a gate: the gate's own notes, each under its name with `gate-` before it. */
export type GateEvent = GateEventOf<GateNote>;

type GateEventOf<Note extends GateNote> = Note extends GateNote
  ? Omit<Note, 'event'> & { readonly event: `gate-${Note['event']}` }
  : never;

export type JournalListener = (entry: JournalEntry) => unknown;

/** All entries of one client in one order. Entries are kept by their operations, not here. */
export class JournalStream {
  readonly #clock: Clock;
  readonly #listener: JournalListener | undefined;
  #n: number = 0;

  constructor(clock: Clock, listener: JournalListener | undefined) {
    this.#clock = clock;
    this.#listener = listener;
  }

  note({ event, ...facts }: GateNote): void {
    this.write({ ...facts, event: `gate-${event}` } as GateEvent);
  }

  /** Somebody listens, and is told of every entry at once. */
  get isHeard(): boolean {
    return this.#listener !== undefined;
  }

  /** The number and time of an entry that is made later. */
  stamp(): EntryStamp {
    this.#n += 1;
    return { n: this.#n, atEpochMs: this.#clock.wallEpochMs(), monoMs: this.#clock.monoMs() };
  }

  write(event: OperationEvent | GateEvent, operation?: string): JournalEntry {
    // Assigned, not spread: a chain of spreads gives every entry a hidden class of its own, 0.4 kB each.
    const entry: JournalEntry = Object.assign(
      this.stamp(),
      operation === undefined ? {} : { operation },
      event,
    );
    if (this.#listener !== undefined) tell(this.#listener, entry);
    return entry;
  }
}

/** What an operation's journal is about. */
export interface JournalSubject {
  opened(): OperationEvent;
}

/** The entries of one operation, oldest first; the middle is dropped when there are too many. */
export class Journal {
  readonly operation: string;
  readonly #stream: JournalStream;
  readonly #subject: JournalSubject;
  // The first entry is made when somebody reads it: of a hundred thousand that wait, nobody may ever.
  #opening: EntryStamp | undefined;
  #entries: readonly JournalEntry[] = [];

  constructor(operation: string, stream: JournalStream, subject: JournalSubject) {
    this.operation = operation;
    this.#stream = stream;
    this.#subject = subject;
  }

  open(): void {
    if (this.#stream.isHeard) this.write(this.#subject.opened());
    else this.#opening = this.#stream.stamp();
  }

  write(event: OperationEvent): void {
    const entry = this.#stream.write(event, this.operation);
    const kept = this.#entries;
    // Copied to its exact size: a pushed-to array keeps room for seventeen, and most operations only wait.
    this.#entries =
      kept.length < MOST_ENTRIES
        ? [...kept, entry]
        : [...kept.filter((_, at) => at !== MOST_ENTRIES / 2), entry];
  }

  entries(): readonly JournalEntry[] {
    const opening = this.#opening;
    if (opening === undefined) return this.#entries;
    const { operation } = this;
    this.#entries = [{ ...opening, operation, ...this.#subject.opened() }, ...this.#entries];
    this.#opening = undefined;
    return this.#entries;
  }
}

// An operation of four exchanges writes about thirty; only endless holds or hundreds of exchanges write more.
const MOST_ENTRIES = 200;

// An observer must not change what it observes: its failure is dropped, also when it comes as a promise.
function tell(listener: JournalListener, entry: JournalEntry): void {
  try {
    const returned: unknown = listener(entry);
    if (returned instanceof Promise) returned.catch(ignore);
  } catch {
    // As above.
  }
}

function ignore(): void {
  return;
}
