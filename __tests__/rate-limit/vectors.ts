import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHints } from '../../lib/hint/hint';
import type { HintReader, WeighedReading } from '../../lib/hint/hint';
import { retryAfterReader } from '../../lib/hint/retry-after-reader';
import type { Observation } from '../../lib/model';
import { factsOf } from '../hint/facts';
import type { Headers } from '../hint/facts';

/** A field on its own: its parse by RFC 9651, and what the drafts make of it. */
export interface StructuredVector {
  readonly id: string;
  readonly type: 'structured';
  readonly field: 'RateLimit' | 'RateLimit-Policy';
  readonly raw: string | readonly string[];
  readonly members?: readonly (readonly [unknown, Readonly<Record<string, unknown>>])[];
  readonly expect: {
    readonly items?: readonly object[];
    readonly waitMs?: number | null;
    readonly error?: 'parse' | 'constraint' | 'empty';
  };
}

/** The forms before draft 8. */
export interface LegacyVector {
  readonly id: string;
  readonly type: 'legacy';
  readonly headers: Headers;
  readonly now: string;
  readonly expect: {
    readonly error?: string;
    readonly dialect?: string;
    readonly limit?: number;
    readonly remaining?: number;
    readonly resetSeconds?: number;
    readonly waitMs?: number | null;
  };
}

/** What a whole response says; `advisory`: to the next request, not to this one. */
export interface Expectation {
  readonly waitMs?: number | null;
  readonly waitMsSkewCorrected?: number;
  readonly from?: string | null;
  readonly error?: string;
  readonly advisory?: true;
  readonly limited?: false;
  readonly retryable?: false;
  readonly limits?: readonly { readonly waitMs: number }[];
}

export interface ResponseVector {
  readonly id: string;
  readonly type: 'response' | 'vendor';
  readonly vendor?: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body?: unknown;
  readonly now: string;
  readonly expect: Expectation;
  readonly accept?: readonly Expectation[];
}

type Vector = StructuredVector | LegacyVector | ResponseVector;

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(join(__dirname, '../vectors/ratelimit-fields.json'), 'utf8'),
);

export function ofType<T extends Vector>(type: T['type']): readonly T[] {
  return vectors.filter((vector): vector is T => vector.type === type);
}

/** With their names, as `test.each` wants them. */
export function named<T extends { readonly id: string }>(
  list: readonly T[],
): readonly (readonly [string, T])[] {
  return list.map((vector) => [vector.id, vector] as const);
}

/** The response of a vector as Retry-After and more readers read it; the body is text, as adapters give it. */
export function readingOf(vector: ResponseVector, readers: readonly HintReader[]): WeighedReading {
  const { status, headers, body, now } = vector;
  const text = body === undefined ? '' : JSON.stringify(body);
  const facts = factsOf(status, headers, { body: text, receivedEpochMs: Date.parse(now) });
  return readHints(facts, [retryAfterReader, ...readers]);
}

export function observationOf({ status }: ResponseVector, hint: WeighedReading): Observation {
  return { end: 'answer', resolved: status < 300, status, hint, receivedEpochMs: 0, receivedMonoMs: 0 };
}

export interface Told {
  readonly waitMs: number | null;
  readonly from: string | null;
}

/** The wait that a reading tells for its own request. */
export function toldBy(reading: WeighedReading): Told {
  if (reading.kind === 'hint') {
    return { waitMs: reading.hint.delayMs, from: reading.hint.source.toLowerCase() };
  }
  return { waitMs: null, from: reading.kind === 'overflow' ? reading.source : null };
}

/** The wait that quotas tell for the next: until the last of those that are used up is renewed. */
export function toldByQuotas({ quota = [] }: WeighedReading): Told {
  const spent = quota.filter(({ remaining }) => remaining === 0);
  const last = [...spent].sort((a, b) => (b.resetMs ?? 0) - (a.resetMs ?? 0))[0];
  if (last !== undefined) return { waitMs: last.resetMs ?? null, from: last.source };
  return { waitMs: quota.length === 0 ? null : 0, from: quota[0]?.source ?? null };
}

/** Waits are measured by the clock of the server where it can be seen. */
export function allowedBy({ expect: strict, accept = [] }: ResponseVector): readonly Told[] {
  return [strict, ...accept].map(({ waitMs, waitMsSkewCorrected, from }) => ({
    waitMs: waitMsSkewCorrected ?? waitMs ?? null,
    from: from?.toLowerCase() ?? null,
  }));
}
