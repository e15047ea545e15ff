import type { OperationTerms, Readiness } from '../operation/ports.js';
import type { HookBounds } from '../operation/readiness.js';
import type { HeedConfig, HeedPolicy } from '../options.js';
import { areSameScopes } from '../scope/scope.js';
import type { Scope } from '../model.js';
import { makeBody } from './body-factory.js';
import { refresh } from './fresh-facts.js';
import type { Wait } from './fresh-facts.js';
import type { OutgoingRequest } from './outgoing-request.js';

/** What hooks are asked for. */
export interface Preparing extends HookBounds {
  readonly terms: OperationTerms;
  /** As the request now is. */
  readonly scopes: readonly Scope[];
}

/** What an operation that asks hooks remembers of them, from one exchange to the next. */
export class Preparation {
  readonly #operation: Preparing;
  readonly #request: OutgoingRequest;
  #moved: boolean = false;
  /** Which exchange checks put off, and since when. */
  #putOff: { readonly exchange: number; readonly sinceMonoMs: number } | undefined;

  constructor(operation: Preparing, request: OutgoingRequest) {
    this.#operation = operation;
    this.#request = request;
  }

  /** Fresh facts, pass in hand; when they change who is counted, other gates are asked, once. */
  async facts(policy: HeedPolicy, wait: Wait): Promise<Readiness> {
    const { scopes } = this.#operation;
    const readiness = await refresh(this.#operation, policy, { ...wait, request: this.#request });
    if (readiness.kind === 'not-before') return this.#bounded(wait.exchange, readiness.notBeforeMonoMs);
    if (readiness.kind !== 'ready' || this.#moved || areSameScopes(scopes, this.#operation.scopes))
      return readiness;
    this.#moved = true;
    return { kind: 'moved' };
  }

  /** The body of the exchange that is sent next, which a key may have settled. */
  async body(factory: HeedConfig['body']): Promise<Readiness> {
    if (factory !== undefined) {
      const made = await makeBody(this.#operation, factory);
      if (made.kind === 'stop') return made;
      this.#request.takeBody(made.body);
    }
    return this.#request.isSealed ? { kind: 'ready' } : { kind: 'stop', because: 'body-changed' };
  }

  /** Checks may put an exchange off as long as a server might. */
  #bounded(exchange: number, notBeforeMonoMs: number): Readiness {
    const { terms, clock } = this.#operation;
    if (this.#putOff?.exchange !== exchange) this.#putOff = { exchange, sinceMonoMs: clock.monoMs() };
    const { maxHintMs } = terms;
    const putOffMs = notBeforeMonoMs - this.#putOff.sinceMonoMs;
    return maxHintMs !== undefined && putOffMs > maxHintMs
      ? { kind: 'stop', because: 'not-ready', releaseAtMonoMs: notBeforeMonoMs }
      : { kind: 'not-before', notBeforeMonoMs };
  }
}
