// The figures of the gate, in the order in which a release meets them. What each is for stands where it is used.

/** Caution: the share of an estimate that is used. */
export const CAUTION = 0.95;

// An open gate. A stranger's burst: RFC 6928 begins with 10; nothing waits here longer than 5 ms times its place.
export const BURST = 10;
export const BURST_GAP_MS = 5;

// A hold, and how far it is spread.
export const GUARD_MS = 30;
export const MOST_SPREAD_MS = 30_000;
export const DISTRUST = 1.5;
export const MOST_DISTRUST_MS = 30_000;
export const FAILURES_IN_A_ROW = 3;

// A store that is asked.
export const ANSWER_LATE_MS = 10;
export const READ_MS = 20;

// A probe: how many of those who are next are looked at, and how long its answer is waited for.
export const PROBE_CANDIDATES = 8;
export const LEAST_LEASE_MS = 5_000;
export const LEASE_EXCHANGES = 4;
export const SMOOTHING = 0.2;

// A ramp.
export const FIRST_WINDOW = 3;
export const SHARE = 0.1;
export const MOST_IN_FLIGHT = 512;
export const TIMER_LATE_MS = 5;
export const LEAST_RAMP_GAP_MS = 0.1;

// A step.
export const STEP = 1.25;
export const SMALL_STEP = 1.05;
export const LOST_EXCHANGES = 3;
// Capacities change: nothing is ruled out for ever.
export const MOST_RISK = 0.9;
export const LEAST_ACCEPTS = 3;
export const MOST_ACCEPTS_MS = 1000;

// A lesson. A server that says "in h seconds" says that by then one more can be served: at least one per h.
export const LEAST_HINT_MS = 1000;
export const HORIZON_CYCLES = 3;
export const LENGTHS_DIFFER = 1.5;
export const RENEWED = 0.5;
// Of a small number a cautious share would be a small share.
export const LEAST_WINDOW = 20;
export const LEAST_RUSH = 10;
export const LOOK_BACK = 8;
export const STUB = 0.1;
export const DEARER = 3;
export const FRESH_AT_LEAST_MS = 300_000;
export const FRESH_HINTS = 3;
export const SAMPLES_TO_PREDICT = 2;

// Quotas: servers speak in whole seconds.
export const ROUNDED_TO_MS = 1000;

// Bounds of what can grow, and of what is told.
export const IDLE_MS = 60_000;
export const MOST_ORDERS = 1_000;
export const MOST_VALUE_CHARACTERS = 256;
export const LEAST_TELL_GAP_MS = 100;
