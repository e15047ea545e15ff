import { lineOf } from '../hint/field-members.js';
import type { HintFacts } from '../hint/hint.js';
import { isFromCache, readServerClock } from '../hint/server-clock.js';
import type { ServerClock } from '../hint/server-clock.js';
import { withoutOws } from '../hint/white-space.js';

/** A response as the tables of vendors look at it. Clock and body are read when somebody asks, once. */
export class Answer {
  readonly status: number;
  readonly #facts: HintFacts;
  #clock: ServerClock | undefined;
  #body: { readonly json: unknown } | undefined;

  constructor(facts: HintFacts) {
    this.status = facts.status;
    this.#facts = facts;
  }

  /** A field as one line, without the white space around it; `undefined` if it is not there. */
  field(name: string): string | undefined {
    const field = this.#facts.header(name);
    return field === undefined ? undefined : withoutOws(lineOf(field));
  }

  /** What follows the prefix in the names of fields that begin with it; of many, the first. */
  namesAfter(prefix: string): readonly string[] {
    const names = this.#facts.headerNames().filter((name) => name.startsWith(prefix));
    return names.slice(0, MOST).map((name) => name.slice(prefix.length));
  }

  get isFromCache(): boolean {
    return isFromCache(this.#facts.header('age'));
  }

  get clock(): ServerClock {
    const { header, receivedEpochMs } = this.#facts;
    this.#clock ??= readServerClock(header('date'), header('age'), receivedEpochMs);
    return this.#clock;
  }

  /** The value at a path of the JSON in the body; `undefined` where there is none. */
  json(...path: readonly string[]): unknown {
    return this.all(...path)[0];
  }

  /** The values at a path in which `*` stands for each member of an array, of many the first, or for no array. */
  all(...path: readonly string[]): readonly unknown[] {
    this.#body ??= { json: jsonOf(this.#facts.body) };
    return path.reduce<readonly unknown[]>(membersOf, [this.#body.json]);
  }

  /** The first of a body that is text. */
  get text(): string {
    const { body } = this.#facts;
    return typeof body === 'string' ? body.slice(0, 4096) : '';
  }

  /** Whether the body can hold that word: a success that does not need not be parsed. */
  mentions(word: string): boolean {
    const { body } = this.#facts;
    return typeof body === 'string' ? body.includes(word) : typeof body === 'object';
  }
}

function jsonOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

// A list may be as long as its sender likes.
const MOST = 32;

function membersOf(values: readonly unknown[], key: string): readonly unknown[] {
  return values.flatMap((value) => {
    if (key !== '*') return [memberOf(value, key)];
    return Array.isArray(value) ? (value.slice(0, MOST) as unknown[]) : [value];
  });
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
