import { boundedText } from '../hint/bounded-text.js';
import type {
  Hint,
  HintReader,
  HintReading,
  NamedScope,
  QuotaReading,
  Reading,
  VerdictReading,
} from '../hint/hint.js';
import { Answer } from './answer.js';
import type { Unit } from './units.js';

/** What a vendor's servers say, as data. */
export interface Vendor {
  readonly name: string;
  /** What tells a wait by itself, on limits and on failures of the server: the first that can be read. */
  readonly waits?: readonly WaitField[];
  /** What is left, on every answer; a quota that is used up is a wait on limits and on 503. */
  readonly quotas?: readonly QuotaFields[] | ((answer: Answer) => readonly QuotaFields[]);
  /** Where an answer that is no 429 says that it is a limit all the same: the field, or the place in the body. */
  readonly limit?: (answer: Answer) => string | undefined;
  /** What a limit is counted by, where the answer tells. */
  readonly scope?: (answer: Answer) => ScopeField | undefined;
  /** What the vendor asks clients to wait after a limit that tells nothing. */
  readonly documentedMs?: number;
  readonly verdicts?: readonly ((answer: Answer) => VerdictReading | undefined)[];
}

/** A field, or with `text` something else that goes by this name and is no header. */
export interface Field {
  readonly name: string;
  readonly text?: (answer: Answer) => string | undefined;
}

export interface WaitField extends Field {
  readonly unit: Unit;
  /** It says the same as Retry-After more finely, or the vendor's own clients go by it first. */
  readonly overrules?: 'retry-after';
}

export interface QuotaFields {
  readonly policy?: string;
  readonly remaining: Field;
  readonly limit?: Field;
  /** When it is renewed: the first that is there. */
  readonly resets: readonly WaitField[];
}

/** What a limit is counted by, and where the answer says so. */
export interface ScopeField {
  readonly source: string;
  readonly scope: NamedScope;
}

/** The one engine for all tables. */
export function vendorReader(vendor: Vendor): HintReader {
  const { name } = vendor;
  // Computed, so that the function bears the vendor's name: the journal tells it of a reader that fails.
  const readers: Readonly<Record<string, HintReader>> = {
    [name]: (facts) => readingsOf(vendor, new Answer(facts)),
  };
  return readers[name] as HintReader;
}

function readingsOf(vendor: Vendor, answer: Answer): readonly Reading[] {
  const place = vendor.limit?.(answer);
  const isLimit = answer.status === 429 || place !== undefined;
  const quotas = quotaFieldsOf(vendor, answer).map((fields) => readQuota(fields, answer));
  const told = [
    ...(isLimit || answer.status >= 500 ? firstOf(vendor.waits ?? [], answer) : []),
    ...(isLimit || answer.status === 503 ? quotas.flatMap((quota) => waitFor(quota, { isLimit })) : []),
  ];
  return [
    ...quotas.flatMap(({ readings }) => readings),
    ...told,
    ...(isLimit && !isTold(told, answer) ? documentedWait(vendor) : []),
    ...(isLimit ? limitOf(place, answer, vendor.scope?.(answer)) : []),
    ...(answer.status >= 400 ? verdictsOf(vendor, answer) : []),
  ];
}

// What a cache has kept tells of another moment.
function quotaFieldsOf({ quotas = [] }: Vendor, answer: Answer): readonly QuotaFields[] {
  if (answer.isFromCache) return [];
  return typeof quotas === 'function' ? quotas(answer) : quotas;
}

interface Quota {
  /** Absent: the answer does not say. */
  readonly remaining?: number;
  readonly reset?: HintReading | undefined;
  readonly readings: readonly Reading[];
}

function readQuota({ policy, remaining: field, limit, resets }: QuotaFields, answer: Answer): Quota {
  const [reset] = firstOf(resets, answer).slice(-1);
  const text = textOf(field, answer);
  if (text === undefined) return { reset, readings: [] };
  const remaining = countIn(text);
  if (remaining === undefined) return { readings: [malformed(field, text)] };
  // Some have the parts of the limit behind it.
  const [whole = ''] = limit === undefined ? [] : (textOf(limit, answer) ?? '').split(',', 1);
  const most = countIn(whole);
  const quota: Reading = {
    kind: 'quota',
    ...(reset?.kind === 'hint' ? endOf(reset.hint) : { source: field.name, raw: boundedText(text) }),
    ...(policy !== undefined && { policy }),
    remaining,
    ...(most !== undefined && { limit: most }),
  };
  return { remaining, reset, readings: reset?.kind === 'malformed' ? [quota, reset] : [quota] };
}

