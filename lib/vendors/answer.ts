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

  get fieldNames(): readonly string[] {
    return this.#facts.headerNames();
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
  json(...path: readonly (string | number)[]): unknown {
    this.#body ??= { json: jsonOf(this.#facts.body) };
    return path.reduce<unknown>(memberOf, this.#body.json);
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

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
