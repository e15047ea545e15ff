import fc from 'fast-check';
import type { EntryOf, EventName } from '../../lib/journal/sentences';
import type { JournalEntry } from '../../lib/operation/journal-entry';

type Facts<Event extends EventName> = Omit<EntryOf<Event>, 'v' | 'n' | 'atEpochMs' | 'monoMs' | 'event'>;

const GATE = { client: 'k3x9q1', gate: 'https://api.example.com /orders/:id', epoch: 3 } as const;
const NOON = Date.UTC(2026, 0, 1, 12);
const HOLD = {
  ...GATE,
  untilMonoMs: 3000,
  untilEpochMs: NOON + 2000,
  because: 'hint',
  hintMs: 2000,
  limitedProbes: 2,
} as const;

/** One of every event, with every field that it may have: the compiler finds what is missing. */
const FACTS: { readonly [Event in EventName]: Facts<Event> } = {
  'operation-opened': {
    operation: 'op-1',
    method: 'GET',
    origin: 'https://api.example.com',
    route: '/orders/:id',
    scopes: ['narrow', 'wide'],
    mode: 'act',
    budgetMs: 30_000,
    deadlineEpochMs: NOON + 30_000,
    terms: {
      exchanges: 4,
      maxHintMs: 60_000,
      reserveMs: 50,
      jitter: 0.1,
      backoff: { firstMs: 200, factor: 2, maxMs: 30_000 },
      transient: [500, 502],
      notApplied: 'function',
      allowance: { start: 10, perExchange: 0.2, perSecond: 1, max: 100 },
      concurrency: 5,
    },
  },
  'hold-entered': { gate: GATE.gate, state: 'held', ahead: 2, releaseAtEpochMs: NOON },
  'pause-entered': { releaseAtEpochMs: NOON, because: 'offline' },
  'hold-refused': { gate: GATE.gate, because: 'deadline-too-near', releaseAtEpochMs: NOON },
  'wait-ended': { waitedMs: 2030, how: 'pass' },
  'hook-ended': { hook: 'login', how: 'not-before', tookMs: 5, why: 'too early', notBeforeEpochMs: NOON },
  reconciled: { exchange: 1, outcome: 'applied' },
  'exchange-sent': { exchange: 1, gates: ['narrow', 'wide'] },
  'probe-sent': { exchange: 2, gates: ['narrow'] },
  'probe-accepted': { exchange: 2, gates: ['narrow'] },
  'cancel-requested': {},
  observation: {
    exchange: 1,
    end: 'answer',
    resolved: false,
    verdict: 'limit',
    classified: 'limit',
    knowledge: 'not-applied',
    sentEpochMs: NOON,
    receivedEpochMs: NOON + 10,
    tookMs: 10,
    status: 429,
    code: 'ERR_BAD_REQUEST',
    serverDateEpochMs: NOON,
    ageSeconds: 1,
    fromCache: true,
    headersHidden: true,
    answeredBy: 'https://elsewhere.example.com',
    hint: {
      kind: 'hint',
      source: 'retry-after',
      raw: 'Thu, 01 Jan 2026 12:00:02 GMT',
      form: 'http-date',
      delayMs: 2000,
      atEpochMs: NOON + 2000,
      clock: 'server-date',
      skewMs: 500,
      passedOver: [{ kind: 'malformed', because: 'invalid', source: 'x-wait', raw: 'soon' }],
      quota: [{ kind: 'quota', source: 'ratelimit', raw: 'r=0', remaining: 0 }],
      said: [{ kind: 'verdict', verdict: 'transient', source: 'x-should-retry', raw: 'true' }],
    },
  },
  weighed: {
    exchange: 1,
    cancelled: true,
    deadlinePassed: true,
    serverSaidNo: true,
    request: { method: 'POST', idempotent: undefined, keyed: false, bodyReplayable: false },
    knowledge: 'not-applied',
    allowanceEmpty: true,
    roll: 0.25,
    smoothedMs: 12,
    remainingMs: 29_000,
    exchangesLeft: 3,
    backoffMs: 200,
    reserveMs: 50,
    maxHintMs: 60_000,
  },
  'permission-granted': { grounds: 'not-applied', knowledge: 'not-applied' },
  'permission-denied': { because: 'outcome-unknown', knowledge: 'unknown' },
  decision: { exchange: 1, row: 11, decision: 'again', because: 'cancelled', delayMs: 2000, floor: 'hint' },
  'operation-closed': {
    outcome: 'stopped',
    because: 'exchanges-spent',
    exchanges: 4,
    knowledge: 'unknown',
    earlierOutcome: 'unknown',
    tookMs: 7200,
  },
  concluded: { conclusion: 'order placed', detail: 'found by its key' },
  'gate-hold-began': { ...HOLD, why: 'maintenance' },
  'gate-hold-extended': { ...HOLD, why: 'maintenance' },
  'gate-hold-ended': GATE,
  'gate-lease': { ...GATE, outcome: 'granted' },
  'gate-probe': GATE,
  'gate-verdict': { ...GATE, verdict: 'accepted' },
  'gate-overshoot': { ...GATE, accepted: 12, inFlight: 3 },
  'gate-rate': { ...GATE, perSecond: 12.3456 },
  'gate-released': { ...GATE, state: 'ramping' },
  'gate-opened': GATE,
  'gate-proven': GATE,
  'gate-released-by-hand': GATE,
  'gate-evicted': { ...GATE, state: 'open' },
  'gate-refused': { ...GATE, because: 'queue-full' },
  'gate-store-failed': { ...GATE, call: 'lease' },
  'gate-store-recovered': GATE,
  'gate-store-ignored': { ...GATE, because: 'too far away' },
};

export const EVENTS = Object.keys(FACTS) as readonly EventName[];

/** An entry of this event, the n-th of its client. */
export function entryOf(event: EventName, n: number = 1): JournalEntry {
  return { v: 1, n, atEpochMs: NOON + n, monoMs: n, event, ...FACTS[event] } as JournalEntry;
}

/** So many entries, of all events in turn, made when they are asked for. */
export function* entries(count: number): Generator<JournalEntry> {
  for (let n = 1; n <= count; n += 1) yield entryOf(EVENTS[n % EVENTS.length]!, n);
}

export function lineOf(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** A journal of some entries. */
export const journals: fc.Arbitrary<readonly JournalEntry[]> = fc
  .array(fc.tuple(fc.constantFrom(...EVENTS), fc.string({ unit: 'binary', maxLength: 20 })), {
    maxLength: 12,
  })
  .map((drawn) => drawn.map(([event, operation], at) => ({ ...entryOf(event, at + 1), operation })));