function endOf({ source, raw, delayMs, clock, skewMs }: Hint): Omit<QuotaReading, 'kind' | 'remaining'> {
  const measured = clock === 'none' ? {} : { clock, ...(skewMs !== undefined && { skewMs }) };
  return { source, raw, resetMs: delayMs, ...measured };
}

function waitFor({ remaining, reset }: Quota, { isLimit }: { isLimit: boolean }): readonly HintReading[] {
  const isUsedUp = remaining === 0 || (remaining === undefined && isLimit);
  return isUsedUp && reset !== undefined ? [reset] : [];
}

function isTold(told: readonly HintReading[], answer: Answer): boolean {
  return told.some(({ kind }) => kind !== 'malformed') || answer.field('retry-after') !== undefined;
}

function documentedWait({ documentedMs: delayMs }: Vendor): readonly HintReading[] {
  if (delayMs === undefined) return [];
  const source = 'documented-default';
  return [{ kind: 'hint', hint: { source, raw: '', form: 'documented', delayMs, clock: 'none' } }];
}

/** The first of them that can be read, behind those that cannot. */
function firstOf(fields: readonly WaitField[], answer: Answer): readonly HintReading[] {
  const readings: HintReading[] = [];
  for (const field of fields) {
    const text = textOf(field, answer);
    if (text === undefined) continue;
    const reading = readWait(field, text, answer);
    readings.push(reading);
    if (reading.kind !== 'malformed') break;
  }
  return readings;
}

function readWait(field: WaitField, text: string, answer: Answer): HintReading {
  const { name: source, unit, overrules } = field;
  const when = unit.read(text, () => answer.clock.nowEpochMs);
  if (when === undefined) return malformed(field, text);
  const raw = boundedText(text);
  const own = overrules === undefined ? {} : { overrules };
  const delayMs = 'delayMs' in when ? when.delayMs : when.atEpochMs - answer.clock.nowEpochMs;
  if (delayMs > Number.MAX_SAFE_INTEGER) return { kind: 'overflow', source, raw, ...own };
  const measured = { source, raw, form: unit.form, delayMs: Math.max(0, Math.ceil(delayMs)) };
  if ('delayMs' in when) return { kind: 'hint', hint: { ...measured, clock: 'none' }, ...own };
  return { kind: 'hint', hint: { ...measured, ...measuredBy(answer, when.atEpochMs) }, ...own };
}

// No second is added for the resolution of Date: it is cut to whole seconds, so that no wait from it is short.
function measuredBy(
  { clock }: Answer,
  atEpochMs: number,
): Pick<Hint, 'atEpochMs' | 'clock' | 'skewMs' | 'elapsed'> {
  return {
    atEpochMs,
    clock: clock.source,
    ...(clock.skewMs !== undefined && { skewMs: clock.skewMs }),
    ...(clock.ageSeconds !== undefined && { ageSeconds: clock.ageSeconds }),
    ...(atEpochMs <= clock.nowEpochMs && { elapsed: true }),
  };
}

function limitOf(
  place: string | undefined,
  answer: Answer,
  named: ScopeField | undefined,
): readonly VerdictReading[] {
  const source = place ?? named?.source;
  if (source === undefined) return [];
  const raw = boundedText(answer.field(source) ?? '');
  const scope = named && { scope: { ...named.scope, value: boundedText(named.scope.value) } };
  return [{ kind: 'verdict', verdict: 'limit', source, raw, ...scope }];
}

function verdictsOf({ verdicts = [] }: Vendor, answer: Answer): readonly VerdictReading[] {
  return verdicts.flatMap((verdict) => verdict(answer) ?? []);
}

function textOf({ name, text }: Field, answer: Answer): string | undefined {
  return text === undefined ? answer.field(name) : text(answer);
}

/** Some count in fractions: what is left of one request is none. */
function countIn(text: string): number | undefined {
  return /^\d{1,15}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined;
}

// Nothing of a body is kept but what was read from it.
function malformed({ name, text: fromBody }: Field, text: string): HintReading {
  const because = text === '' ? 'empty' : 'invalid';
  return { kind: 'malformed', because, source: name, raw: fromBody === undefined ? boundedText(text) : '' };
}
