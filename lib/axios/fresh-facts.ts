import type { Readiness } from '../operation/ports.js';
import { READY, runHook } from '../operation/readiness.js';
import type { ExchangeChanges, ExchangeContext, HookBounds } from '../operation/readiness.js';
import type { HeedPolicy } from '../options.js';
import { isObject } from '../option-checks.js';
import { noAnswer } from '../policy/no-answer.js';
import type { OutgoingRequest } from './outgoing-request.js';
import { askChecks } from './readiness-checks.js';
import { shownUrl } from './request-target.js';

/** For requests inside hooks: an operation that waits for itself would wait for ever. */
export const BARE = { heed: false } as const;

/** Before an exchange that waited or is not the first: the checks, then the hook, whose facts are the freshest. */
export async function refresh(
  bounds: HookBounds,
  { readiness = [], beforeExchange }: HeedPolicy,
  { request, ...wait }: Wait & { readonly request: OutgoingRequest },
): Promise<Readiness> {
  const { target } = request;
  const context: ExchangeContext = {
    operationId: bounds.journal.operation,
    ...wait,
    method: target.method,
    url: shownUrl(target),
    header: (name) => request.header(name),
    bare: BARE,
  };
  const asked = await askChecks(bounds, readiness, context);
  if (asked.kind !== 'ready' || beforeExchange === undefined) return asked;
  return runHook<Readiness>(bounds, 'beforeExchange', async () => {
    request.change(changesOf(await beforeExchange(context)));
    return READY;
  });
}

/** Which exchange is next, and how long it waited. */
export type Wait = Pick<ExchangeContext, 'exchange' | 'waitedMs'>;

/** @throws TypeError for what says nothing of headers and data */
function changesOf(given: ExchangeChanges | undefined): ExchangeChanges {
  const changes: unknown = given ?? {};
  if (isObject(changes) && (changes['headers'] === undefined || isObject(changes['headers']))) return changes;
  throw noAnswer('beforeExchange', '{ headers, data } or undefined', given);
}
