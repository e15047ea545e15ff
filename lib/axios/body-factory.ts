import type { HookBounds } from '../operation/readiness.js';
import { runHook } from '../operation/readiness.js';
import type { StopReason } from '../reasons.js';
import { discardStream, handOut, isReplayable, isUnread } from './body.js';

/** Asks the caller's factory for the body of one exchange. A stream that has been read of is none. */
export async function makeBody(bounds: HookBounds, factory: () => unknown): Promise<MadeBody> {
  let late = false;
  const run = async (): Promise<unknown> => {
    const body = await factory();
    if (late) discardStream(body);
    return body;
  };
  const ended = await runHook(bounds, { name: 'body', run });
  if (ended.kind === 'stop') {
    late = true;
    return ended;
  }
  const { value } = ended;
  if (typeof value === 'object' && value !== null && !isReplayable(value)) {
    if (!isUnread(value)) return { kind: 'stop', because: 'body-not-replayable' };
    handOut(value);
  }
  return { kind: 'made', body: value };
}

export type MadeBody =
  { readonly kind: 'made'; readonly body: unknown } | { readonly kind: 'stop'; readonly because: StopReason };
