import { Gates } from '../gate/gates.js';
import { checkOptions, HeedOptionsError } from '../option-checks.js';
import { DEFAULTS, resolvePolicy } from '../options.js';
import type { HeedPolicy } from '../options.js';
import { backoffMs } from '../policy/backoff.js';
import type { Backoff } from '../policy/backoff.js';
import { systemClock } from '../time/clock.js';

/** The options of gates. Where a policy has `gates`, their bounds and their store stand here, and not there. */
export type GatesPolicy = Pick<
  HeedPolicy,
  'clock' | 'concurrency' | 'jitter' | 'backoff' | 'maxHint' | 'maxQueued' | 'maxGates' | 'store'
>;

/**
 * Gates that several clients of this process share: pass the same object as `gates` in each policy.
 * @throws HeedOptionsError when an option is refused
 */
export function createGates(options: GatesPolicy = {}): Gates {
  checkOptions(options, 'gates');
  return gatesOf(options);
}

/** The gates of a policy, whose options are checked: those that it brings, or its own. */
export function gatesFor(policy: HeedPolicy): Gates {
  if (policy.gates === undefined) return gatesOf(policy);
  const twice = OF_GATES_ALONE.find((name) => policy[name] !== undefined);
  if (twice === undefined) return policy.gates;
  throw new HeedOptionsError('policy', `\`${twice}\` to stand in createGates(), of which it has \`gates\``);
}

const OF_GATES_ALONE = ['concurrency', 'maxQueued', 'maxGates', 'store'] as const;

function gatesOf(options: GatesPolicy): Gates {
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
