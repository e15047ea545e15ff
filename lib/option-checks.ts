import { spanMs } from './options.js';
import type { HeedConfig, HeedPolicy } from './options.js';

/**
 * Checks options once, where they come in; `undefined` is absent, unknown names are refused.
 * @throws HeedOptionsError that names the option, what was expected and what came
 */
export function checkOptions(options: unknown, kind: OptionsKind): void {
  const checks = CHECKS[kind];
  if (!isPlainObject(options)) throw new HeedOptionsError(kind, `to be an object, got ${shown(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const rule = checks.get(name);
    if (rule === undefined) {
      throw new HeedOptionsError(
        kind,
        `to have known options (${[...checks.keys()].join(', ')}), got \`${name}\``,
      );
    }
    if (value !== undefined && !rule.fits(value)) {
      throw new HeedOptionsError(kind, `\`${name}\` to be ${rule.expected}, got ${shown(value, name)}`);
    }
  }
}

export type OptionsKind = 'policy' | 'request' | 'conclusion';

/** Options that were refused; nothing was set up and nothing was sent. */
export class HeedOptionsError extends TypeError {
  override readonly name = 'HeedOptionsError' as const;
  readonly code = 'ERR_HEED_OPTIONS' as const;

  constructor(subject: keyof typeof SUBJECTS, expected: string) {
    super(`axios-heed: expected ${SUBJECTS[subject]} ${expected}`);
  }
}

const SUBJECTS = {
  policy: 'the policy',
  request: 'the request option `heed`',
  instance: 'the instance',
  platform: 'the platform',
  hold: 'a hold',
  conclusion: 'a conclusion',
} as const;

/** The names that are accepted, in the order of the types. */
export function optionNames(kind: OptionsKind): readonly string[] {
  return [...CHECKS[kind].keys()];
}

interface Rule {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const span: Rule = {
  expected: 'milliseconds (finite, >= 0) or a date-fns Duration',
  fits: (value) => spanMs(value) !== undefined,
};
const spanOrNone: Rule = {
  expected: `${span.expected}, or 'none'`,
  fits: (value) => value === 'none' || span.fits(value),
};
const count: Rule = { expected: 'a whole number of 1 or more', fits: (value) => isCount(value, 1) };
const countOrNil: Rule = { expected: 'a whole number of 0 or more', fits: (value) => isCount(value, 0) };
const share: Rule = { expected: 'a number from 0 to 1', fits: (value) => isWithin(value, 1) };
const call: Rule = { expected: 'a function', fits: (value) => typeof value === 'function' };
const yesOrNo: Rule = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const text: Rule = { expected: 'a string', fits: (value) => typeof value === 'string' };
const statuses: Rule = {
  expected: 'a list of status codes or a function',
  fits: (value) =>
    typeof value === 'function' || (Array.isArray(value) && value.every((status) => isCount(status, 100))),
};
const instant: Rule = {
  expected: 'a valid Date or milliseconds since 1970',
  fits: (value) => Number.isFinite(value instanceof Date ? value.getTime() : value),
};
const rules: Rule = {
  expected: 'a list of scope rules (functions), at least one',
  fits: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((rule) => typeof rule === 'function'),
};
const readers: Rule = {
  expected: 'a list of hint readers (functions)',
  fits: (value) => Array.isArray(value) && value.every((reader) => typeof reader === 'function'),
};
const backoff: Rule = {
  expected: '{ first, factor (>= 1), max } or a function of the failures so far',
  fits: (value) =>
    typeof value === 'function' || hasOnly(value, { first: span, factor: factorRule(), max: span }),
};
const checks: Rule = {
  expected: 'a list of { name, check }, a string and a function',
  fits: (value) => Array.isArray(value) && value.every((one) => hasExactly(one, { name: text, check: call })),
};
const auto: Rule = {
  expected: "'auto', a function",
  fits: (value) => value === 'auto' || call.fits(value),
};
const fieldName: Rule = {
  expected: 'a header name',
  fits: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value), // RFC 9110 5.6.2: token
};
// One key for all operations would make them one: a policy has no use for a text.
const ownKey: Rule = {
  expected: `a key, ${auto.expected}`,
  fits: (value) => isKey(value) || call.fits(value),
};
const amount: Rule = { expected: 'a number of 0 or more', fits: (one) => isWithin(one, Number.MAX_VALUE) };
const allowance: Rule = {
  expected: "{ start, perExchange, perSecond, max } (numbers of 0 or more), or 'none'",
  fits: (value) =>
    value === 'none' ||
    hasOnly(value, { start: amount, perExchange: amount, perSecond: amount, max: amount }),
};
const mode: Rule = { expected: "'act' or 'observe'", fits: (one) => one === 'act' || one === 'observe' };

