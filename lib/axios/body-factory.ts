import type { HookBounds } from '../operation/readiness.js';
import { runHook } from '../operation/readiness.js';
import { isObject } from '../option-checks.js';
import type { StopReason } from '../reasons.js';
import { discardStream, handOut, isReplayable, isUnread } from './body.js';

/** Asks the caller's factory for the body of one exchange. A stream that has been read of is none. */
export async function makeBody(bounds: HookBounds, factory: () => unknown): Promise<MadeBody> {
  let late = false;
  const made = await runHook<MadeBody>(bounds, 'body', async () => {
    const body = await factory();
    if (late) discardStream(body);
    return { kind: 'made', body };
  });
  late = true;
  if (made.kind === 'made' && isObject(made.body) && !isReplayable(made.body)) {
    if (!isUnread(made.body)) return { kind: 'stop', because: 'body-not-replayable' };
    handOut(made.body);
  }
  return made;
}

export type MadeBody =
  { readonly kind: 'made'; readonly body: unknown } | { readonly kind: 'stop'; readonly because: StopReason };
