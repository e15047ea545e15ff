import type { EventName } from './sentences.js';

/**
 * Whether the fields of an event have the types that its name promises. An event that is not known may have
 * any fields; more fields than are known are a newer journal's own.
 */
export function hasShape(entry: Readonly<Record<string, unknown>>): boolean {
  const { event } = entry;
  if (typeof event !== 'string') return false;
  return !Object.hasOwn(SHAPES, event) || SHAPES[event as EventName](entry);
}

type Check = (value: unknown) => boolean;

const number: Check = (value) => typeof value === 'number';
const text: Check = (value) => typeof value === 'string';
const truth: Check = (value) => typeof value === 'boolean';
const texts: Check = every(text);
const numbers: Check = every(number);

/** `name?` may be absent, or undefined: in memory that is the same. */
function shape(fields: Readonly<Record<string, Check>>): Check {
  const rules = Object.entries(fields).map(([name, check]) => ({
    name: name.replace('?', ''),
    optional: name.endsWith('?'),
    check,
  }));
  return (value) =>
    isRecord(value) &&
    rules.every(({ name, optional, check }) => (value[name] === undefined ? optional : check(value[name])));
}

function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

function every(check: Check): Check {
  return (value) => Array.isArray(value) && value.length <= MOST_ITEMS && value.every(check);
}

// An operation has a few gates, and a list of status codes has hundreds. A list in memory may claim any length.
const MOST_ITEMS = 10_000;

/** What a record is depends on its `kind`; other kinds are a newer journal's own. */
function byKind(kinds: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isRecord(value) || typeof value['kind'] !== 'string') return false;
    const check = Object.hasOwn(kinds, value['kind']) ? kinds[value['kind']] : undefined;
    return check === undefined || check(value);
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const heard = {
  source: text,
  raw: text,
  form: text,
  delayMs: number,
  clock: text,
  'atEpochMs?': number,
  'skewMs?': number,
  'ageSeconds?': number,
  'members?': number,
  'elapsed?': truth,
  'dayName?': text,
};
const silent = shape({ because: text, 'source?': text });
const malformed = shape({ because: text, source: text, raw: text });
const overflow = shape({ source: text, raw: text });
const quota = shape({
  source: text,
  raw: text,
  remaining: number,
  'policy?': text,
  'limit?': number,
  'resetMs?': number,
  'windowMs?': number,
});
const said = shape({ verdict: text, source: text, raw: text });
const reading = byKind({ hint: shape({ hint: shape(heard) }), silent, malformed, overflow });
const beside = shape({ 'passedOver?': every(reading), 'quota?': every(quota), 'said?': every(said) });
const hintKind = byKind({ hint: shape(heard), silent, malformed, overflow });
const hint: Check = (value) => hintKind(value) && beside(value);

const terms = shape({
  exchanges: number,
  jitter: number,
  backoff: either(text, shape({ firstMs: number, factor: number, maxMs: number })),
  transient: either(text, numbers),
  notApplied: either(text, numbers),
  allowance: either(text, shape({ start: number, perExchange: number, perSecond: number, max: number })),
  'maxHintMs?': number,
  'reserveMs?': number,
  'concurrency?': number,
});
const sent = shape({ exchange: number, gates: texts });
const gate = { gate: text, epoch: number, client: text };
const hold = shape({
  ...gate,
  untilMonoMs: number,
  untilEpochMs: number,
  because: text,
  'hintMs?': number,
  'limitedProbes?': number,
  'why?': text,
});

const SHAPES: Readonly<Record<EventName, Check>> = {
  'operation-opened': shape({
    method: text,
    origin: text,
    route: text,
    scopes: texts,
    mode: text,
    terms,
    'budgetMs?': number,
    'deadlineEpochMs?': number,
  }),
  'hold-entered': shape({ gate: text, state: text, ahead: number, 'releaseAtEpochMs?': number }),
  'pause-entered': shape({ 'releaseAtEpochMs?': number, 'because?': text }),
  'hold-refused': shape({ gate: text, because: text, 'releaseAtEpochMs?': number }),
  'wait-ended': shape({ waitedMs: number, how: text }),
  'hook-ended': shape({ hook: text, tookMs: number, how: text, 'notBeforeEpochMs?': number, 'why?': text }),
  reconciled: shape({ exchange: number, outcome: text }),
  'exchange-sent': sent,
  'probe-sent': sent,
  'probe-accepted': sent,
  'cancel-requested': shape({}),
  observation: shape({
    exchange: number,
    end: text,
    resolved: truth,
    verdict: text,
    knowledge: text,
    sentEpochMs: number,
    receivedEpochMs: number,
    tookMs: number,
    hint,
    'classified?': text,
    'status?': number,
    'code?': text,
    'serverDateEpochMs?': number,
    'ageSeconds?': number,
    'fromCache?': truth,
    'headersHidden?': truth,
    'answeredBy?': text,
  }),
  weighed: shape({
    exchange: number,
    cancelled: truth,
    deadlinePassed: truth,
    serverSaidNo: truth,
    request: shape({ method: text, keyed: truth, bodyReplayable: truth, 'idempotent?': truth }),
    knowledge: text,
    exchangesLeft: number,
    allowanceEmpty: truth,
    backoffMs: number,
    roll: number,
    reserveMs: number,
    'smoothedMs?': number,
    'remainingMs?': number,
    'maxHintMs?': number,
  }),
  'permission-granted': shape({ grounds: text, knowledge: text }),
  'permission-denied': shape({ because: text, knowledge: text }),
  decision: shape({
    exchange: number,
    row: number,
    decision: text,
    'because?': text,
    'delayMs?': number,
    'floor?': text,
  }),
  'operation-closed': shape({
    outcome: text,
    exchanges: number,
    knowledge: text,
    tookMs: number,
    'because?': text,
    'earlierOutcome?': text,
  }),
  concluded: shape({ conclusion: text, 'detail?': text }),
  'gate-hold-began': hold,
  'gate-hold-extended': hold,
  'gate-hold-ended': shape(gate),
  'gate-lease': shape({ ...gate, outcome: text }),
  'gate-probe': shape(gate),
  'gate-verdict': shape({ ...gate, verdict: text }),
  'gate-overshoot': shape({ ...gate, accepted: number, inFlight: number }),
  'gate-rate': shape({ ...gate, perSecond: number }),
  'gate-released': shape({ ...gate, state: text }),
  'gate-opened': shape(gate),
  'gate-proven': shape(gate),
  'gate-released-by-hand': shape(gate),
  'gate-evicted': shape({ ...gate, state: text }),
  'gate-refused': shape({ ...gate, because: text }),
  'gate-store-failed': shape({ ...gate, call: text }),
  'gate-store-recovered': shape(gate),
  'gate-store-ignored': shape({ ...gate, because: text }),
};
