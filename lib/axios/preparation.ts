import type { OperationTerms, Readiness } from '../operation/ports.js';
import { READY } from '../operation/readiness.js';
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

/** Before an exchange: fresh facts, where it waited or is not the first, and the body that its factory makes. */
export type Prepare = (wait: Wait | undefined, factory: HeedConfig['body']) => Promise<Readiness>;

/** Asks the hooks of one operation, and remembers them from one exchange to the next. */
export function preparation(operation: Preparing, request: OutgoingRequest, policy: HeedPolicy): Prepare {
  let moved = false;
  /** Which exchange checks put off, and since when. */
  let putOff: number | undefined;
  let sinceMonoMs = 0;

  /** Checks may put an exchange off as long as a server might. */
  const bounded = (exchange: number, notBeforeMonoMs: number): Readiness => {
    const { terms, clock } = operation;
    if (putOff !== exchange) [putOff, sinceMonoMs] = [exchange, clock.monoMs()];
    return notBeforeMonoMs - sinceMonoMs > (terms.maxHintMs ?? Number.MAX_VALUE)
      ? { kind: 'stop', because: 'not-ready', releaseAtMonoMs: notBeforeMonoMs }
      : { kind: 'not-before', notBeforeMonoMs };
  };

  /** Pass in hand; when the facts change who is counted, other gates are asked, once. */
  const facts = async (wait: Wait): Promise<Readiness> => {
    const { scopes } = operation;
    const readiness = await refresh(operation, policy, { ...wait, request });
    if (readiness.kind === 'not-before') return bounded(wait.exchange, readiness.notBeforeMonoMs);
    if (readiness.kind !== 'ready' || moved || areSameScopes(scopes, operation.scopes)) return readiness;
    moved = true;
    return { kind: 'moved' };
  };

  return async (wait, factory) => {
    const readiness = wait ? await facts(wait) : READY;
    if (readiness.kind !== 'ready') return readiness;
    if (factory !== undefined) {
      const made = await makeBody(operation, factory);
      if (made.kind === 'stop') return made;
      request.takeBody(made.body);
    }
    // A key may have settled what the body is.
    return request.isSealed ? READY : { kind: 'stop', because: 'body-changed' };
  };
}
