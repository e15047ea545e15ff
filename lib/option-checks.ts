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
  const names = Object.keys(rules);
  for (const [name, value] of Object.entries(options)) {
    // Own names only: `toString` is no option. (Object.hasOwn is newer than the web views that we run in.)
    const rule = names.includes(name) ? rules[name] : undefined;
    if (rule === undefined) return `to have known options (${names.join(', ')}), got \`${name}\``;
    const [expected, fits] = rule;
    if (value !== undefined && !fits(value))
      return `\`${name}\` to be ${expected}, got ${shown(value, name)}`;
  }
  return undefined;
}

export type OptionsKind = 'policy' | 'gates' | 'request' | 'conclusion';

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
  gates: 'the options of createGates()',
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
const amount = numberFrom(0);
const call: Rule = ['a function', isFunction];
const text: Rule = ['a string', isText];
const yesOrNo: Rule = ['true or false', (value) => typeof value === 'boolean'];
const statuses = either(listOf('status codes', whole(100)), call);
const auto = either(word('auto'), call, ', ');
// RFC 9110 5.6.2: token
const fieldName: Rule = ['a header name', (value) => isText(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(value)];
const check = madeOf({ name: text, check: call });

// `satisfies` keeps these lists and the types equal; the order is theirs.
const POLICY_RULES = {
  budget: span,
  reserve: span,
  maxHint: orNone(span),
  exchanges: count,
  backoff: either(madeOf({ first: span, factor: numberFrom(1), max: span }, ' (factor >= 1)'), [
    'a function of the failures so far',
    isFunction,
  ]),
  jitter: ['a number from 0 to 1', (value) => amount[1](value) && (value as number) <= 1],
  scopes: listOf('scope rules (functions), at least one', call, 1),
  hints: listOf('hint readers (functions)', call),
  transient: statuses,
  notApplied: statuses,
  classify: call,
  beforeExchange: call,
  readiness: listOf(`${check[0]}, a string and a function`, [
    '',
    (one) => check[1](one) && hasAll(['name', 'check'])(one),
  ]),
  reconcile: call,
  idempotencyKey: keyRule(auto),
  concurrency: count,
  turn: call,
  maxQueued: whole(0),
  maxGates: count,
  allowance: orNone(
    madeOf({ start: amount, perExchange: amount, perSecond: amount, max: amount }, ' (numbers of 0 or more)'),
  ),
  onEntry: call,
  mode: either(word('act'), word('observe')),
  gates: methods('ticket', 'snapshot'),
  store: ['a store of redisStore(), broadcastStore() or sharedStore()', methods('linkTo')[1]],
  waitForOnline: yesOrNo,
  maskPath: call,
  clock: methods('wallEpochMs', 'monoMs', 'setTimer', 'roll'),
} satisfies Record<keyof HeedPolicy, Rule>;

const GATES_RULES = (({ clock, concurrency, jitter, backoff, maxHint, maxQueued, maxGates, store }) => ({
  ...{ clock, concurrency, jitter, backoff },
  ...{ maxHint, maxQueued, maxGates, store },
}))(POLICY_RULES);

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
  // One key for all operations would make them one: a policy has no use for a text.
  idempotencyKey: keyRule(either(['a key', isKey], auto, ', ')),
  body: call,
  route: text,
  turn: text,
  onProgress: call,
} satisfies Record<keyof HeedConfig, Rule>;

const RULES: Readonly<Record<OptionsKind, Rules>> = {
  policy: POLICY_RULES,
  gates: GATES_RULES,
  request: REQUEST_RULES,
  conclusion: { conclusion: text, detail: text },
};

function numberFrom(least: number): Rule {
  return [
    `a number of ${least} or more`,
    (value) => typeof value === 'number' && value >= least && value <= Number.MAX_VALUE,
  ];
}

function whole(least: number): Rule {
  return [
    `a whole number of ${least} or more`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
  ];
}

function word(one: string): Rule {
  return [`'${one}'`, (value) => value === one];
}

function either([one, fitsOne]: Rule, [other, fitsOther]: Rule, or: string = ' or '): Rule {
  return [one + or + other, (value) => fitsOne(value) || fitsOther(value)];
}

function orNone(rule: Rule): Rule {
  return either(rule, word('none'), ', or ');
}

function listOf(things: string, [, fits]: Rule, least: number = 0): Rule {
  return [
    `a list of ${things}`,
    (value) => Array.isArray(value) && value.length >= least && value.every(fits),
  ];
}

/** These members and no others, as far as they are there. */
function madeOf(rules: Rules, note: string = ''): Rule {
  return [`{ ${Object.keys(rules).join(', ')} }${note}`, (value) => faultOf(value, rules) === undefined];
}

function methods(...names: readonly string[]): Rule {
  return [`an object with ${names.join(', ')}`, hasAll(names, isFunction)];
}

function hasAll(names: readonly string[], fits: Fits = (member) => member !== undefined): Fits {
  return (value) => isObject(value) && names.every((name) => fits(value[name]));
}

function keyRule(key: Rule): Rule {
  return either(key, madeOf({ key, header: fieldName, quoted: yesOrNo }), ', or ');
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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

// Never the content of an object, and never a key: options may hold what must not be printed.
function shown(value: unknown, name?: string): string {
  if (isText(value)) return name === 'idempotencyKey' ? 'a text' : `'${value.slice(0, 64)}'`;
  if (isObject(value))
    return Array.isArray(value) ? 'an array' : `an object { ${Object.keys(value).join(', ').slice(0, 64)} }`;
  if (isFunction(value)) return 'a function';
  return String(value);
}