function methods(...names: readonly string[]): Rule {
  return {
    expected: `an object with ${names.join(', ')}`,
    fits: (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  };
}

function keyRule(key: Rule): Rule {
  return {
    expected: `${key.expected}, or { key, header, quoted }`,
    fits: (value) => key.fits(value) || hasOnly(value, { key, header: fieldName, quoted: yesOrNo }),
  };
}

/** Whether a header can carry it: visible ASCII, spaces only within. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value);
}

function factorRule(): Rule {
  return { expected: 'a number of 1 or more', fits: (value) => amount.fits(value) && (value as number) >= 1 };
}

// `satisfies` keeps this list and the types equal; the order is theirs.
const POLICY_RULES = {
  budget: span,
  reserve: span,
  maxHint: spanOrNone,
  exchanges: count,
  backoff,
  jitter: share,
  scopes: rules,
  hints: readers,
  transient: statuses,
  notApplied: statuses,
  classify: call,
  beforeExchange: call,
  readiness: checks,
  reconcile: call,
  idempotencyKey: keyRule(auto),
  concurrency: count,
  turn: call,
  maxQueued: countOrNil,
  maxGates: count,
  allowance,
  onEntry: call,
  mode,
  gates: methods('ticket', 'snapshot'),
  store: methods('nameOf', 'tell', 'subscribe'),
  waitForOnline: yesOrNo,
  maskPath: call,
  clock: methods('wallEpochMs', 'monoMs', 'setTimer', 'roll'),
} satisfies Record<keyof HeedPolicy, Rule>;

const REQUEST_RULES = {
  budget: span,
  deadline: instant,
  reserve: span,
  maxHint: spanOrNone,
  exchanges: count,
  idempotent: yesOrNo,
  idempotencyKey: keyRule(ownKey),
  body: call,
  route: text,
  turn: text,
  onProgress: call,
} satisfies Record<keyof HeedConfig, Rule>;

const CHECKS: Readonly<Record<OptionsKind, ReadonlyMap<string, Rule>>> = {
  policy: new Map(Object.entries(POLICY_RULES)),
  request: new Map(Object.entries(REQUEST_RULES)),
  conclusion: new Map(Object.entries({ conclusion: text, detail: text })),
};

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= most;
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(value: unknown, known: Readonly<Record<string, Rule>>): boolean {
  const byName = new Map(Object.entries(known));
  return (
    isPlainObject(value) &&
    Object.entries(value).every(([name, part]) => part === undefined || byName.get(name)?.fits(part) === true)
  );
}

function hasExactly(value: unknown, known: Readonly<Record<string, Rule>>): boolean {
  return (
    hasOnly(value, known) &&
    Object.entries(known).every(([name, { fits }]) => fits((value as Record<string, unknown>)[name]))
  );
}

// Never the content of an object, and never a key: options may hold what must not be printed.
function shown(value: unknown, name?: string): string {
  if (typeof value === 'string') return name === 'idempotencyKey' ? 'a text' : `'${value.slice(0, 64)}'`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}
