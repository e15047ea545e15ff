/** A value without parameters. Byte sequences are kept as padded base64, dates as seconds since 1970. */
export type BareItem =
  | { readonly kind: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly kind: 'string' | 'token' | 'bytes' | 'display-string'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean };

export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item {
  readonly kind: 'item';
  readonly bare: BareItem;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly kind: 'inner-list';
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

export type Member = Item | InnerList;

/** The members of a List, or `undefined` if the text is none: then the whole field is to be ignored. RFC 9651 4.2.1 */
export function parseList(text: string): readonly Member[] | undefined {
  return parseWhole(text, readList);
}

/** A Dictionary; of equal keys the last counts. RFC 9651 4.2.2 */
export function parseDictionary(text: string): ReadonlyMap<string, Member> | undefined {
  return parseWhole(text, readDictionary);
}

/** RFC 9651 4.2.3 */
export function parseItem(text: string): Item | undefined {
  return parseWhole(text, readItem);
}

/** Where the parser stands. Every pattern is sticky and matches a run of characters once, so it never goes back. */
interface Cursor {
  readonly text: string;
  at: number;
}

// A parser that fails throws this, and the one place that can name the failure catches it.
class Unparsable extends Error {}

function parseWhole<T>(text: string, read: (cursor: Cursor) => T): T | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const cursor: Cursor = { text, at: 0 };
  try {
    take(cursor, SPACES);
    const value = read(cursor);
    take(cursor, SPACES);
    return cursor.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof Unparsable) return undefined;
    throw error;
  }
}

// Node takes no more than 16 KiB for all header fields together; nothing that is longer is an honest quota.
const MOST_CHARACTERS = 16_384;
const SPACES = / */y;
const OWS = /[ \t]*/y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;

function readList(cursor: Cursor): Member[] {
  const members: Member[] = [];
  if (cursor.at < cursor.text.length) {
    do members.push(readMember(cursor));
    while (isNext(cursor));
  }
  return members;
}

function readDictionary(cursor: Cursor): Map<string, Member> {
  const members: Map<string, Member> = new Map();
  if (cursor.at === cursor.text.length) return members;
  do {
    const key = expect(cursor, KEY);
    members.set(
      key,
      skip(cursor, '=')
        ? readMember(cursor)
        : { kind: 'item', bare: TRUE, parameters: readParameters(cursor) },
    );
  } while (isNext(cursor));
  return members;
}

/** Past the comma between two members; one at the end is a failure. */
function isNext(cursor: Cursor): boolean {
  take(cursor, OWS);
  if (!skip(cursor, ',')) return false;
  take(cursor, OWS);
  if (cursor.at === cursor.text.length) throw new Unparsable();
  return true;
}

function readMember(cursor: Cursor): Member {
  if (!skip(cursor, '(')) return readItem(cursor);
  const items: Item[] = [];
  take(cursor, SPACES);
  while (!skip(cursor, ')')) {
    items.push(readItem(cursor));
    if (take(cursor, SPACES) === '' && cursor.text[cursor.at] !== ')') throw new Unparsable();
  }
  return { kind: 'inner-list', items, parameters: readParameters(cursor) };
}

function readItem(cursor: Cursor): Item {
  return { kind: 'item', bare: readBareItem(cursor), parameters: readParameters(cursor) };
}

function readParameters(cursor: Cursor): Parameters {
  const parameters: Map<string, BareItem> = new Map();
  while (skip(cursor, ';')) {
    take(cursor, SPACES);
    const key = expect(cursor, KEY);
    parameters.set(key, skip(cursor, '=') ? readBareItem(cursor) : TRUE);
  }
  return parameters;
}

const TRUE: BareItem = { kind: 'boolean', value: true };

function readBareItem(cursor: Cursor): BareItem {
  for (const [pattern, itemOf] of BARE_ITEMS) {
    const text = take(cursor, pattern);
    if (text !== undefined) return itemOf(text);
  }
  throw new Unparsable();
}

// RFC 9651 4.2.3.1: the first character decides, so at most one of these matches.
const BARE_ITEMS: readonly (readonly [RegExp, (text: string) => BareItem])[] = [
  // 4.2.4: at most 15 digits, or 12 before the point and 3 after it
  [/-?\d{1,15}(?![\d.])/y, (text) => ({ kind: 'integer', value: Number(text) })],
  [/-?\d{1,12}\.\d{1,3}(?!\d)/y, (text) => ({ kind: 'decimal', value: Number(text) })],
  [
    /"(?:[ !#-[\]-~]|\\["\\])*"/y, // 4.2.5
    (text) => ({ kind: 'string', value: text.slice(1, -1).replace(/\\(.)/g, '$1') }),
  ],
  [/[A-Za-z*][!#$%&'*+\-.^_`|~\w:/]*/y, (text) => ({ kind: 'token', value: text })], // 4.2.6
  [/:[A-Za-z0-9+/]*={0,2}:/y, bytesOf],
  [/\?[01]/y, (text) => ({ kind: 'boolean', value: text === '?1' })], // 4.2.8
  [/@-?\d{1,15}(?![\d.])/y, (text) => ({ kind: 'date', value: Number(text.slice(1)) })], // 4.2.9
  [/%"(?:[ !#$&-~]|%[0-9a-f]{2})*"/y, displayStringOf],
];

// 4.2.7: padding may be missing, and bits beyond the last byte may be anything.
function bytesOf(text: string): BareItem {
  const digits = text.slice(1, -1).replace(/=/g, '');
  if (digits.length % 4 === 1) throw new Unparsable();
  return { kind: 'bytes', value: btoa(atob(digits)) };
}

// 4.2.10: percent-encoded UTF-8, which has to be whole
function displayStringOf(text: string): BareItem {
  try {
    return { kind: 'display-string', value: decodeURIComponent(text.slice(2, -1)) };
  } catch {
    throw new Unparsable();
  }
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const text = pattern.exec(cursor.text)?.[0];
  cursor.at += text?.length ?? 0;
  return text;
}

function expect(cursor: Cursor, pattern: RegExp): string {
  const text = take(cursor, pattern);
  if (text === undefined) throw new Unparsable();
  return text;
}

function skip(cursor: Cursor, character: string): boolean {
  const isThere = cursor.text[cursor.at] === character;
  if (isThere) cursor.at += 1;
  return isThere;
}
