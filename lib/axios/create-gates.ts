import { Gates } from '../gate/gates.js';
import { checkOptions } from '../option-checks.js';
import { DEFAULTS, resolvePolicy } from '../options.js';
import type { HeedPolicy } from '../options.js';
import { backoffMs } from '../policy/backoff.js';
import type { Backoff } from '../policy/backoff.js';
import { systemClock } from '../time/clock.js';

/** The options that are the gates' own: with `gates` in a policy they stand there, not in the policy. */
export type GatesPolicy = Pick<
  HeedPolicy,
  'clock' | 'concurrency' | 'jitter' | 'backoff' | 'maxHint' | 'maxQueued' | 'maxGates' | 'store'
>;

/**
 * Gates that several clients of this process share: pass the same object as `gates` in each policy.
 * @throws HeedOptionsError when an option is refused
 */
export function createGates(options: GatesPolicy = {}): Gates {
  checkOptions(options, 'policy');
  const { backoff, jitter, maxHint } = resolvePolicy(options);
  return new Gates({
    clock: options.clock ?? systemClock,
    jitter,
    backoffMs: (k) => ownBackoffMs(backoff, k),
    concurrency: options.concurrency,
    maxQueued: options.maxQueued ?? DEFAULTS.maxQueued,
    maxGates: options.maxGates ?? DEFAULTS.maxGates,
    maxHoldMs: longestHoldMs(maxHint),
    store: options.store,
  });
}

// Gates must not fail over a caller's function: the operation asks it too, and its caller gets what it throws.
function ownBackoffMs(backoff: Backoff, failures: number): number {
  try {
    return backoffMs(backoff, failures);
  } catch {
    return backoffMs(DEFAULTS.backoff, failures);
  }
}

// One answer must not close a gate for a day: after this one probe asks again, unless the caller wants none.
function longestHoldMs(maxHint: ReturnType<typeof resolvePolicy>['maxHint']): number {
  if (maxHint.kind === 'none') return Number.MAX_SAFE_INTEGER;
  return Math.max(maxHint.kind === 'at-most' ? maxHint.ms : 0, HOUR_MS);
}

const HOUR_MS = 3_600_000;
