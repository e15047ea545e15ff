import { spanMs } from './options.js';
import type { HeedConfig, HeedPolicy } from './options.js';

/**
 * Checks options once, where they come in; `undefined` is absent, unknown names are refused.
 * @throws HeedOptionsError that names the option, what was expected and what came
 */
export function checkOptions(options: unknown, kind: OptionsKind): void {
  const fault = faultOf(options, RULES[kind]);
  if (fault !== undefined) throw new HeedOptionsError(kind, fault);
}

/** Of the first member that does not fit: what was expected and what came. */
function faultOf(options: unknown, rules: Rules): string | undefined {
  if (!isObject(options) || Array.isArray(options)) return `to be an object, got ${shown(options)}`;
  for (const [name, value] of Object.entries(options)) {
    // Own names only: `toString` is no option. (Object.hasOwn is newer than the web views that we run in.)
    const [expected, fits] = (Object.keys(rules).includes(name) && rules[name]) || UNKNOWN;
    if (fits === undefined)
      return `to have known options (${Object.keys(rules).join(', ')}), got \`${name}\``;
    if (value !== undefined && !fits(value))
      return `\`${name}\` to be ${expected}, got ${shown(value, name)}`;
  }
  return undefined;
}

const UNKNOWN = [] as const;

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
  return Object.keys(RULES[kind]);
}

type Fits = (value: unknown) => boolean;
type Rule = readonly [expected: string, fits: Fits];
type Rules = Readonly<Record<string, Rule>>;

const span: Rule = [
  'milliseconds (finite, >= 0) or a date-fns Duration',
  (value) => spanMs(value) !== undefined,
];
const count = whole(1);
const amount: Rule = ['a number of 0 or more', isWithin(0, Number.MAX_VALUE)];
const call: Rule = ['a function', isFunction];
const text: Rule = ['a string', isText];
const yesOrNo: Rule = ['true or false', (value) => typeof value === 'boolean'];
const statuses: Rule = ['a list of status codes or a function', either(isFunction, listOf(isWhole(100)))];
const auto: Rule = ["'auto', a function", either(isOneOf('auto'), isFunction)];
// One key for all operations would make them one: a policy has no use for a text.
const ownKey: Rule = [`a key, ${auto[0]}`, either(isKey, isFunction)];
// RFC 9110 5.6.2: token
const fieldName: Rule = ['a header name', (value) => isText(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value)];

// `satisfies` keeps these lists and the types equal; the order is theirs.
const POLICY_RULES = {
  budget: span,
  reserve: span,
  maxHint: orNone(span),
  exchanges: count,
  backoff: [
    '{ first, factor (>= 1), max } or a function of the failures so far',
    either(isFunction, madeOf({ first: span, factor: ['', isWithin(1, Number.MAX_VALUE)], max: span })),
  ],
  jitter: ['a number from 0 to 1', isWithin(0, 1)],
  scopes: [
    'a list of scope rules (functions), at least one',
    (value) => listOf(isFunction)(value) && (value as readonly unknown[]).length > 0,
  ],
  hints: ['a list of hint readers (functions)', listOf(isFunction)],
  transient: statuses,
  notApplied: statuses,
  classify: call,
  beforeExchange: call,
  readiness: [
    'a list of { name, check }, a string and a function',
    listOf((one) => madeOf({ name: text, check: call })(one) && hasAll(['name', 'check'])(one)),
  ],
  reconcile: call,
  idempotencyKey: keyRule(auto),
  concurrency: count,
  turn: call,
  maxQueued: whole(0),
  maxGates: count,
  allowance: orNone([
    '{ start, perExchange, perSecond, max } (numbers of 0 or more)',
    madeOf({ start: amount, perExchange: amount, perSecond: amount, max: amount }),
  ]),
  onEntry: call,
  mode: ["'act' or 'observe'", isOneOf('act', 'observe')],
  gates: methods('ticket', 'snapshot'),
  store: ['a store of redisStore(), broadcastStore() or sharedStore()', methods('linkTo')[1]],
  waitForOnline: yesOrNo,
  maskPath: call,
  clock: methods('wallEpochMs', 'monoMs', 'setTimer', 'roll'),
} satisfies Record<keyof HeedPolicy, Rule>;

const REQUEST_RULES = {
  budget: span,
  deadline: [
    'a valid Date or milliseconds since 1970',
    (value) => Number.isFinite(value instanceof Date ? value.getTime() : value),
  ],
  reserve: span,
  maxHint: orNone(span),
  exchanges: count,
  idempotent: yesOrNo,
  idempotencyKey: keyRule(ownKey),
  body: call,
  route: text,
  turn: text,
  onProgress: call,
} satisfies Record<keyof HeedConfig, Rule>;

const RULES: Readonly<Record<OptionsKind, Rules>> = {
  policy: POLICY_RULES,
  request: REQUEST_RULES,
  conclusion: { conclusion: text, detail: text },
};

function whole(least: number): Rule {
  return [`a whole number of ${least} or more`, isWhole(least)];
}

function orNone([expected, fits]: Rule): Rule {
  return [`${expected}, or 'none'`, either(isOneOf('none'), fits)];
}

function methods(...names: readonly string[]): Rule {
  return [`an object with ${names.join(', ')}`, hasAll(names, isFunction)];
}

function keyRule(key: Rule): Rule {
  return [
    `${key[0]}, or { key, header, quoted }`,
    either(key[1], madeOf({ key, header: fieldName, quoted: yesOrNo })),
  ];
}

/** Whether a header can carry it: visible ASCII, spaces only within. */
export function isKey(value: unknown): value is string {
  return isText(value) && /^[!-~]([ -~]*[!-~])?$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isWithin(least: number, most: number): Fits {
  return (value) => typeof value === 'number' && value >= least && value <= most;
}

function isWhole(least: number): Fits {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least;
}

function isOneOf(...words: readonly unknown[]): Fits {
  return (value) => words.includes(value);
}

function either(one: Fits, other: Fits): Fits {
  return (value) => one(value) || other(value);
}

function listOf(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every(fits);
}

/** These members and no others, as far as they are there. */
function madeOf(rules: Rules): Fits {
  return (value) => faultOf(value, rules) === undefined;
}

function hasAll(names: readonly string[], fits: Fits = (member) => member !== undefined): Fits {
  return (value) => isObject(value) && names.every((name) => fits(value[name]));
}

// Never the content of an object, and never a key: options may hold what must not be printed.
function shown(value: unknown, name?: string): string {
  if (isText(value)) return name === 'idempotencyKey' ? 'a text' : `'${value.slice(0, 64)}'`;
  if (isObject(value))
    return Array.isArray(value) ? 'an array' : `an object { ${Object.keys(value).join(', ').slice(0, 64)} }`;
  if (isFunction(value)) return 'a function';
  return String(value);
}
