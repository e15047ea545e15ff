import { checkOptions, HeedOptionsError, optionNames } from '../option-checks.js';
import { hintBoundOf, resolvePolicy, spanMs } from '../options.js';
import type { HeedPolicy, HintBound } from '../options.js';
import type { AllowanceTerms } from '../policy/allowance.js';
import type { Backoff } from '../policy/backoff.js';

/** What another policy would have changed; what is absent stays as it is recorded. */
export interface PolicyChange {
  readonly budgetMs?: number | undefined;
  readonly reserveMs?: number | undefined;
  readonly maxHint?: HintBound | undefined;
  readonly exchanges?: number | undefined;
  readonly backoff?: Exclude<Backoff, (failures: number) => number> | undefined;
  readonly jitter?: number | undefined;
  readonly transient?: readonly number[] | undefined;
  readonly notApplied?: readonly number[] | undefined;
  readonly allowance?: AllowanceTerms | 'none' | undefined;
}

type Replayable = Pick<
  HeedPolicy,
  | 'budget'
  | 'reserve'
  | 'maxHint'
  | 'exchanges'
  | 'backoff'
  | 'jitter'
  | 'transient'
  | 'notApplied'
  | 'allowance'
>;

/** Options of a policy that are data, and on which decisions depend. */
const REPLAYABLE: readonly string[] = Object.keys({
  budget: true,
  reserve: true,
  maxHint: true,
  exchanges: true,
  backoff: true,
  jitter: true,
  transient: true,
  notApplied: true,
  allowance: true,
} satisfies Record<keyof Replayable, true>);

/**
 * Reads a policy as a JSON file has it: spans in ms or as date-fns Durations, rules as lists.
 * @throws HeedOptionsError in the words of `heed()`
 */
export function readPolicyChange(options: unknown): PolicyChange {
  refuseOthers(options);
  checkOptions(options, 'policy');
  const given = options as Replayable;
  const filled = resolvePolicy(given);
  return {
    budgetMs: spanMs(given.budget),
    reserveMs: spanMs(given.reserve),
    maxHint: hintBoundOf(given.maxHint),
    exchanges: given.exchanges,
    jitter: given.jitter,
    backoff: given.backoff && dataOf(filled.backoff),
    transient: given.transient && dataOf(filled.transient),
    notApplied: given.notApplied && dataOf(filled.notApplied),
    allowance: given.allowance && filled.allowance,
  };
}

function refuseOthers(options: unknown): void {
  const names = typeof options === 'object' && options !== null ? Object.keys(options) : [];
  const other = Array.isArray(options) ? undefined : names.find((name) => !REPLAYABLE.includes(name));
  if (other === undefined) return;
  const expected = `to have known options (${REPLAYABLE.join(', ')}), got \`${other}\``;
  const why = optionNames('policy').includes(other) ? ': no decision can be recomputed from it' : '';
  throw new HeedOptionsError('policy', expected + why);
}

// JSON has no functions, so the checks let none through.
function dataOf<Rule>(rule: Rule): Exclude<Rule, (...args: never) => unknown> {
  return rule as Exclude<Rule, (...args: never) => unknown>;
}
