// ==== axios-heed

/** A bucket of re-sends after failures, shared by all operations of a client: one re-send takes 1. */
export interface AllowanceOption {
    /** In it at the start. @default 10 */
    readonly start?: number | undefined;
    /** What every operation adds with its first exchange. @default 0.2 */
    readonly perExchange?: number | undefined;
    /** What a second adds. @default 1 */
    readonly perSecond?: number | undefined;
    /** The most that it holds. @default 100 */
    readonly max?: number | undefined;
}

/** How many re-sends after failures the operations of a client may share. */
export interface AllowanceTerms {
    readonly start: number;
    readonly perExchange: number;
    readonly perSecond: number;
    readonly max: number;
}

/** What a policy's `classify` sees of an answer. */
export interface AnswerFacts {
    readonly status: number;
    /** Lower or upper case; several lines come joined by a comma. */
    readonly header: (name: string) => string | undefined;
    /** The body as the adapter gave it, before axios' transforms: JSON is still text. */
    readonly data: unknown;
    /** The body read as JSON; `undefined` where it is none. */
    readonly json: () => unknown;
}

/**
 * Own delays: `first`, then `factor` (1 or more) times the one before, up to `max`; or ms of 0 or more as a function of
 * the failures so far, from 1.
 */
export type BackoffOption = {
    readonly first?: Span | undefined;
    readonly factor?: number | undefined;
    readonly max?: Span | undefined;
} | ((failures: number) => number);

/** Gives fresh facts for the exchange that is about to be sent; `undefined` for none. Ten seconds at most. */
export type BeforeExchange = (context: ExchangeContext) => ExchangeChanges | undefined | Promise<ExchangeChanges | undefined>;

/** Takes a timer back; once it has fired, without effect. */
export type CancelTimer = () => void;

/**
 * The policy's own word on an answer: `limit` for "not now" (with the wait in ms, where the body tells),
 * `transient` for a failure that may heal, `final` for one that will not.
 */
export type Classification = {
    readonly kind: 'limit';
    readonly delayMs?: number | undefined;
} | {
    readonly kind: 'transient';
} | {
    readonly kind: 'final';
};

/** Judges one answer; `undefined` leaves it to its status. What it throws rejects the call. */
export type Classify = (answer: AnswerFacts) => Classification | undefined;

/**
 * The core's only contact with time and chance: two readings, one timer, one die.
 * `wallEpochMs` may jump and is for HTTP-dates and journal stamps; `monoMs` only goes forward and is for
 * every wait. Inject your own in tests, see `axios-heed/testing`.
 */
export interface Clock {
    /** Wall time, ms since 1970-01-01T00:00:00Z. */
    wallEpochMs(): number;
    /** Monotonic time, ms since an arbitrary origin; may be fractional. */
    monoMs(): number;
    /**
     * Runs `fire` once, about `delayMs` from now (0 to 2^31-1), unless cancelled. May be early by a few
     * milliseconds or late by any amount: whoever asks reads the clock again.
     */
    setTimer(delayMs: number, fire: () => void): CancelTimer;
    /** A number from 0 (inclusive) to 1 (exclusive). */
    roll(): number;
}

/** What an instant was measured against; a number of seconds needs no clock. */
export type ClockUsed = 'none' | 'server-date' | 'local';

/** A `Conclusion` as the journal keeps it: bounded, controls escaped. */
export interface ConcludedEvent {
    readonly event: 'concluded';
    readonly conclusion: string;
    readonly detail?: string;
}

