import type { FieldValue } from '../hint/field-members.js';
import { lineOf } from '../hint/field-members.js';
import { parseDictionary, parseItem, parseList } from './structured-fields.js';
import type { BareItem, Member } from './structured-fields.js';

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

/** The quotas that a RateLimit field tells, in its order. */
export interface Limits {
  readonly kind: 'limits';
  readonly dialect: LimitDialect;
  readonly items: readonly LimitItem[];
}

/** The last draft that has the form, of draft-ietf-httpapi-ratelimit-headers. */
export type LimitDialect = 'draft-12' | 'draft-11' | 'draft-07' | 'draft-06';

/** The policies that a RateLimit-Policy field tells, in its order. */
export interface Policies {
  readonly kind: 'policies';
  readonly items: readonly PolicyItem[];
}

/**
 * Reads a RateLimit field of drafts 8 to 12: a List, with `r` and `t`, or `a` and `w`. One bad item spoils the
 * field. Never throws.
 * @see draft-ietf-httpapi-ratelimit-headers, RFC 9651
 */
export function parseRateLimit(field: FieldValue): Limits | UnusableLimits {
  const list = parseList(lineOf(field));
  if (list === undefined) return unusable('parse');
  if (list.length === 0) return unusable('empty');
  const dialect = list.some(({ parameters }) => parameters.has('a')) ? 'draft-12' : 'draft-11';
  return withinConstraints(() => ({ kind: 'limits', dialect, items: list.map(limitOf) }));
}

/**
 * Reads a RateLimit-Policy field of drafts 8 to 12. One bad item spoils the field. Never throws.
 * @see draft-ietf-httpapi-ratelimit-headers, RFC 9651
 */
export function parseRateLimitPolicy(field: FieldValue): Policies | UnusableLimits {
  const list = parseList(lineOf(field));
  if (list === undefined) return unusable('parse');
  if (list.length === 0) return unusable('empty');
  return withinConstraints(() => ({ kind: 'policies', items: list.map(policyOf) }));
}

/**
 * Reads the forms that know one quota only, without a name: RateLimit as a Dictionary (draft 7), or where there
 * is no such field RateLimit-Limit, -Remaining and -Reset (drafts 0 to 6). Never throws.
 * `header` gives a field by its name in small letters.
 */
export function parseOlderRateLimit(header: (name: string) => FieldValue): Limits | UnusableLimits {
  const field = header('ratelimit');
  if (field === undefined) return limitsInTrio(header);
  const dictionary = parseDictionary(lineOf(field));
  return dictionary === undefined ? unusable('parse') : unnamedLimits('draft-07', dictionary);
}

function limitsInTrio(header: (name: string) => FieldValue): Limits | UnusableLimits {
  const members: Map<string, Member> = new Map();
  for (const name of ['limit', 'remaining', 'reset']) {
    const field = header(`ratelimit-${name}`);
    if (field === undefined) continue;
    // Draft 3 may have policies behind the quota: 100, 100;w=60
    const item = name === 'limit' ? parseList(lineOf(field))?.[0] : parseItem(lineOf(field));
    if (item === undefined) return unusable('parse');
    members.set(name, item);
  }
  return members.has('remaining') ? unnamedLimits('draft-06', members) : unusable('empty');
}

function limitOf(member: Member): LimitItem {
  const { parameters } = member;
  const [a, r, w, t] = ['a', 'r', 'w', 't'].map((key) => countOf(parameters.get(key)));
  return {
    policy: nameOf(member),
    available: required(a ?? r),
    windowSeconds: a === undefined ? (t ?? w) : (w ?? t),
    cost: countOf(parameters.get('c')),
    partitionKey: bytesOf(parameters.get('pk')),
  };
}

function policyOf(member: Member): PolicyItem {
  const { parameters } = member;
  const windowSeconds = countOf(parameters.get('w'));
  if (windowSeconds === 0) throw new ConstraintBroken();
  return {
    policy: nameOf(member),
    quota: required(countOf(parameters.get('q'))),
    unit: stringOf(parameters.get('qu')) ?? 'requests',
    windowSeconds,
    partitionKey: bytesOf(parameters.get('pk')),
  };
}

function unnamedLimits(dialect: LimitDialect, members: ReadonlyMap<string, Member>): Limits | UnusableLimits {
  return withinConstraints(() => {
    const [limit, remaining, windowSeconds] = ['limit', 'remaining', 'reset'].map((key) =>
      countOf(bareOf(members.get(key))),
    );
    return { kind: 'limits', dialect, items: [{ available: required(remaining), windowSeconds, limit }] };
  });
}

// The drafts, and RFC 9651 2.2: where one value is not what the field's definition wants, all of it is ignored.
class ConstraintBroken extends Error {}

function withinConstraints<T>(read: () => T): T | UnusableLimits {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConstraintBroken) return unusable('constraint');
    throw error;
  }
}

function nameOf(member: Member): string {
  return required(stringOf(bareOf(member)));
}

function bareOf(member: Member | undefined): BareItem | undefined {
  if (member?.kind === 'inner-list') throw new ConstraintBroken();
  return member?.bare;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new ConstraintBroken();
  return value;
}

function countOf(item: BareItem | undefined): number | undefined {
  if (item === undefined || (item.kind === 'integer' && item.value >= 0)) return item?.value;
  throw new ConstraintBroken();
}

function stringOf(item: BareItem | undefined): string | undefined {
  if (item === undefined || item.kind === 'string') return item?.value;
  throw new ConstraintBroken();
}

function bytesOf(item: BareItem | undefined): string | undefined {
  if (item === undefined || item.kind === 'bytes') return item?.value;
  throw new ConstraintBroken();
}

function unusable(because: UnusableLimits['because']): UnusableLimits {
  return { kind: 'unusable', because };
}
