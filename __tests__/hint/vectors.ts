import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value as the vectors write it: long ones as prefix + text * count + suffix. */
export type RawVector =
  | string
  | readonly string[]
  | null
  | { readonly prefix?: string; readonly repeat: readonly [string, number]; readonly suffix?: string };

export interface Delay {
  readonly kind: 'delay-seconds' | 'http-date';
  readonly delayMs: number;
}

export interface Refusal {
  readonly error: string;
}

export interface RetryAfterVector {
  readonly id: string;
  readonly kind: string;
  readonly raw: RawVector;
  readonly now: string;
  readonly expect: Delay | Refusal;
  readonly accept?: readonly (Delay | Refusal)[];
  readonly acceptErrors?: readonly string[];
  readonly lenientWeekday?: Delay;
  readonly longest?: number;
}

export interface HttpDateVector {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly form: 'imf' | 'rfc850' | 'asctime' | null;
  readonly now?: string;
  readonly expect: number | null;
  readonly accept?: readonly number[];
  readonly lenientWeekday?: number;
}

export const retryAfterVectors: readonly RetryAfterVector[] = JSON.parse(textOf('retry-after.json'));
export const httpDateVectors: readonly HttpDateVector[] = JSON.parse(textOf('http-date.json'));

export function valueOf(raw: RawVector): string | readonly string[] | null {
  if (raw === null || typeof raw === 'string' || 'length' in raw) return raw;
  const [text, count] = raw.repeat;
  return (raw.prefix ?? '') + text.repeat(count) + (raw.suffix ?? '');
}

function textOf(file: string): string {
  return readFileSync(join(__dirname, '../vectors', file), 'utf8');
}
