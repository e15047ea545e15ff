import type { Scope } from '../model.js';
import { MOST_VALUE_CHARACTERS } from './figures.js';

/** One part, as `hold` and `release` take it: every gate that has it. */
export interface ScopeSelector {
  readonly by: string;
  readonly value: string;
}

/** The identity of a scope as text; `numberOf` gives the running number that stands for a secret. */
export function keyOf(scope: Scope, numberOf: (secret: string) => number): string {
  let key = '';
  for (const { by, value, secret } of scope) {
    const text = secret ? String(numberOf(value)) : boundedValue(value);
    // Its length first, so that no value can be mistaken for another's boundary.
    key += `${by}${secret ? '#' : '='}${text.length}:${text};`;
  }
  return key;
}

/** What may be shown of a scope: labels, values, and a number for each credential. */
export function labelsOf(scope: Scope, numberOf: (secret: string) => number): readonly ScopeLabel[] {
  return scope.map(({ by, value, secret, label }) => {
    const shown = secret ? `${by}#${numberOf(value)}` : value;
    return { by, label: boundedValue(label ?? shown) };
  });
}

/** All of them in one text. */
export function labelOf(labels: readonly ScopeLabel[]): string {
  return labels.map((one) => one.label).join(' ');
}

/** A part of a scope, as it may be shown. */
export interface ScopeLabel {
  readonly by: string;
  readonly label: string;
}

/** Long values count by both ends and their length: what a server sends back must not fill the memory. */
export function boundedValue(value: string, most: number = MOST_VALUE_CHARACTERS): string {
  if (value.length <= most) return value;
  return `${value.slice(0, most / 2)}…${value.length}…${value.slice(-most / 2)}`;
}