/** The application's own word on what became of its transaction. */
export interface Conclusion {
    /** At most 128 characters of it are kept. */
    readonly conclusion: string;
    readonly detail?: string | undefined;
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

/** Why sending again might do harm, or is not possible. Each is a `StopReason`, too. */
export type Denial = (typeof DENIALS)[number];

/** Why nobody knows: no answer came, or it broke off after the server had begun it. */
export type Doubt = 'outcome-unknown' | 'answer-lost';

/** A write of which nobody knows what became of it. */
export interface DoubtfulOperation {
    readonly operationId: string;
    /** `answer-lost`: the server has answered, and the answer broke off. */
    readonly reason: Doubt;
    /** How many were sent. */
    readonly exchanges: number;
    /** What was sent, the config included. */
    readonly request: ScopeRequest;
    /** For requests made inside the hook through the same client, so that they cannot wait for themselves. */
    readonly bare: {
        readonly heed: false;
    };
}

/** The shape of a date-fns `Duration`. Its own type would drag in declarations that CommonJS cannot read. */
export interface Duration {
    readonly years?: number | undefined;
    readonly months?: number | undefined;
    readonly weeks?: number | undefined;
    readonly days?: number | undefined;
    readonly hours?: number | undefined;
    readonly minutes?: number | undefined;
    readonly seconds?: number | undefined;
}

/** It has ended, and this is told last: how, after how many exchanges, and why where it was no success. */
export interface EndedProgress {
    readonly kind: 'ended';
    readonly operation: string;
    readonly exchanges: number;
    readonly outcome: Outcome;
    readonly because?: StopReason;
}

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

/** What to send instead. Headers replace those of the same name, `null` removes; `data` is sent as it is. */
export interface ExchangeChanges {
    readonly headers?: Readonly<Record<string, string | null>> | undefined;
    readonly data?: unknown;
}

/** What a hook is told of the exchange that is about to be sent. */
export interface ExchangeContext {
    readonly operationId: string;
    /** The number of the exchange about to be sent, from 1. */
    readonly exchange: number;
    /** How long this exchange waited at gates. */
    readonly waitedMs: number;
    readonly method: string;
    /** Without query and user info. */
    readonly url: string;
    /** A header as it would be sent now. */
    readonly header: (name: string) => string | undefined;
    /** For requests made inside the hook through the same client, so that they cannot wait for themselves. */
    readonly bare: {
        readonly heed: false;
    };
}

/** How an exchange ended, as far as it could be seen. */
export type ExchangeEnd = 
/** Status and headers arrived, and the body as far as it was asked for. */
'answer'
/** Status and headers arrived, the body broke off. */
 | 'cut-answer'
/** A redirect that says when to follow it, kept from the platform that would follow at once. */
 | 'redirect'
/** The connection failed; `code` is the platform's. */
 | 'network-failure'
/** The exchange's own axios `timeout` passed. */
 | 'timeout'
/** Refused on this side: bad URL, body too large, certificate not accepted, an adapter that threw. */
 | 'local-failure'
/** The caller cancelled. */
 | 'cancelled'
/** The operation's deadline passed in flight. */
 | 'deadline';

/** A header field as transports present it: one text, one text per field line, or nothing. */
export type FieldValue = string | readonly string[] | undefined;

/**
 * What happens to a gate: the gate's own notes, each under its name with `gate-` before it. Gates of several
 * clients or processes may have one label: `client` is whose this one is, and how the names of its operations begin.
 */
export type GateEvent = GateEventOf<GateNote>;

/** One gate at one instant. No credential is in it: a running number stands for each. */
export interface GateSnapshot {
    readonly gate: string;
    readonly scope: readonly ScopeLabel[];
    readonly state: GateState['kind'];
    readonly epoch: number;
    readonly waiting: number;
    readonly inFlight: number;
    /** No new operation has succeeded since the last hold: nothing may be called recovered yet. */
    readonly unproven: boolean;
    /** While it is held. */
    readonly hold?: HoldSnapshot | undefined;
    /** The rate that saturated releases have taught, while it is fresh. */
    readonly perSecond?: number | undefined;
}

/** All gates of a client, or of several: who may send now, who waits, and for what. */
export declare class Gates {
    #private;
    constructor(options: GatesOptions);
    /** One for each operation: its number is its place in every queue, for life. */
    ticket(facts: TicketFacts): Ticket;
    /** What an exchange without a pass has met: only its limits have an effect. */
    overhear(scopes: readonly Scope[], answer: Answer, operation?: string): void;
    /** What would hold up an operation that entered now. Nothing is taken. */
    standing(scopes: readonly Scope[], terms: EnterTerms): Refused | Standstill | undefined;
    /** What the gates of these scopes are called, whether there are any yet or not. */
    labelsOf(scopes: readonly Scope[]): readonly string[];
    /**
     * Holds by hand: every gate that has the part, those yet to come included, or the narrowest of the scopes.
     * Never shortens a hold.
     */
    hold(target: ScopeSelector | readonly Scope[], untilEpochMs: number, why: string): void;
    /** Ends holds by hand, whoever asked for them: the one thing that shortens a hold. A probe goes next. */
    release(target: ScopeSelector | readonly Scope[]): void;
    /** The same object until something changes. */
    snapshot(): GatesSnapshot;
    /** The operations of an owner that wait, gate by gate, in the order in which they go. */
    waiting(owner: object): readonly WaitingOperation[];
    /** Tells the listener of changes, at most ten times a second; returns how to stop. */
    subscribe(listener: () => void): () => void;
    /** Tells them of what is none of the gates' doing: somebody waits elsewhere, or does no more. */
    changed(): void;
    /** Tells the listener what happens at the gates, in order; returns how to stop. */
    onNote(listener: (note: GateNote) => void): () => void;
    /** Settles every waiter of an owner as refused: `detached`. */
    detach(owner: object): void;
}

/** The options of gates. Where a policy has `gates`, their bounds and their store stand here, and not there. */
export type GatesPolicy = Pick<HeedPolicy, 'clock' | 'concurrency' | 'jitter' | 'backoff' | 'maxHint' | 'maxQueued' | 'maxGates' | 'store'>;

/** All gates at one instant. The same object until something changes. */
export interface GatesSnapshot {
    readonly gates: readonly GateSnapshot[];
    /** Operations that wait, in all. */
    readonly waiting: number;
}

/** What makes sending again harmless. */
export type Grounds = (typeof GROUNDS)[number];

/** Options of one request, under the key `heed`; they replace those of the policy. `false` switches off. */
export interface HeedConfig {
    readonly budget?: Span | undefined;
    /** The instant by which the operation has to end, a `Date` or ms since 1970. The nearer of both wins. */
    readonly deadline?: Date | number | undefined;
    readonly reserve?: Span | undefined;
    readonly maxHint?: Span | 'none' | undefined;
    readonly exchanges?: number | undefined;
    /** Your word that repeating is harmless, or that it is not, whatever the method says. */
    readonly idempotent?: boolean | undefined;
    /** The key that makes repeating harmless, `'auto'`, or a function; header and quotes are the policy's. */
    readonly idempotencyKey?: string | KeySource | KeyTerms<string | KeySource> | undefined;
    /** Makes the body anew before each exchange, ready for the wire: no transform sees it. Streams are fine. */
    readonly body?: (() => unknown) | undefined;
    /** The route template of this request, such as `/orders/:id`. */
    readonly route?: string | undefined;
    /** The sub-key for taking turns. */
    readonly turn?: string | undefined;
    /** Told how the operation is getting on: held until when and behind how many, which exchange, how it ended. */
    readonly onProgress?: ProgressListener | undefined;
}

/** Options that were refused; nothing was set up and nothing was sent. */
export declare class HeedOptionsError extends TypeError {
    readonly name: "HeedOptionsError";
    readonly code: "ERR_HEED_OPTIONS";
    constructor(subject: keyof typeof SUBJECTS, expected: string);
}

/** Options of `heed(instance, policy)`. Everything has a default that is safe as it stands. */
export interface HeedPolicy {
    /**
     * What one operation may take in all: exchanges, waits, holds, hooks and the body.
     * @default none, because a budget cuts long downloads; a request sets its own
     */
    readonly budget?: Span | undefined;
    /**
     * Time kept back so that the exchange after a wait can still finish.
     * @default the smoothed time of the scope's answered exchanges
     */
    readonly reserve?: Span | undefined;
    /**
     * The longest hint that is waited for; a longer one stops the operation and still holds the scope.
     * @default 60 s for operations without a deadline; no bound for those with one
     */
    readonly maxHint?: Span | 'none' | undefined;
    /** Exchanges per operation, the first included. @default 4 */
    readonly exchanges?: number | undefined;
    /**
     * Own delay when the server said nothing, or ms as a function of the failures so far (from 1).
     * @default { first: 500, factor: 2, max: 30_000 }
     */
    readonly backoff?: BackoffOption | undefined;
    /** Spread of waits, only upwards; 0 makes every wait exact. @default 0.1 */
    readonly jitter?: number | undefined;
    /** What the server's limits are counted by, narrow to wide. @default origin + token + route, origin + token */
    readonly scopes?: readonly ScopeRule[] | undefined;
    /** Readers of what servers say beside Retry-After; see `axios-heed/rate-limit` and `/vendors`. @default none */
    readonly hints?: readonly HintReader[] | undefined;
    /** Statuses that may heal, or a question about failures. @default 408, 425, 429, 500, 502, 503, 504 */
    readonly transient?: TransientRule | undefined;
    /** Answers by which you know that the server did not apply the request. @default none beyond 421, 425, 429 */
    readonly notApplied?: NotAppliedRule | undefined;
    /** Judges answers that speak in the body; asked once per answer, `undefined` leaves it to the status. */
    readonly classify?: Classify | undefined;
    /** Fresh facts (credentials, signatures) before an exchange that waited or is not the first. */
    readonly beforeExchange?: BeforeExchange | undefined;
    /** Named questions (service, dependencies, resources), asked in order before the same exchanges. */
    readonly readiness?: readonly ReadinessCheck[] | undefined;
    /**
     * Asked when a write stops and nobody knows what became of it. What it throws leaves the outcome unknown,
     * and is the `cause` of the error.
     */
    readonly reconcile?: Reconcile | undefined;
    /**
     * Makes writes repeatable at servers that know keys: `'auto'` for POST and PATCH, or a function that is
     * asked once an operation. A key that the caller has set stays. @default none
     */
    readonly idempotencyKey?: 'auto' | KeySource | KeyTerms<KeySource> | undefined;
    /** Most exchanges in flight per gate. @default unbounded; a limit is learned from the server */
    readonly concurrency?: number | undefined;
    /** A sub-key by which a queue takes turns, so that one tenant cannot fill it. */
    readonly turn?: ((request: ScopeRequest) => string) | undefined;
    /** Most operations waiting in all. @default 10_000 */
    readonly maxQueued?: number | undefined;
    /** Most gates remembered. @default 10_000 */
    readonly maxGates?: number | undefined;
    /**
     * Re-sends after failures that all operations share; limits are paced by gates and cost nothing here.
     * @default { start: 10, perExchange: 0.2, perSecond: 1, max: 100 }
     */
    readonly allowance?: AllowanceOption | 'none' | undefined;
    /** Hears every journal entry as it is written. What it throws is dropped. */
    readonly onEntry?: JournalListener | undefined;
    /** `observe`: exactly one exchange, and the journal tells what would have been decided. @default 'act' */
    readonly mode?: 'act' | 'observe' | undefined;
    /** Gates shared with other clients of this process, from `createGates()`. */
    readonly gates?: Gates | undefined;
    /** Where gates tell other processes of what they learn. @default this process alone */
    readonly store?: SharedStore | undefined;
    /**
     * While the browser says that it is offline, exchanges that may be repeated wait for the network, within
     * their deadline. @default false
     */
    readonly waitForOnline?: boolean | undefined;
    /** Rewrites a path before it is used for a scope, a journal or a message: for secrets in paths. */
    readonly maskPath?: ((path: string) => string) | undefined;
    /** Time and dice. @default the platform's */
    readonly clock?: Clock | undefined;
}

/** What axios-heed adds to an error, as `error.heed`. Plain data: safe to log, no references back. */
export interface HeedReport {
    /** Why the operation went no further. */
    readonly reason: StopReason;
    /** One line for people: what was tried, how long, and why it ended. */
    readonly message: string;
    /** When the server, or the gate, lets requests of this scope go again: ms since 1970. */
    readonly releaseAt?: number;
    /** The same as a wait in ms, counted from the end of the operation. */
    readonly waitMs?: number;
    /** What is known of the exchanges, the worst over all of them. */
    readonly knowledge: Knowledge;
    /**
     * The server refused a write, but an exchange before that one may have been applied: a 404 for a DELETE, a
     * 412 for a PUT may be its trace.
     */
    readonly earlierOutcome?: 'unknown';
    /** When the outcome is unknown: the key that was sent, so that a later run can ask again with it. */
    readonly idempotencyKey?: string;
    /** Whether calling once more, after `releaseAt`, makes sense. A layer above must not retry a `false`. */
    readonly retryable: boolean;
    readonly exchanges: number;
    readonly operationId: string;
}

/** The handle of an attached instance. */
export interface Heeding {
    /** The gates as they stand: immutable, and the same object until something changes. */
    readonly snapshot: () => GatesSnapshot;
    /** Calls `listener` after changes, at most ten times a second; returns how to stop. */
    readonly subscribe: (listener: () => void) => () => void;
    /** The operations that wait now, in the order in which they go, last those that are offline; each can be cancelled. */
    readonly waiting: () => readonly WaitingOperation[];
    /**
     * Holds every gate that has a part, such as `{ by: 'tenant', value: 'acme' }`, or the narrowest gate of a
     * request, until a `Date` or ms since 1970. Never shortens a hold. Deadlines bound it, `maxHint` does not.
     */
    readonly hold: (target: ScopeSelector | AxiosRequestConfig, until: Date | number, why: string) => void;
    /** Ends holds, whoever asked for them; one probe goes next. */
    readonly release: (target: ScopeSelector | AxiosRequestConfig) => void;
    /**
     * Your own word on what became of a transaction, such as `{ conclusion: 'charged once' }`, into the journal
     * of its operation. 128 characters of it are kept; no secrets in it, please.
     * @throws HeedOptionsError for what carries no journal, and for a conclusion that is no text
     */
    readonly conclude: (responseOrError: unknown, said: Conclusion) => void;
    /** Waiters are rejected (`ERR_HEED_DETACHED`), exchanges in flight end as they end, later calls pass bare. */
    readonly detach: () => void;
}

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

/** A server's instruction about when to come back, and where it comes from. */
export interface Hint {
    /** The field that said so, in small letters; a place in the body by its path, such as `body.retry_after`. */
    readonly source: string;
    /** The value as it came: at most 128 characters, controls escaped. */
    readonly raw: string;
    readonly form: HintForm;
    /** 0 or more, counted from the receipt of the response. */
    readonly delayMs: number;
    /** The instant that the server named, on its own clock. */
    readonly atEpochMs?: number;
    readonly clock: ClockUsed;
    /** Server minus local, where the response has a `Date`; good to a second or two. */
    readonly skewMs?: number;
    /** How long the response had been in caches, where it says so. */
    readonly ageSeconds?: number;
    /** More than 1: the longest of so many. */
    readonly members?: number;
    /** An instant that had passed at receipt. */
    readonly elapsed?: true;
    /** The date names another day of the week than it falls on. */
    readonly dayName?: 'wrong';
}

/** What a reader may see of a response. */
export interface HintFacts {
    readonly status: number;
    /** By name in small letters; `undefined` if the field is not there. */
    readonly header: (name: string) => FieldValue;
    /** The names of all fields, in small letters. */
    readonly headerNames: () => readonly string[];
    /** The local clock at receipt. */
    readonly receivedEpochMs: number;
    /** As the adapter gave it, before axios' transforms: JSON is still text. */
    readonly body?: unknown;
    /** Set where a browser keeps fields from scripts that the server did not expose (CORS). */
    readonly headersMayBeHidden?: boolean | undefined;
}

/** How the wait was written; `documented` is what the vendor tells clients to wait where no field does. */
export type HintForm = 'delay-seconds' | 'http-date' | 'seconds' | 'milliseconds' | 'go-duration' | 'epoch-seconds' | 'epoch-milliseconds' | 'rfc3339' | 'documented' | 'own';

/** All that was read of an answer, with its raw texts bounded; of a hint its members, one by one. */
export type HintNote = (Omit<Heard, 'hint'> & Hint) | Exclude<WeighedReading, Heard>;

/**
 * Looks for one dialect of hints in a response; an empty list is silence. It may throw: `readHints` takes
 * that for silence and says so.
 */
export type HintReader = (facts: HintFacts) => Reading | readonly Reading[];

/** What a response says about the wait. Neither of `malformed` and `overflow` is silence, or a short wait. */
export type HintReading = 
/** `overrules`: a finer twin of that field, for those who asked for it. */
{
    readonly kind: 'hint';
    readonly hint: Hint;
    readonly overrules?: 'retry-after';
} | {
    readonly kind: 'silent';
    readonly because: 'missing' | 'not-visible';
} | {
    readonly kind: 'silent';
    readonly because: 'reader-failed';
    readonly source: string;
} | {
    readonly kind: 'malformed';
    readonly because: 'empty' | 'invalid';
    readonly source: string;
    readonly raw: string;
} | {
    readonly kind: 'overflow';
    readonly source: string;
    readonly raw: string;
    readonly overrules?: 'retry-after';
};

/** Until when a gate is held at the earliest, and where that comes from. */
export interface HoldSnapshot {
    readonly releaseAtEpochMs: number;
    readonly because: HoldCause;
    /** What the server asked for, where it did. */
    readonly hintMs?: number | undefined;
    /** So many probes in a row have met a limit: from the second on each hold is longer than its hint. */
    readonly limitedProbes?: number | undefined;
    /** The words of whoever holds it by hand. */
    readonly why?: string | undefined;
}

/** How a hook ended, and what a readiness check said. */
export interface HookNote {
    readonly how: string;
    readonly notBeforeEpochMs?: number;
    readonly why?: string;
}

/** One step of an operation or of a gate. Plain data, no secrets: every value is safe to store and to show. */
export type JournalEntry = EntryStamp & (OperationEvent | GateEvent);

/** Hears entries, one by one, as they are written. What it throws, or rejects with, is dropped. */
export type JournalListener = (entry: JournalEntry) => unknown;

/** Gives the key of one operation; `undefined` for none. */
export type KeySource = (config: Readonly<InternalAxiosRequestConfig>) => string | undefined;

/** Idempotency keys, with how they are written. `key` absent: that of the policy, if it has one. */
export interface KeyTerms<Key> {
    readonly key?: 'auto' | Key | undefined;
    /** The header that carries the key. @default 'Idempotency-Key' */
    readonly header?: string | undefined;
    /** As a string of structured fields, in quotes (RFC 9651 3.3.3). @default false, as most servers have it */
    readonly quoted?: boolean | undefined;
}

/** What is known of an exchange: not sent, not applied, answered, or nothing. */
export type Knowledge = (typeof KNOWLEDGE)[number];

/** What a server says its limit is counted by, as one part of a scope. */
export interface NamedScope {
    readonly by: string;
    readonly value: string;
    /** Whom it concerns where no scope of the request has that part; `request`: nobody else. */
    readonly reach: 'narrowest' | 'widest' | 'request';
}

/** Answers by which the policy knows that the server did not apply the request. */
export type NotAppliedRule = readonly number[] | ((observation: Observation) => boolean);

/** The facts at the end of an exchange, no judgment. */
export interface Observation {
    readonly end: ExchangeEnd;
    /** Whether the adapter resolved; it rejects or resolves as the caller's `validateStatus` says. */
    readonly resolved: boolean;
    readonly status?: number;
    /** The adapter's error code or that of its cause, such as ECONNREFUSED. */
    readonly code?: string;
    /** What its readers read: the wait, quotas, the server's own judgment. */
    readonly hint: WeighedReading;
    /** What the policy's own `classify` called this answer, which overrules its status. */
    readonly classified?: Verdict;
    /** The server's clock when it made the answer; read where there is something to judge, not of a success. */
    readonly serverDateEpochMs?: number;
    /** How long caches have had the answer, as `Age` tells. */
    readonly ageSeconds?: number;
    readonly fromCache?: true;
    /** A browser kept headers from scripts that the server did not expose (CORS). */
    readonly headersHidden?: true;
    /** The origin that has answered, where a redirect led to another host and the adapter shows it (http, xhr). */
    readonly answeredBy?: string;
    /** The instant of receipt on both clocks. */
    readonly receivedEpochMs: number;
    readonly receivedMonoMs: number;
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

/** What happens to an operation. The end of a wait, an accepted probe, permission and the end differ. */
export type OperationEvent = OperationOpenedEvent | {
    readonly event: 'hold-entered';
    /** The gate that refuses the operation for now. */
    readonly gate: string;
    readonly state: GateState['kind'];
    readonly ahead: number;
    readonly releaseAtEpochMs?: number;
}
/** Only its own instant is waited for, no gate: own backoff, or a hint for this request alone; or a network. */
 | {
    readonly event: 'pause-entered';
    readonly releaseAtEpochMs?: number;
    readonly because?: 'offline';
}
/** The gate at which waiting is not worth it, and when it would let go. */
 | {
    readonly event: 'hold-refused';
    readonly gate: string;
    readonly because: RefusalReason;
    readonly releaseAtEpochMs?: number;
} | {
    readonly event: 'wait-ended';
    readonly waitedMs: number;
    readonly how: 'pass' | 'left' | RefusalReason;
} | ({
    readonly event: 'hook-ended';
    readonly hook: string;
    readonly tookMs: number;
} & HookNote)
/** What the caller's `reconcile` found out about a write whose outcome was in doubt. */
 | {
    readonly event: 'reconciled';
    readonly exchange: number;
    readonly outcome: 'applied' | 'not-applied' | 'unknown';
}
/** `gates`: whose passes it took, narrow to wide. */
 | {
    readonly event: 'exchange-sent';
    readonly exchange: number;
    readonly gates: readonly string[];
} | {
    readonly event: 'probe-sent';
    readonly exchange: number;
    readonly gates: readonly string[];
} | {
    readonly event: 'probe-accepted';
    readonly exchange: number;
    readonly gates: readonly string[];
}
/** The instant at which the caller's cancel was seen. */
 | {
    readonly event: 'cancel-requested';
} | ObservationEvent | WeighedEvent | {
    readonly event: 'permission-granted';
    readonly grounds: Grounds;
    readonly knowledge: Knowledge;
} | {
    readonly event: 'permission-denied';
    readonly because: Denial;
    readonly knowledge: Knowledge;
} | DecisionEvent | {
    readonly event: 'operation-closed';
    readonly outcome: Outcome;
    readonly because?: StopReason;
    readonly exchanges: number;
    readonly knowledge: Knowledge;
    /** The last answer may be the trace of an earlier exchange: a 404 for a DELETE, a 412 for a PUT. */
    readonly earlierOutcome?: 'unknown';
    readonly tookMs: number;
} | ConcludedEvent;

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

/** How an operation is getting on, for a person who waits for it. */
export type OperationProgress = HeldProgress | SentProgress | EndedProgress;

/** How an operation ended. */
export type Outcome = 'succeeded' | 'stopped' | 'refused' | 'cancelled';

/** Told at once of each step. What it throws, or rejects with, is dropped. */
export type ProgressListener = (progress: OperationProgress) => unknown;

/** What is left of one of the server's quotas. In whatever unit: a request takes one of it, or more. */
export interface QuotaReading {
    readonly kind: 'quota';
    readonly source: string;
    readonly raw: string;
    /** The server's name for it. */
    readonly policy?: string;
    readonly remaining: number;
    readonly limit?: number;
    /** From receipt until it is renewed. */
    readonly resetMs?: number;
    readonly windowMs?: number;
    /** Where an instant was named for that: what it was measured against, as with hints. */
    readonly clock?: ClockUsed;
    readonly skewMs?: number;
}

/** Send; not before an instant (a `Date` or ms since 1970); or never, with a word on why for the journal. */
export type ReadinessAnswer = 'ready' | {
    readonly notBefore: Date | number;
} | {
    readonly stop: string;
};

/** A question that is asked before an exchange that waited or is not the first. */
export interface ReadinessCheck {
    /** Stands in the journal. */
    readonly name: string;
    /** Ten seconds at most. What it throws rejects the call. */
    readonly check: (context: ExchangeContext) => ReadinessAnswer | Promise<ReadinessAnswer>;
}

/** All that a reader may say. */
export type Reading = HintReading | QuotaReading | VerdictReading;

/** Finds out what became of a write, with a request of its own for example. Ten seconds at most; may throw. */
export type Reconcile = (operation: DoubtfulOperation) => Reconciliation<AxiosResponse> | Promise<Reconciliation<AxiosResponse>>;

/**
 * What became of it: `applied`, with the response that the caller is to get, where there is one;
 * `not-applied`, so that it may go again; or `unknown`.
 */
export type Reconciliation<Response> = {
    readonly outcome: 'applied';
    readonly response?: Response | undefined;
} | {
    readonly outcome: 'not-applied';
} | {
    readonly outcome: 'unknown';
};

/** Why a gate let an operation wait no longer, or not at all. Each is a `StopReason`, too. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** What permission depends on, beside what is known of the exchange. */
export type RequestFacts = Omit<PermissionFacts, 'knowledge'>;

/** The identity of one gate. Equal parts in equal order are the same scope. */
export type Scope = readonly ScopePart[];

/** A part of a scope, as it may be shown. */
export interface ScopeLabel {
    readonly by: string;
    readonly label: string;
}

/** One part of what a server counts a limit by. */
export interface ScopePart {
    /** 'origin', 'token', 'route', 'tenant', or a name of your own. */
    readonly by: string;
    readonly value: string;
    /** A secret value is never shown and nothing is derived from it: a running number stands for it. */
    readonly secret: boolean;
    /** Shown instead of the value or the running number. */
    readonly label?: string | undefined;
}

/** What a rule may look at: the request as it will be sent. */
export interface ScopeRequest {
    /** Upper case. */
    readonly method: string;
    /** In full, without params; may be relative. */
    readonly url: string;
    /** The request's own word for its route. */
    readonly route?: string | undefined;
    readonly auth?: {
        readonly username?: string;
        readonly password?: string;
    } | undefined;
    readonly config: Readonly<InternalAxiosRequestConfig>;
    /** The value of a request header, by its name in any case. */
    header(name: string): string | undefined;
}

/** Names the scope of a request. `undefined`, or an empty text, says that the rule does not apply to it. */
export type ScopeRule = (request: ScopeRequest) => ScopePart | Scope | string | undefined;

/** One part, as `hold` and `release` take it: every gate that has it. */
export interface ScopeSelector {
    readonly by: string;
    readonly value: string;
}

/** An exchange goes out, of so many at most. */
export interface SentProgress {
    readonly kind: 'sent';
    readonly operation: string;
    readonly exchange: number;
    readonly of: number;
}

/**
 * What gates are shared by: made by `sharedStore()` of `axios-heed/store`, or by a store that comes with the package.
 * How gates speak with it is their own affair.
 */
export interface SharedStore {
    /** For gates alone. */
    linkTo(gates: never): unknown;
}

/** Milliseconds, or a date-fns `Duration` such as `{ seconds: 30 }`. */
export type Span = number | Duration;

/** Why an operation goes no further: `error.heed.reason`, `because` in the journal. */
export type StopReason = (typeof STOP_REASONS)[number];

/** The policy and the request's own options, as far as they are data; of a function only that it is one. */
export interface TermsNote {
    /** The most that may be sent, the first included. */
    readonly exchanges: number;
    /** Absent: no bound of its own. */
    readonly maxHintMs?: number;
    /** Absent: what the narrowest gate has seen. */
    readonly reserveMs?: number;
    readonly jitter: number;
    readonly backoff: {
        readonly firstMs: number;
        readonly factor: number;
        readonly maxMs: number;
    } | 'function';
    readonly transient: readonly number[] | 'function';
    readonly notApplied: readonly number[] | 'function';
    readonly allowance: AllowanceTerms | 'none';
    /** Absent: no bound, or that of shared gates. */
    readonly concurrency?: number;
}

/** Which failures may heal: a list of statuses, or a question asked about failures only, never a success. */
export type TransientRule = readonly number[] | ((observation: Observation) => boolean);

/**
 * What an observation means: `final` is success or a failure that repeating will not heal, `limit` is
 * "not now" to everyone of the scope, `transient` a failure that may heal by itself, `redirect` that the next
 * exchange goes elsewhere, later.
 */
export type Verdict = 'final' | 'limit' | 'transient' | 'redirect';

/**
 * The server's own judgment of its answer: `final` says that sending again is useless, `transient` that it
 * is not (which grants no permission), `limit` that this is a "not now" whatever the status.
 */
export interface VerdictReading {
    readonly kind: 'verdict';
    readonly verdict: 'final' | 'transient' | 'limit';
    readonly source: string;
    readonly raw: string;
    /** With `limit`: what the limit is counted by. */
    readonly scope?: NamedScope;
}

/** An operation that waits, at one instant. */
export interface WaitingOperation {
    /** Its name in the journal. */
    readonly operation: string;
    /** The label of the gate that it waits at; none where only its own instant or a network is waited for. */
    readonly gate?: string;
    readonly state: GateState['kind'] | 'offline';
    /** How many go before it there, as far as `turn` does not change that. */
    readonly ahead: number;
    /** When it may go at the earliest, where that is known: whole ms since 1970. */
    readonly releaseAt?: number;
    /** Ends the wait: its caller gets axios' `CanceledError`. */
    readonly cancel: () => void;
}

/** What the table is asked with, beside the observation; not written where a success needs no judgment. */
export interface WeighedEvent extends Weighed {
    readonly event: 'weighed';
}

/** The reading that tells the wait, and what readers said beside it. */
export type WeighedReading = HintReading & {
    /** Other waits, and what was malformed. */
    readonly passedOver?: readonly HintReading[];
    readonly quota?: readonly QuotaReading[];
    readonly said?: readonly VerdictReading[];
};

/**
 * Scheme, host and port of the request: host in lower case, default port and user info left out. A relative
 * URL belongs to the origin of the page, and without a page to `relative:`.
 */
export declare function byOrigin(): ScopeRule;

/**
 * Method and route: the request's own `route`, else the first of the templates that fits its path (`:name`
 * is one segment, `*` at the end the rest), else the path with numbers, UUIDs, hashes and long hex taken
 * for identifiers, so that `/orders/7` and `/orders/8` are one route. At most 256 characters count.
 */
export declare function byRoute(templates?: readonly string[]): ScopeRule;

/** The tenant, by a request header or a function. Does not apply to a request that names none. */
export declare function byTenant(source: string | ((request: ScopeRequest) => string | undefined)): ScopeRule;

/**
 * The credentials of the request: what `read` finds, else Authorization, `config.auth`, the user of the URL
 * and X-API-Key together. Secret: shown as a running number, or as what `labelOf` gives. A request without
 * credentials has the part `none`, and so a gate of its own.
 */
export declare function byToken(read?: (request: ScopeRequest) => string | undefined, labelOf?: (request: ScopeRequest) => string | undefined): ScopeRule;

/**
 * One scope of several parts: a limit that a server counts by all of them together, such as token and route.
 * Does not apply to a request to which one of its rules does not apply: without that part the scope would
 * be a wider one, and a limit would hold requests that it does not concern.
 */
export declare function combine(...rules: readonly ScopeRule[]): ScopeRule;

/**
 * Gates that several clients of this process share: pass the same object as `gates` in each policy.
 * @throws HeedOptionsError when an option is refused
 */
export declare function createGates(options?: GatesPolicy): Gates;

/**
 * Makes an axios instance do what servers ask. Call it after your own request interceptors, so that the
 * budget covers them. The same policy object on the same instance gives the same handle, and heeds again
 * where the application has cleared its interceptors.
 * @throws HeedOptionsError when an option is refused, or the instance has another policy already
 */
export declare function heed(instance: AxiosInstance, policy?: HeedPolicy): Heeding;

/** Whether an error was explained by axios-heed, by any copy of it. */
export declare function isHeedError(error: unknown): error is AxiosError & {
    readonly heed: HeedReport;
};

/** The journal of an operation, oldest entry first, from its response or its error; empty where there is none. */
export declare function journalOf(responseOrError: unknown): readonly JournalEntry[];

// ==== axios-heed/retry-after

/** Why a text is no HTTP-date. */
export type HttpDateFault = 'unknown-form' | 'year-out-of-range' | 'day-out-of-range';

/** The three spellings of RFC 9110 5.6.7: senders write the first, recipients must read them all. */
export type HttpDateForm = 'imf-fixdate' | 'rfc850' | 'asctime';

/** `dayName` is `wrong` where the text names another day of the week than its date has. */
export type HttpDateReading = {
    readonly kind: 'http-date';
    readonly form: HttpDateForm;
    readonly atEpochMs: number;
    readonly dayName: 'right' | 'wrong';
} | {
    readonly kind: 'unusable';
    readonly because: HttpDateFault;
};

/** Why a value is of no use. `overflow` is a very long wait, not a short one; `multiple` is several field lines. */
export type RetryAfterFault = 'missing' | 'empty' | 'invalid' | 'overflow' | 'multiple';

/** `delayMs` is 0 or more; `dayName` is there if the text names another day than its date has. */
export type RetryAfterReading = {
    readonly kind: 'delay-seconds';
    readonly delayMs: number;
} | {
    readonly kind: 'http-date';
    readonly atEpochMs: number;
    readonly delayMs: number;
    readonly dayName?: 'wrong';
} | RetryAfterRefusal;

/** A value that tells no wait: neither zero nor "as you like". */
export interface RetryAfterRefusal {
    readonly kind: 'unusable';
    readonly because: RetryAfterFault;
}

/** A field value as transports present it: one text, one text per field line, or nothing. */
export type RetryAfterValue = string | readonly string[] | null | undefined;

/** What is left of the time: ms, or a date-fns `Duration`. */
export type RetryBudget = number | Duration;

/**
 * Thrown by `retryDelay`: a decision to stop, with its figures. The message is one line that says what was
 * expected and what came. Where two copies of the package may meet, ask `isRetryDelayError`.
 */
export declare class RetryDelayError extends Error implements RetryDelayFigures {
    readonly name: string;
    readonly code: RetryDelayErrorCode;
    readonly budgetMs: number;
    readonly delayMs?: number;
    readonly atEpochMs?: number;
    constructor(message: string, figures: RetryDelayFigures);
}

/**
 * Why there is no delay to wait: `missing` is also an empty value, `invalid` also several of them,
 * `exceeds-budget` a delay longer than the budget, `budget-spent` a budget below 0.
 */
export type RetryDelayErrorCode = 'missing' | 'invalid' | 'overflow' | 'exceeds-budget' | 'budget-spent';

/** The figures in ms that are known: no delay without a usable value, no instant unless it is a date. */
export interface RetryDelayFigures {
    readonly code: RetryDelayErrorCode;
    readonly budgetMs: number;
    readonly delayMs?: number;
    readonly atEpochMs?: number;
}

/** Whether this is a `RetryDelayError` of this copy of the package or of another: all bear the name. */
export declare function isRetryDelayError(value: unknown): value is RetryDelayError;

/**
 * Reads an HTTP-date in ms since 1970, as strictly as its grammar: case, widths, GMT, nothing around it.
 * Years are 1900 to 9999, 23:59:60 is the following midnight, a wrong day-name is reported, not refused.
 * `nowEpochMs` decides the century of a two-digit year and nothing else: where it is no instant of a
 * `Date`, such a year is out of range, and every other date is read all the same.
 * @see RFC 9110 5.6.7
 */
export declare function parseHttpDate(text: string, nowEpochMs: number): HttpDateReading;

/**
 * Reads a Retry-After value, strictly; SP and HTAB around it are not part of it. Never throws.
 * A date at or before `nowEpochMs` is a delay of 0. `overflow` is more than 2^53-1 ms, however many digits
 * it has: a very long wait, never a short one. `multiple` is more than one field line.
 * Only dates need `nowEpochMs`; where it is not finite they are `invalid`.
 * @see RFC 9110 10.2.3
 */
export declare function parseRetryAfter(raw: RetryAfterValue, nowEpochMs: number): RetryAfterReading;

/**
 * The delay in ms that a Retry-After value asks for, if it fits what is left: `budget` is ms or a date-fns
 * `Duration`, and a delay equal to it fits. `now` is a `Date` or ms since 1970.
 * @throws RetryDelayError if there is no usable value, the delay does not fit, or nothing is left of the budget.
 * @throws TypeError if `now` or `budget` is neither of those, or not finite.
 * @see RFC 9110 10.2.3
 */
export declare function retryDelay(raw: RetryAfterValue, now: Date | number, budget: RetryBudget): number;

// ==== axios-heed/rate-limit

/** The last draft that has the form, of draft-ietf-httpapi-ratelimit-headers. */
export type LimitDialect = 'draft-12' | 'draft-11' | 'draft-07' | 'draft-06';

/** One quota, in the words that all drafts share. */
export interface LimitItem {
    /** The server's name for the policy that it belongs to; the forms before draft 8 have none. */
    readonly policy?: string | undefined;
    /** What is left, in the unit of the policy. */
    readonly available: number;
    /** Within so many seconds no more than that; in the older forms, the seconds until the quota is renewed. */
    readonly windowSeconds?: number | undefined;
    /** The whole quota; told here by the older forms only. */
    readonly limit?: number | undefined;
    /** What this request took. */
    readonly cost?: number | undefined;
    /** Base64: whom the quota is counted for. */
    readonly partitionKey?: string | undefined;
}

/** The quotas that a RateLimit field tells, in its order. */
export interface Limits {
    readonly kind: 'limits';
    readonly dialect: LimitDialect;
    readonly items: readonly LimitItem[];
}

/** The policies that a RateLimit-Policy field tells, in its order. */
export interface Policies {
    readonly kind: 'policies';
    readonly items: readonly PolicyItem[];
}

/** One policy. */
export interface PolicyItem {
    readonly policy: string;
    readonly quota: number;
    readonly unit: string;
    readonly windowSeconds?: number | undefined;
    readonly partitionKey?: string | undefined;
}

/** `parse`: no structured field; `constraint`: one that says what it must not. Either is ignored whole. */
export interface UnusableLimits {
    readonly kind: 'unusable';
    readonly because: 'empty' | 'parse' | 'constraint';
}

/**
 * Reads the forms that know one quota only, without a name: RateLimit as a Dictionary (draft 7), or where there
 * is no such field RateLimit-Limit, -Remaining and -Reset (drafts 0 to 6). Never throws.
 * `header` gives a field by its name in small letters.
 */
export declare function parseOlderRateLimit(header: (name: string) => FieldValue): Limits | UnusableLimits;

/**
 * Reads a RateLimit field of drafts 8 to 12: a List, with `r` and `t`, or `a` and `w`. One bad item spoils the
 * field. Never throws.
 * @see draft-ietf-httpapi-ratelimit-headers, RFC 9651
 */
export declare function parseRateLimit(field: FieldValue): Limits | UnusableLimits;

/**
 * Reads a RateLimit-Policy field of drafts 8 to 12. One bad item spoils the field. Never throws.
 * @see draft-ietf-httpapi-ratelimit-headers, RFC 9651
 */
export declare function parseRateLimitPolicy(field: FieldValue): Policies | UnusableLimits;

/**
 * Reads RateLimit and RateLimit-Policy, in the forms of all drafts so far (0 to 12), and feeds the gates with
 * the quota that is left. On 429 and 503 a quota that is used up is also a wait; Retry-After comes before it.
 * Malformed fields are ignored whole, all of them where a cache has kept the response.
 * What a later draft changes gets a function of its own.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export declare function rateLimit(): HintReader;

// ==== axios-heed/vendors

/** What the number or date in X-RateLimit-Reset is: a wait in seconds, or an instant. */
export type ResetUnit = 'seconds' | 'epoch-seconds' | 'epoch-milliseconds' | 'rfc3339';

/** Airtable: a 429 tells nothing, and the documentation asks for half a minute. Counted by base. */
export declare function airtable(): HintReader;

/** Akamai APIs: the instant from which one more request is let through, or else a minute. Counted by client. */
export declare function akamai(): HintReader;

/**
 * Anthropic: quotas of requests and of three kinds of tokens with RFC 3339 instants, x-should-retry, and 529
 * (overloaded), which may heal. Counted by organization and class of models.
 */
export declare function anthropic(): HintReader;

/** Auth0: seconds since 1970. Counted by tenant and endpoint. */
export declare function auth0(): HintReader;

/**
 * AWS: x-amz-retry-after in ms, and the error codes by which services throttle with a 400 or a 503, in the field
 * x-amzn-errortype, in JSON or in XML.
 */
export declare function aws(): HintReader;

/**
 * Azure, Cosmos DB and Azure OpenAI among it: retry-after-ms, then x-ms-retry-after-ms, then Retry-After; and what
 * Resource Manager says is left.
 */
export declare function azure(): HintReader;

/** Contentful: quotas of a second and of an hour, and the seconds until the next request. Counted by organization. */
export declare function contentful(): HintReader;

/**
 * Discord: decimal seconds in fields and body. Counted by bucket, by a resource that all share, or, where the
 * answer says `global`, by bot: then everything of the token stops.
 */
export declare function discord(): HintReader;

/** The API of Docker Hub: seconds since 1970. (Pulls tell how many are left, and never when there are more.) */
export declare function dockerHub(): HintReader;

/**
 * Reads Retry-After values such as `2.0` and `0.493`, which the grammar does not have and some servers send,
 * rounded up to whole ms. Of several the longest counts, and only if all are numbers.
 */
export declare function fractionalSeconds(): HintReader;

/**
 * GitHub, REST and GraphQL. A 403 is a limit where the quota is used up, Retry-After is there, or the body
 * names a secondary limit, a 200 where an error is RATE_LIMITED; without a time GitHub asks for a minute.
 * Counted by token and resource (`core`, `search`, `graphql`, ...): a scope rule that gives the part
 * `resource` is met exactly; without one, `core` and secondary limits stop everything of the token.
 */
export declare function github(): HintReader;

/** GitLab: the names of RateLimit drafts 0 to 6, with seconds since 1970. Counted by throttle and user or address. */
export declare function gitlab(): HintReader;

/** Google APIs: the RetryInfo among the details of an error body, or of a list of them, such as `30.5s`. */
export declare function google(): HintReader;

/**
 * HubSpot: the quota of a rolling interval, whose length is as long as it can take until some of it is back.
 * The end of the daily quota is not told: after that no interval is a wait. Counted by app and account.
 */
export declare function hubspot(): HintReader;

/**
 * Jira and Confluence Cloud: ISO instants, and a reason: quotas of the app or the tenant stop everything, bursts
 * stop what was asked for, and a limit on one issue stops nothing else. The Beta- fields are not read. Data Center:
 * the interval after which some of the quota is back.
 */
export declare function jira(): HintReader;

/** Linear: a 400 whose body says RATELIMITED, and ms since 1970. Counted by user or application. */
export declare function linear(): HintReader;

/** MediaWiki: a 200 that says `maxlag` or `ratelimited` instead of doing what was asked. */
export declare function mediawiki(): HintReader;

/** Notion: 529 (overloaded) may heal, and is a limit where it comes with Retry-After. Counted by integration. */
export declare function notion(): HintReader;

/** Okta: seconds since 1970, measured by the server's own clock. Counted by organization and endpoint. */
export declare function okta(): HintReader;

/**
 * OpenAI, and Groq, which has the same fields: retry-after-ms comes before Retry-After, quotas of requests
 * and tokens are renewed after Go durations, x-should-retry is the server's own word, and a 429
 * `insufficient_quota` is for good. Counted by project and model.
 */
export declare function openai(): HintReader;

/** Reddit: seconds to wait, and what is left in decimals. Counted by OAuth client. */
export declare function reddit(): HintReader;

/** Reads retry-after-ms, which comes before Retry-After then: it says the same, more finely. */
export declare function retryAfterMs(): HintReader;

/** Salesforce: sforce-limit-info, and a 403 whose body says REQUEST_LIMIT_EXCEEDED. No time. Counted by organization. */
export declare function salesforce(): HintReader;

/**
 * Sentry's ingestion: x-sentry-rate-limits, which comes before Retry-After. Of its waits the longest counts on
 * limits and on failures of the server; on other answers only a limit on all categories counts. After a 429 that
 * says nothing Sentry asks for a minute.
 */
export declare function sentry(): HintReader;

/**
 * Shopify. REST: Retry-After in decimal seconds, and what is in the bucket. GraphQL: a 200 whose body says
 * THROTTLED; the wait is until the bucket holds what the query costs. Counted by app and shop.
 */
export declare function shopify(): HintReader;

/** Slack: a 200 whose body says that it was limited. Counted by method, workspace and app. */
export declare function slack(): HintReader;

/** Spring Cloud Gateway: no time, but the tokens that are left, what a request takes, and how fast they come back. */
export declare function springCloudGateway(): HintReader;

/** Stripe: stripe-should-retry, and whether a limit is the account's or an endpoint's. It sends no time. */
export declare function stripe(): HintReader;

/** Traefik: X-Retry-In as a Go duration; Retry-After, rounded up, comes before it. */
export declare function traefik(): HintReader;

/** X: quotas of 15 minutes and of a day, with seconds since 1970. Counted by user or app and endpoint. */
export declare function twitter(): HintReader;

/**
 * Reads X-RateLimit-Limit, -Remaining and -Reset of servers that have no function of their own here. Their
 * reset has many meanings, so you say which: `seconds` to wait (fastify, Envoy, Together), `epoch-seconds`
 * (Laravel, express-rate-limit, Tyk, Flask-Limiter), `epoch-milliseconds` or `rfc3339` (Mastodon).
 * @throws TypeError for another word
 */
export declare function xRateLimit({ reset }: {
    readonly reset: ResetUnit;
}): HintReader;

/** Zendesk: the quota of the account, and those of endpoints in a notation of their own. */
export declare function zendesk(): HintReader;

// ==== axios-heed/testing

/** Let in. */
export interface Accepted {
    readonly kind: 'accepted';
    /** How long the server works on it before it answers. */
    readonly serviceMs: number;
    readonly quota?: QuotaLeft;
}

/** What became of one request. */
export type Admission = Accepted | Rejected;

/** One reader of the clock's time with a name and dice of its own: a process, a tab, a client. */
export interface ClockReaderOptions {
    readonly name: string;
    readonly seed?: number | undefined;
    /** How far this reader's wall clock is ahead. @default 0 */
    readonly wallAheadMs?: number | undefined;
}

/** How many at a time, and how long each takes. */
export interface ConcurrencyLimitOptions {
    readonly slots: number;
    /** How long one request occupies its slot. */
    readonly serviceMs: number;
}

/** How many requests in how many ms, and where the first window stands. */
export interface FixedWindowOptions {
    readonly quota: number;
    readonly windowMs: number;
    /** How much of the first window has passed at the start. @default 0 */
    readonly elapsedMs?: number | undefined;
    /** How much of the first window's quota others have used. @default 0 */
    readonly used?: number | undefined;
}

/** How long it is down, and what follows. */
export interface OutageOptions {
    /** How long the server is down, from its start. */
    readonly forMs: number;
    /** What it counts afterwards. */
    readonly then: QuotaModel;
}

/** A timer that has not fired: what set it, when it is due, and how long it has been set. */
export interface PendingTimer {
    readonly name: string;
    readonly dueMonoMs: number;
    readonly ageMs: number;
}

/** The dialect in which a server tells its quota: RateLimit fields (draft 10), the older X- names, or not. */
export type QuotaDialect = 'none' | 'ratelimit' | 'x-ratelimit';

/** What a server that speaks of its quota says beside the answer. */
export interface QuotaLeft {
    readonly limit: number;
    readonly windowMs: number;
    readonly remaining: number;
    readonly resetMs: number;
}

/**
 * What a server counts, without a network: asked at an instant, it lets one request in or turns it away.
 * Instants are ms since the server began and must not go back. Models keep state: one per server.
 */
export interface QuotaModel {
    /** Counts one request that arrives at that instant. */
    admit(atMs: number): Admission;
    /**
     * Asked again when an accepted request's service time has passed: a server that broke down meanwhile has
     * lost it. Absent: what was admitted is answered.
     */
    finish?(admission: Accepted, atMs: number): Admission;
}

/** The adapter, and what reached it. */
export interface QuotaServer {
    /** For `axios.create({ adapter: server.adapter })`. */
    readonly adapter: AxiosAdapter;
    /** Every request that arrived, in order. */
    readonly log: readonly ServerLogEntry[];
    /** How many have been answered with a success so far. */
    readonly accepted: number;
    /** How many have been turned away so far. */
    readonly rejections: number;
    /** The most arrivals within any span of that width, from a monotonic instant on if one is given. */
    mostWithin(spanMs: number, fromMonoMs?: number): number;
}

/** What the server counts, how fast it is, and how it words its answers. */
export interface QuotaServerOptions {
    /** The clock of the test; the server begins at its present instant. */
    readonly clock: Clock;
    /** What it counts, or a choice by request: a quota per token, a route without one. */
    readonly model: QuotaModel | ((config: InternalAxiosRequestConfig) => QuotaModel);
    /** Time from sending to the answer, without the server's own work. @default 80 */
    readonly rttMs?: number | undefined;
    /** By what share of it each way may be faster or slower. @default 0 */
    readonly rttSpread?: number | undefined;
    /** Seed of that chance. @default 1 */
    readonly seed?: number | undefined;
    /** How it words its waits. @default whole seconds, rounded up */
    readonly hint?: SpokenHint | undefined;
    /** How it tells its quota beside each answer. @default 'none' */
    readonly dialect?: QuotaDialect | undefined;
}

/** Turned away: 429 for a quota, 503 for a server in trouble. */
export interface Rejected {
    readonly kind: 'rejected';
    readonly status: 429 | 503;
    /** How long one more request would have to wait, in truth. */
    readonly waitMs: number;
    readonly quota?: QuotaLeft;
}

/** One request as the server saw it. */
export interface ServerLogEntry {
    readonly method: string;
    readonly url: string;
    readonly arrivedMonoMs: number;
    /** Absent until the server has answered. */
    readonly status?: number;
    /** The text of Retry-After, where there was one. */
    readonly retryAfter?: string;
}

/** How many requests in any span of so many ms. */
export interface SlidingWindowOptions {
    readonly quota: number;
    readonly windowMs: number;
    /** Ages of requests that others sent before the start, in ms. @default none */
    readonly agesMs?: readonly number[] | undefined;
}

/** How a server words the wait that it knows: the text of Retry-After, or none. */
export type SpokenHint = (waitMs: number) => string | undefined;

/** How many tokens the bucket holds, and how fast it refills. */
export interface TokenBucketOptions {
    readonly capacity: number;
    readonly perSecond: number;
    /** Tokens at the start. @default capacity */
    readonly tokens?: number | undefined;
}

/**
 * A Clock that moves only when it is told to. Timers fire in order, ties as they were set, and promises
 * settle between them, so that a test of minutes takes milliseconds and falls out the same way every time.
 */
export interface VirtualClock extends Clock {
    /** Moves both clocks on, firing what is due on the way. Await it. */
    advance(ms: number): Promise<void>;
    /** The same up to a monotonic instant. @throws RangeError for an instant that has passed */
    advanceTo(monoMs: number): Promise<void>;
    /**
     * Moves from timer to timer until the promise has settled, and gives what it gives.
     * @throws Error when no timer is left that could settle it
     */
    until<T>(promise: Promise<T>): Promise<T>;
    /** Moves wall time alone, forward or back: a correction by NTP, a hand on the clock. */
    jumpWall(ms: number): void;
    /** A second view of the same time. */
    reader(options: ClockReaderOptions): Clock;
    /** Timers that have not fired, in order. */
    readonly pending: readonly PendingTimer[];
    /** @throws Error that lists every timer still set, with its name and age. */
    assertIdle(): void;
}

/** Where time begins, how the dice fall, and how late or early timers are. */
export interface VirtualClockOptions {
    /** Where wall time begins. @default 2026-01-01T00:00:00Z */
    readonly startEpochMs?: number | undefined;
    /** Where monotonic time begins. @default 0 */
    readonly startMonoMs?: number | undefined;
    /** Seed of the dice. @default 1 */
    readonly seed?: number | undefined;
    /** Replaces the dice: `() => 0` takes all chance out. */
    readonly roll?: (() => number) | undefined;
    /** Timers fire only at whole multiples of this, as in a background tab: 60_000. */
    readonly timersEveryMs?: number | undefined;
    /** Timers fire this much too early, by half of their delay at most. */
    readonly timersEarlyByMs?: number | undefined;
    /**
     * Lets promises settle between two timers.
     * @default until no chain of promises goes on; 200 turns of the microtask queue where there is no MessageChannel
     */
    readonly settle?: (() => Promise<void>) | undefined;
}

/** A queue, and how often it has broken down. */
export interface WorkQueue extends QuotaModel {
    readonly collapses: number;
}

/** What is too much for it, and what follows from that. */
export interface WorkQueueBreaks {
    /** More arrivals than this within a second break it. */
    readonly abovePerSecond: number;
    /** How long it is down then. */
    readonly downMs: number;
    /** What turning one request away costs, as a share of serving one. @default 0.2 */
    readonly rejectCost?: number | undefined;
}

/** How many requests it serves a second, and what breaks it. */
export interface WorkQueueOptions {
    readonly perSecond: number;
    /** Absent: it bears any load. */
    readonly breaks?: WorkQueueBreaks | undefined;
}

/** The same text whatever the truth: too short for long waits, too long for short ones. */
export declare function alwaysSays(text: string): SpokenHint;

/** The instant as an HTTP-date: the next whole second of the server's wall clock. */
export declare function asHttpDate(wallEpochMs: () => number): SpokenHint;

/** So many requests at work at a time; one more is turned away until the first of them is done. */
export declare function concurrencyLimit(options: ConcurrencyLimitOptions): QuotaModel;

/** Whole seconds times a factor: 5 is a server far too cautious, 0.2 one that lures its callers back. */
export declare function exaggerates(factor: number): SpokenHint;

/** So many requests per window, all windows one after the other; the count starts anew at each. */
export declare function fixedWindow(options: FixedWindowOptions): QuotaModel;

/** Lets everything in. */
export declare function noLimit(options?: {
    readonly serviceMs?: number | undefined;
}): QuotaModel;

/** A server that answers 503 for a while and then becomes another one. */
export declare function outage(options: OutageOptions): QuotaModel;

/** The header fields that tell a quota at a wall instant. */
export declare function quotaHeaders(quota: QuotaLeft, dialect: QuotaDialect, nowEpochMs: number): Record<string, string>;

/**
 * A server without a network: an axios adapter that asks a quota model, and a log of what reached it.
 * Rejections are AxiosErrors with Retry-After as axios's own adapters give them, or responses where
 * `validateStatus` takes them. Signal, cancel token and `timeout` of the exchange are obeyed.
 */
export declare function quotaServer(options: QuotaServerOptions): QuotaServer;

/** Texts that no client may take for a short wait, one after the other. */
export declare function saysNonsense(texts?: readonly string[]): SpokenHint;

/** No header at all. */
export declare const saysNothing: SpokenHint;

/**
 * Dice that fall the same way for the same seed: numbers from 0 (inclusive) to 1 (exclusive), in 2^32 steps.
 * A Weyl sequence through a 32-bit finalizer: even enough for jitter and simulations, nothing for secrets.
 */
export declare function seededDice(seed: number): () => number;

/** So many requests in any window: a log of the accepted ones, each forgotten when it is a window old. */
export declare function slidingWindow(options: SlidingWindowOptions): QuotaModel;

/** A bucket of tokens that refills steadily; every request takes one, an empty bucket answers 429. */
export declare function tokenBucket(options: TokenBucketOptions): QuotaModel;

/** A Clock for tests: at rest until it is told to move. */
export declare function virtualClock(options?: VirtualClockOptions): VirtualClock;

/** Whole seconds, rounded up, at least one: the best that an honest server can say. */
export declare const wholeSeconds: SpokenHint;

/**
 * A server that works off one queue and never says no, unless it breaks: then what is queued is lost, and
 * everyone who comes while it is down keeps it down longer. A wave that returns together makes that failure
 * metastable.
 */
export declare function workQueue(options: WorkQueueOptions): WorkQueue;

// ==== axios-heed/journal

/** What is written, and where. */
export interface ConsoleOptions {
    /** What matters less is not written. @default 'info' */
    readonly least?: JournalLevel | undefined;
    /** @default the console of the platform */
    readonly console?: LineConsole | undefined;
}

/** A text in pieces, cut anywhere; bytes are UTF-8. */
export type JournalChunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** How much an entry matters: `debug`, `info` or `warn`. */
export type JournalLevel = (typeof JOURNAL_LEVELS)[number];

/** The entries, to be iterated once, and the report of what was passed over so far. */
export interface JournalReading extends JournalReport, AsyncIterable<JournalEntry> {
}

/** What was not read of a journal; it grows while that is read, and is complete at its end. */
export interface JournalReport {
    /** How many lines could not be read; blank ones are not counted. */
    readonly unreadable: number;
    /** The first 100 of them. */
    readonly unreadableAt: readonly UnreadableLine[];
    /** How many entries are missing because the writer had to drop them, by its own account. */
    readonly dropped: number;
}

/** The last entries of a client. */
export interface JournalRing {
    readonly onEntry: JournalListener;
    /** How many had to go for newer ones, since the ring was made or cleared. */
    readonly dropped: number;
    /** What is kept, oldest first: a list of its own, which does not grow. */
    entries(): readonly JournalEntry[];
    /** Forgets all entries, and how many were dropped. */
    clear(): void;
}

/** As much of a console as is used. */
export type LineConsole = Readonly<Record<JournalLevel, (line: string) => void>>;

/** The entry under one key of its own, so that it never writes over what the logger adds: time, level, host. */
export interface LoggedEntry {
    readonly heed: JournalEntry;
}

/** winston and its like. */
export interface MessageFirstLogger extends Levels {
    /** Takes a line of level `debug`. */
    debug(message: string, more: LoggedEntry): unknown;
    /** Takes a line of level `info`. */
    info(message: string, more: LoggedEntry): unknown;
    /** Takes a line of level `warn`. */
    warn(message: string, more: LoggedEntry): unknown;
}

/** pino and its like: bunyan, Fastify's. */
export interface ObjectFirstLogger extends Levels {
    /** Takes a line of level `debug`. */
    debug(more: LoggedEntry, message: string): unknown;
    /** Takes a line of level `info`. */
    info(more: LoggedEntry, message: string): unknown;
    /** Takes a line of level `warn`. */
    warn(more: LoggedEntry, message: string): unknown;
}

/** What was read, and what was not. */
export interface ParsedJournal extends JournalReport {
    readonly entries: readonly JournalEntry[];
}

/** Where a line could not be read, and why. */
export interface UnreadableLine {
    /** The file, where a journal has several. */
    readonly file?: string;
    /** From 1, in its file. */
    readonly line: number;
    readonly because: UnreadableReason;
}

/**
 * `torn`: the last line, broken off; `not-json`; `not-an-entry`: JSON, but not the fields of an entry, or not
 * their types; `unknown-version`: of a schema that is not known here; `too-long`.
 */
export type UnreadableReason = 'torn' | 'not-json' | 'not-an-entry' | 'unknown-version' | 'too-long';

/**
 * Keeps the last `most` entries of a client in memory: give its `onEntry` to the policy. A new entry costs the
 * same however many are kept; the oldest goes when it is full.
 * @throws TypeError unless `most` is a whole number of 1 or more
 */
export declare function journalRing(most: number): JournalRing;

/**
 * How much an entry matters. `warn`: an operation that ended without success though sending again might have
 * helped, a hook or a store that failed. `info`: what a gate does to everybody, what is sent again, how
 * operations end that did not go well at once. `debug`: every other step, also events that it does not know.
 * Never throws, whatever it is given.
 */
export declare function levelOf(entry: JournalEntry): JournalLevel;

/**
 * Reads a journal in NDJSON, from its text or its lines, as far as it can be read: a line that is broken off, or
 * is no entry, is counted and passed over. What is in the text makes it neither throw nor hang. Entries whose
 * event is not known here are kept if their stamp is sound.
 * @throws TypeError for what is neither a text nor its lines; what an iterable throws itself comes through
 * @see readJournal for what is too large to be held at once
 */
export declare function parseJournal(source: string | Iterable<string>): ParsedJournal;

/**
 * Reads a journal in NDJSON entry by entry while it comes: from a file, a response, a process. It holds one line
 * at a time; a line above a million characters is passed over. Otherwise as `parseJournal`.
 * @throws TypeError for what is not iterable. Reading rejects with one for a chunk that is neither text nor bytes,
 * and with what `chunks` fails with.
 */
export declare function readJournal(chunks: JournalChunks): JournalReading;

/**
 * One line of plain English for any entry: what happened, and the journal's own words for why. Without time,
 * number and operation: those are the entry's own. An event that it does not know, or one whose fields are not
 * what they should be, is told by its fields. Never throws, whatever it is given; one line of 500 characters at
 * most.
 */
export declare function sentenceOf(entry: JournalEntry): string;

/**
 * One listener that tells several, in their order. What one of them throws, or rejects with, is dropped: the
 * others hear every entry all the same.
 * @throws TypeError for what is no function
 */
export declare function tee(...listeners: readonly JournalListener[]): JournalListener;

/**
 * Writes one readable line an entry to the console: when (UTC), which operation, what happened.
 * @throws TypeError for options that it does not know or cannot use
 */
export declare function toConsole(options?: ConsoleOptions): JournalListener;

/**
 * Gives entries to a logger that takes the message first, as winston does: `info(sentence, { heed: entry })`.
 * @throws TypeError for what has no `debug`, `info` and `warn`
 */
export declare function toLogger(logger: MessageFirstLogger): JournalListener;

/**
 * Gives entries to a logger that takes the object first, as pino does: `info({ heed: entry }, sentence)`.
 * @throws TypeError for what has no `debug`, `info` and `warn`
 */
export declare function toPino(logger: ObjectFirstLogger): JournalListener;

// ==== axios-heed/node

/** A journal on disk. */
export interface JournalFile {
    readonly onEntry: JournalListener;
    /** How many entries are not whole in the file: no room in the queue, a failed write, no JSON, or closed. */
    readonly dropped: number;
    /** Settles when all entries so far are handed to the operating system, or dropped. Never rejects. */
    flush(): Promise<void>;
    /** The same; later entries are dropped. */
    close(): Promise<void>;
}

/** How much is kept, in bytes and files, and who hears of failures. */
export interface JournalFileOptions {
    /** A file that would grow above this is rotated first. @default 10,485,760 (10 MiB) */
    readonly maxFileBytes?: number | undefined;
    /** How many files there may be beside the current one; the oldest goes. @default 4 */
    readonly maxOldFiles?: number | undefined;
    /** What may wait for the disk. @default 8,388,608 (8 MiB) */
    readonly maxQueuedBytes?: number | undefined;
    /**
     * Hears what the platform says when a write fails: once, until one succeeds again. What it throws, or rejects with, is
     * dropped.
     * @default console.warn
     */
    readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * Publishes every entry on the diagnostics channel `axios-heed:journal`, for whoever in the process listens:
 * an agent, a test. While nobody does, an entry costs one look-up. A subscriber that throws is Node's to
 * report, as an uncaught exception; the client is not touched by it.
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
export declare function journalChannel(): JournalListener;

/**
 * Appends entries to a file as NDJSON, one a line, and lets it rotate: `path.1` is the one before. Writing
 * never holds the client up: entries wait in a bounded queue, and what finds no room, or cannot be written, is
 * dropped and counted. A kill tears the last line at most. New files are for their owner alone (mode 0600).
 * One file belongs to one sink of one process, until that is closed.
 * @throws TypeError for options that it does not know or cannot use, and for a path in use; never for the disk
 */
export declare function journalFile(path: string, options?: JournalFileOptions): JournalFile;

/**
 * Reads a journal file and those that it was rotated into, oldest first: `path.2`, `path.1`, `path`. All are
 * opened before the first is read, so none is missed when they are rotated meanwhile; what is written once it has
 * begun is not read. To be iterated once. As `readJournal` it reads as far as it goes and reports what it passed
 * over.
 * @throws (from the first step) what the platform says, where there is no such file
 */
export declare function readJournalFile(path: string): JournalReading;

// ==== axios-heed/otel

/** What is told to OpenTelemetry, and through which of its parts. */
export interface OtelOptions {
    /** @default that of the global provider, named `axios-heed` */
    readonly tracer?: Tracer | undefined;
    /** @default that of the global provider, named `axios-heed` */
    readonly meter?: Meter | undefined;
    /**
     * A CLIENT span per exchange. Off where an instrumentation of http, undici, fetch or XMLHttpRequest makes
     * them already: exchanges are then events of the operation's span.
     * @default true
     */
    readonly exchangeSpans?: boolean | undefined;
    /** The histogram `http.client.request.duration`, which instrumentations record too. @default false */
    readonly requestDuration?: boolean | undefined;
    /** Labels of gates on events and metrics: origins, routes, tenants, numbers of credentials. @default false */
    readonly gateLabels?: boolean | undefined;
    /** Methods that are told by name, in place of the default list; others are `_OTHER`. Upper case. */
    readonly knownMethods?: readonly string[] | undefined;
    /** Operations that are followed at a time; above it the oldest is let go, its span ended. @default 10000 */
    readonly maxOpenOperations?: number | undefined;
}

/** Spans and metrics of the clients that are given its `onEntry`. */
export interface Telemetry {
    /** Give it to `heed()` as it is, or call it from a listener of your own. Never throws. */
    readonly onEntry: JournalListener;
    /** Ends the spans of all operations that are still open: call it before the SDK is shut down. */
    close(): void;
}

/**
 * Turns the journal into OpenTelemetry: one INTERNAL span per operation, one CLIENT span per exchange, waits
 * as events, metrics. The names are listed in docs/otel.md. Set the SDK up first: meters taken before stay dumb.
 * @throws TypeError when an option is refused
 * @see https://opentelemetry.io/docs/specs/semconv/http/
 */
export declare function otel(options?: OtelOptions): Telemetry;

// ==== axios-heed/redis

/** The commands of `ioredis` that are used. */
export interface IoredisLike {
    /** EVALSHA: rejects with NOSCRIPT where the server does not know the script. */
    evalsha(digest: string, keyCount: number, ...args: string[]): Promise<unknown>;
    /** EVAL. */
    eval(script: string, keyCount: number, ...args: string[]): Promise<unknown>;
}

/** What is used of an ioredis client for subscriptions. */
export interface IoredisSubscriber {
    /** SUBSCRIBE. */
    subscribe(channel: string): Promise<unknown>;
    /** UNSUBSCRIBE. */
    unsubscribe(channel: string): Promise<unknown>;
    /** Messages of every channel come here. */
    on(event: 'message', listener: (channel: string, message: string) => void): unknown;
    /** The opposite of `on`. */
    off(event: 'message', listener: (channel: string, message: string) => void): unknown;
}

/** The commands of `redis` (node-redis, `@redis/client`) that are used; version 5 and later fit. */
export interface NodeRedisLike {
    /** EVALSHA: rejects with NOSCRIPT where the server does not know the script. */
    evalSha(digest: string, options: {
        keys: string[];
        arguments: string[];
    }): Promise<unknown>;
    /** EVAL. */
    eval(script: string, options: {
        keys: string[];
        arguments: string[];
    }): Promise<unknown>;
}

/** What is used of a node-redis client for subscriptions. */
export interface NodeRedisSubscriber {
    /** SUBSCRIBE, with whom to tell. */
    subscribe(channel: string, listener: (message: string) => unknown): Promise<void>;
    /** UNSUBSCRIBE, of this listener alone. */
    unsubscribe(channel: string, listener: (message: string) => unknown): Promise<void>;
}

/** What the store needs of a Redis client; `fromNodeRedis` and `fromIoredis` make it of yours. */
export interface RedisPort {
    /** Runs a script on the server, by its digest where the server knows it. */
    run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>;
    /** Calls `listener` with every message of the channel; returns how to stop. */
    subscribe(channel: string, listener: (message: string) => void): () => void;
}

/** A Lua script for EVAL and EVALSHA. */
export interface RedisScript {
    readonly text: string;
    /** SHA-1 of the text, in hex, as the server names it. */
    readonly digest: string;
}

/** How gates are named in the store, and how long it is waited for. */
export interface RedisStoreOptions {
    /**
     * Your key for the names of credentials: they are stored as HMAC-SHA-256 under it. The same in all processes.
     * @default none: a scope with a credential in it is not shared
     */
    readonly secret?: string | Uint8Array | undefined;
    /** Before every key and channel. @default 'axios-heed:' */
    readonly prefix?: string | undefined;
    /** How long an answer is waited for, ms. @default 100 */
    readonly timeoutMs?: number | undefined;
}

/**
 * Two clients of ioredis: one for commands, one for subscriptions (`client.duplicate()`). Both stay yours: give
 * each an `error` listener, and `quit()` them when you are done.
 */
export declare function fromIoredis(client: IoredisLike, subscriber: IoredisSubscriber): RedisPort;

/**
 * Two clients of node-redis, connected: one for commands, one for subscriptions (`client.duplicate()`). Both stay
 * yours: give each an `error` listener, and close them when you are done.
 */
export declare function fromNodeRedis(client: NodeRedisLike, subscriber: NodeRedisSubscriber): RedisPort;

/**
 * Gates shared by all processes that use the same Redis (6.2 or later) and the same prefix.
 * @example heed(api, { store: redisStore(fromNodeRedis(client, subscriber), { secret }) })
 * @throws TypeError for a secret without a byte, or a time that is none
 */
export declare function redisStore(port: RedisPort, options?: RedisStoreOptions): SharedStore;

// ==== axios-heed/store

/** What a client has to say, or to ask, about a gate. */
export type GateMessage = {
    /** For how long it counts as one of those who share the gate; 0: it does not. */
    readonly memberMs: number;
    /** Exchanges accepted while the gate was not open, since its last message. */
    readonly accepted: number;
} & ({
    readonly kind: 'met' | 'sharing' | 'left' | 'let-go';
} | {
    readonly kind: 'over';
    readonly leaseMs: number;
} | {
    readonly kind: 'held';
    readonly forMs: number;
    readonly hintMs: number;
} | {
    readonly kind: 'accepted';
    readonly generation: number;
    readonly perSecond?: number | undefined;
    readonly exchangeMs?: number | undefined;
} | {
    readonly kind: 'paced';
    readonly perSecond: number;
});

/** How a gate stands, by what its clients have told. */
export type GateStand = {
    readonly kind: 'unknown';
} | {
    readonly kind: 'held';
    readonly forMs: number;
    readonly hintMs: number;
}
/** The hold is over, and nobody has the right to probe. */
 | {
    readonly kind: 'over';
}
/** Another has the right to probe, for so long if he does not renew it. */
 | {
    readonly kind: 'probed';
    readonly forMs: number;
}
/** The receiver has it. */
 | {
    readonly kind: 'yours';
    readonly generation: number;
}
/** A probe was accepted. */
 | {
    readonly kind: 'released';
}
/** A hold was ended by hand. */
 | {
    readonly kind: 'let-go';
};

/**
 * Gates shared with others: other processes, other tabs. No store is asked while gates are open. Durations
 * travel, instants never do: no two clocks need agree. Whatever it tells expires by itself, and where it is
 * slow, silent or wrong each client goes by what it knows itself.
 */
export interface GateStore {
    /** How long an answer is waited for, ms. @default 100 */
    readonly timeoutMs?: number | undefined;
    /** Under which name the scope is shared. Nothing secret may be in it. */
    nameOf(scope: Scope): StoreName;
    /** Tells what has happened at a gate, or asks; answers with what is known after it. May reject. */
    tell(name: string, message: GateMessage): Promise<GateWord>;
    /** Calls `listener` with what others have told; returns how to stop. */
    subscribe(listener: (name: string, word: GateWord) => void): () => void;
}

/** What a store knows of a gate. */
export interface GateWord {
    readonly gate: GateStand;
    /** Those who share it, the receiver included. */
    readonly members: number;
    /** What all of them together send now, as far as somebody has told. */
    readonly perSecond?: number | undefined;
    /** How long an exchange takes, by whoever probed last. */
    readonly exchangeMs?: number | undefined;
    /** The release before the last hold: what all of them were accepted, and how long it took. */
    readonly lastRelease?: {
        readonly accepted: number;
        readonly tookMs: number;
    } | undefined;
}

/** Under which name a scope is shared, if it is. */
export type StoreName = {
    readonly kind: 'shared';
    readonly name: string;
}
/** Shared with nobody. */
 | {
    readonly kind: 'local';
}
/** Shared with nobody, because the scope holds a secret and the store has no key for it. */
 | {
    readonly kind: 'no-secret';
};

/**
 * Gates shared by a store of your own: `heed(api, { store: sharedStore(mine) })`.
 * @throws TypeError for what is no store, or a `timeoutMs` that is no time
 */
export declare function sharedStore(store: GateStore): SharedStore;

// ==== axios-heed/broadcast

/** With which other tabs gates are shared, and what credentials are called there. */
export interface BroadcastStoreOptions {
    /** Clients that share gates have the same. @default 'axios-heed' */
    readonly channel?: string | undefined;
    /**
     * What a credential is called on the channel, where every script of the origin listens: nothing secret, such
     * as the id of who is logged in. @default none, and scopes with credentials are not shared
     */
    readonly nameOfSecret?: ((part: ScopePart) => string | undefined) | undefined;
}

/**
 * Gates shared by the tabs of one browser, over BroadcastChannel and Web Locks; nothing is stored. Where the
 * platform lacks either (older web views, React Native, pages without TLS) every tab goes by itself.
 * @throws TypeError for options that are none
 */
export declare function broadcastStore(options?: BroadcastStoreOptions): SharedStore;

// ==== axios-heed/describe

/** In whose words, counted from when, and of which gate. */
export interface DescribeOptions {
    /** A date-fns locale, for the distance. @default date-fns' default, which is English */
    readonly locale?: DistanceLocale | undefined;
    /** What the distance is counted from, a `Date` or ms since 1970. @default the present */
    readonly now?: Date | number | undefined;
    /** The label of the gate to describe. @default of a whole snapshot, the gate that opens last */
    readonly gate?: string | undefined;
    /** Words of your own, in any language. @default English */
    readonly sentence?: ((parts: HoldParts) => string) | undefined;
}

/** The part of a date-fns `Locale` that is used. Its own type would drag in declarations that CommonJS cannot read. */
export interface DistanceLocale {
    /** As date-fns has it. */
    readonly formatDistance: (...args: never[]) => string;
}

export interface HoldDescription extends HoldParts {
    readonly sentence: string;
}

/** What a sentence is made of. */
export interface HoldParts {
    /**
     * `held`: nothing goes before `releaseAt`; `due`: that has come, and somebody is about to try; `asking`: one
     * goes first, to see whether the service is back; `turns`: the others follow one after the other; `offline`:
     * a network is waited for.
     */
    readonly stage: 'held' | 'due' | 'asking' | 'turns' | 'offline';
    /** Until the next try, such as "12 seconds", rounded up; with `held` only. */
    readonly distance?: string;
    /** How many go first; of a snapshot, before the last who waits. */
    readonly ahead: number;
    /** The earliest next try, ms since 1970; with `held` and `due` only. */
    readonly releaseAt?: number;
}

/** What to tell, and whether to offer another try. */
export interface StopDescription {
    /** Until calling again makes sense, such as "42 seconds", rounded up; absent when that is at once, or never. */
    readonly distance?: string;
    /** The same instant, ms since 1970. */
    readonly releaseAt?: number;
    /** Whether the person may be offered to try again. */
    readonly retryable: boolean;
    readonly sentence: string;
}

/** What is used of `error.heed`. */
export interface StopFacts {
    readonly reason: StopReason;
    readonly releaseAt?: number | undefined;
    readonly retryable: boolean;
}

/** The wait of one operation, as `onProgress` tells it and `heeding.waiting()` lists it. */
export interface Wait {
    readonly state: GateSnapshot['state'] | 'offline';
    readonly ahead: number;
    readonly releaseAt?: number | undefined;
}

/**
 * What to tell a person who waits, of a snapshot, one of its gates, or the progress of an operation;
 * `undefined` where nobody waits and nothing is held. A hold that is over is never called a recovery.
 * @throws TypeError for what is none of these
 */
export declare function describeHold(subject: GatesSnapshot | GateSnapshot | Wait, options?: DescribeOptions): HoldDescription | undefined;

/**
 * What to tell a person whose operation ended without success, from `error.heed`. Whatever may have been
 * done already is called that: nobody is invited to pay twice. Never throws, whatever comes: of a foreign
 * error, too, it may be asked.
 */
export declare function describeStop(report: StopFacts, { locale, now }?: Pick<DescribeOptions, 'locale' | 'now'>): StopDescription;

// ==== reached, not exported

/**
 * The end of one operation's time, kept on both clocks. It ends at the monotonic instant or, when the wall
 * clock jumped forward past it, at the wall instant: a jump may end an operation too early, never send one
 * too late.
 */
export interface Deadline {
    readonly atMonoMs: number;
    readonly atEpochMs: number;
}

/** A place in the queue of the first gate that refuses. */
export interface Waiting {
    readonly kind: 'waiting';
    readonly gate: string;
    readonly state: GateState['kind'];
    readonly releaseAtMonoMs?: number | undefined;
    /** How many waiters stand at that gate already. */
    readonly ahead: number;
    /** Never rejects. */
    readonly entered: Promise<Entered>;
}

/** A store is asked: who may probe, now that a hold is over, or what is known of a scope that is new here. */
export interface Asking {
    readonly kind: 'asking';
    readonly about: 'lease' | 'scope';
    readonly untilMonoMs: number;
    /** This process was too busy to read an answer in time: it has had one more turn. */
    readonly prolonged?: boolean | undefined;
}

/** A wait as it would begin. */
export type Standstill = Omit<Waiting, 'entered'>;

/** An operation's place in the queues of all its gates: its number is kept for life. */
export interface Ticket {
    /** A pass from every gate at once, a refusal, or a place in one queue. One wait at a time. */
    enter(terms: EnterTerms): Entered | Waiting;
    /** Gives the place up: a wait settles at once with `left`, and the next in line is looked at. */
    leave(): void;
    /** Labels of its gates, narrow to wide. */
    readonly labels: readonly string[];
    /** Smoothed time of answered, not limited exchanges of the narrowest gate. */
    readonly smoothedMs: number | undefined;
}

/** Capacity estimated: what a hold saves up, then evenly spaced, a step faster when that is worth the risk. */
export interface Gliding {
    readonly kind: 'gliding';
    readonly sinceMonoMs: number;
    readonly accepted: number;
    /** The present cycle, and how many came before it; only a window has more than one. */
    readonly cycle: {
        readonly sinceMonoMs: number;
        readonly taken: number;
    };
    readonly cycles: number;
    readonly nextMonoMs: number;
    readonly perMs: number;
    readonly bursting: boolean;
    /** Kept up without a limit before the last step, not counting what may have been saved up. */
    readonly provenPerMs: number;
    readonly steps: number;
    /** Accepted before the last step, and when that was. */
    readonly acceptedAtStep: number;
    readonly steppedMonoMs: number;
}

/** Capacity unknown: in flight in proportion to what the server has accepted. */
export interface Ramping {
    readonly kind: 'ramping';
    readonly sinceMonoMs: number;
    readonly accepted: number;
    readonly nextMonoMs: number;
}

/** From the least to the most. */
export declare const JOURNAL_LEVELS: readonly ["debug", "info", "warn"];

/** How asking for a pass ended. */
export type Entered = Granted | Refused | Left;

/** On what grounds permission to send again is granted. */
export declare const GROUNDS: readonly ["idempotent-method", "declared-idempotent", "idempotency-key", "not-sent", "not-applied"];

/** On what terms an operation wants to be let go now. */
export interface EnterTerms {
    /** Absent: at once. */
    readonly notBeforeMonoMs?: number | undefined;
    readonly deadline?: Deadline | undefined;
    /** Time kept back so that the exchange after a wait can still finish. */
    readonly reserveMs: number;
    /** The caller's own bound on what is left of a hold. Absent: none. */
    readonly maxHoldMs?: number | undefined;
    readonly exchangesLeft: number;
    /** Safe or idempotent: fit to be a probe. */
    readonly repeatable: boolean;
}

/** One pass, as long as its lease lasts. */
export interface Probing {
    readonly kind: 'probing';
    readonly sinceMonoMs: number;
    /** How many leases there were; the passes of all but the last are in flight without a verdict. */
    readonly leases: number;
    /** Absent: the next pass is the probe. */
    readonly leaseUntilMonoMs?: number | undefined;
}

/** One policy of a server's quota headers, at the receipt of an answer. */
export interface QuotaNews {
    readonly remaining: number;
    /** From receipt until the quota is renewed. */
    readonly resetMs?: number | undefined;
    readonly limit?: number | undefined;
    readonly windowMs?: number | undefined;
}

/** Passes at once, but for the first burst and for a rate that is still fresh. */
export interface Open {
    readonly kind: 'open';
    /** Answers accepted since the last hold. */
    readonly accepted: number;
    /** When the passes given so far are paid for, at the pace that the state allows. */
    readonly paidUntilMonoMs: number;
    /** Since something has been in flight all the time: when that began, and what was accepted since. */
    readonly rush: {
        readonly sinceMonoMs: number;
        readonly accepted: number;
    };
}

/** Sends nothing; left when the instant has come, whatever is still in flight. */
export interface Held {
    readonly kind: 'held';
    readonly untilMonoMs: number;
    /** What the server asked for, without the spread that is ours. Absent: it asked for nothing. */
    readonly askedMonoMs?: number | undefined;
    readonly because: HoldCause;
    /** The words of whoever holds it by hand. */
    readonly why?: string | undefined;
    /** One roll for all limits of a hold: the largest of many would be the same for every client. */
    readonly roll: number;
}

/** The circumstances with what the policy makes of them. */
export interface Weighed extends Circumstances {
    readonly exchangesLeft: number;
    /** Own delay before jitter. */
    readonly backoffMs: number;
    readonly reserveMs: number;
    /** Absent: no bound. */
    readonly maxHintMs?: number;
}

/** The right to send one exchange, taken from all gates in one step. */
export interface Pass {
    /** It asks for at least one gate whether the server has recovered. */
    readonly probing: boolean;
    /** Labels, narrow to wide. */
    readonly gates: readonly string[];
    /** None of its gates has been held since it was given: whoever lets time pass before sending looks again. */
    readonly stands: boolean;
    /** Marks the instant of sending. */
    sent(): void;
    /** Gives the pass back with what came of it; from the second call on without effect. */
    report(answer: Answer): void;
}

/** What an exchange says about its gates, by the class of its answer, never by the fate of its operation. */
export type Answer = {
    readonly kind: 'accepted';
    readonly receivedMonoMs: number;
    readonly quota?: readonly QuotaNews[] | undefined;
} | {
    readonly kind: 'limited';
    readonly receivedMonoMs: number;
    /** Absent: own backoff. */
    readonly hintMs?: number | undefined;
    /** The scope that the server named, when it did. */
    readonly scope?: Scope | undefined;
    readonly quota?: readonly QuotaNews[] | undefined;
}
/** 408, 5xx, network failure or timeout, without a hint. */
 | {
    readonly kind: 'failed';
    readonly receivedMonoMs: number;
    readonly quota?: readonly QuotaNews[] | undefined;
}
/** Aborted by its caller, cut by its deadline, never sent. */
 | {
    readonly kind: 'unjudged';
};

/** What an operation is, for life. */
export interface TicketFacts {
    /** Narrow to wide. None: nobody is asked. */
    readonly scopes: readonly Scope[];
    /** Waiters of one gate are let go by turns over this key, each key's in order of their numbers. */
    readonly turn?: string | undefined;
    /** Whose operation it is; `detach` settles the waiters of one owner. */
    readonly owner: object;
    /** Its name in notes. */
    readonly operation: string;
}

/** What decides whether this operation may be sent again. A header of the server is not among it. */
export interface PermissionFacts extends RequestNature {
    readonly bodyReplayable: boolean;
    /** What is known of the last exchange. */
    readonly knowledge: Knowledge;
}

/** What happened at a gate, for the journal. Instants are monotonic. */
export type GateNote = GateNoteFacts & GateHappening;

/** What is known of an exchange, best first: the worst over all exchanges is what a caller has to live with. */
export declare const KNOWLEDGE: readonly ["not-sent", "not-applied", "answered", "unknown"];

/** What stands around it when it is judged, apart from the policy. */
export interface Circumstances {
    /** Its number, from 1. */
    readonly exchange: number;
    readonly cancelled: boolean;
    readonly deadlinePassed: boolean;
    readonly serverSaidNo: boolean;
    readonly request: RequestFacts;
    /** Of this exchange; after a `reconcile` what that found out. */
    readonly knowledge: Knowledge;
    readonly allowanceEmpty: boolean;
    /** From 0 up to 1. */
    readonly roll: number;
    /** Of the narrowest gate's answered exchanges, where there have been any. */
    readonly smoothedMs?: number;
    /** To the deadline; absent: none. */
    readonly remainingMs?: number;
}

/** Where a gate stands. Each state carries what is true only while it lasts. */
export type GateState = Open | Held | Asking | Probing | Ramping | Gliding;

/** Why a gate lets nobody wait behind it, or no longer. */
export declare const REFUSAL_REASONS: readonly ["cancelled", "deadline-passed", "deadline-too-near", "hint-too-long", "queue-full", "detached"];

/** Why an operation goes no further: the decision table, rows 2 to 10, then gates and hooks. */
export declare const STOP_REASONS: readonly ["cancelled", "deadline-passed", "server-said-no", "not-transient", "outcome-unknown", "answer-lost", "body-not-replayable", "body-changed", "exchanges-spent", "allowance-empty", "hint-too-long", "deadline-too-near", "queue-full", "detached", "not-ready", "hook-failed", "hook-timed-out"];

/** Why permission to send again is denied. */
export declare const DENIALS: readonly ["outcome-unknown", "answer-lost", "body-not-replayable"];

declare const SUBJECTS: {
    readonly policy: "the policy";
    readonly gates: "the options of createGates()";
    readonly request: "the request option `heed`";
    readonly instance: "the instance";
    readonly platform: "the platform";
    readonly hold: "a hold";
    readonly conclusion: "a conclusion";
};

export declare const HOLD_CAUSES: readonly ["hint", "own-backoff", "failures", "quota-spent", "widened", "by-hand", "store", "probe-elsewhere"];

export interface GateNoteFacts {
    /** The gate's label: a credential is a running number in it. */
    readonly gate: string;
    readonly epoch: number;
    readonly atMonoMs: number;
    /** Whose pass or answer it was, where that is known. */
    readonly operation?: string;
}

export interface GatesOptions {
    readonly clock: Clock;
    /** 0 is exact. */
    readonly jitter: number;
    /** Own backoff of the k-th failure in a row (from 1), before jitter. Never throws. */
    readonly backoffMs: (k: number) => number;
    /** Passes in flight of one gate. Absent: no bound. */
    readonly concurrency?: number | undefined;
    /** Waiters in all. */
    readonly maxQueued: number;
    readonly maxGates: number;
    /** No single answer holds a gate longer. */
    readonly maxHoldMs: number;
    /** Absent: shared with nobody. */
    readonly store?: SharedStore | undefined;
}

export interface Granted {
    readonly kind: 'pass';
    readonly pass: Pass;
}

export interface HoldHappening {
    readonly event: 'hold-began' | 'hold-extended';
    readonly untilMonoMs: number;
    readonly because: HoldCause;
    readonly hintMs?: number;
    /** So many probes in a row have met a limit: from the second on each hold is longer than its hint. */
    readonly limitedProbes?: number;
    readonly why?: string;
}

export interface Left {
    readonly kind: 'left';
}

export interface Refused {
    readonly kind: 'refused';
    readonly because: RefusalReason;
    /** The label of the gate that refused. */
    readonly gate: string;
    readonly releaseAtMonoMs?: number | undefined;
}

export interface RequestNature {
    /** Upper case. */
    readonly method: string;
    /** The caller's own word, which overrules the method. */
    readonly idempotent?: boolean | undefined;
    /** An idempotency key goes with every exchange. */
    readonly keyed: boolean;
}

export type GateHappening = HoldHappening | {
    readonly event: 'hold-ended';
}
/** Who may probe: this client, or another that shares the gate. */
 | {
    readonly event: 'lease';
    readonly outcome: 'granted' | 'taken';
} | {
    readonly event: 'probe';
}
/** What the answer of a probe means for the gate. */
 | {
    readonly event: 'verdict';
    readonly verdict: 'accepted' | 'limited' | 'failed' | 'none';
}
/** A release has met a limit. */
 | {
    readonly event: 'overshoot';
    readonly accepted: number;
    readonly inFlight: number;
} | {
    readonly event: 'rate';
    readonly perSecond: number;
}
/** The queue is let go by stages: blindly at first, or at a rate that is known. */
 | {
    readonly event: 'released';
    readonly state: 'ramping' | 'gliding';
} | {
    readonly event: 'opened';
}
/** A new operation has succeeded. */
 | {
    readonly event: 'proven';
} | {
    readonly event: 'released-by-hand';
} | {
    readonly event: 'evicted';
    readonly state: GateState['kind'];
} | {
    readonly event: 'refused';
    readonly because: RefusalReason;
} | StoreHappening;

export type HoldCause = (typeof HOLD_CAUSES)[number];

export type StoreHappening = {
    readonly event: 'store-failed';
    readonly call: 'lease' | 'publish' | 'subscribe';
}
/** The store answers again. */
 | {
    readonly event: 'store-recovered';
}
/** The store said what cannot be, or what its gate does not heed. */
 | {
    readonly event: 'store-ignored';
    readonly because: string;
};

interface Levels {
    /** Where a logger has it, nothing is put into words that would not be written. */
    isLevelEnabled?(level: JournalLevel): boolean;
}

type GateEventOf<Note extends GateNote> = Note extends GateNote ? Omit<Note, 'event' | 'atMonoMs' | 'operation'> & (Note extends {
    readonly untilMonoMs: number;
} ? {
    readonly untilEpochMs: number;
} : unknown) & {
    readonly event: `gate-${Note['event']}`;
    readonly client: string;
} : never;

type Heard = WeighedReading & {
    readonly kind: 'hint';
};

// ==== augmentations

declare module 'axios' {
    interface AxiosRequestConfig {
        /** What axios-heed may do for this request; `false`: one exchange, no gate, no wait. */
        heed?: HeedConfig | false | undefined;
    }
}
