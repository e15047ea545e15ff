/**
 * Refuses arguments with which a model would count nothing: a test that passes by a slip of the pen.
 * @throws TypeError that says what was expected and what came
 */
export function expectOptions(subject: string, options: unknown, rules: OptionRules): void {
  if (typeof options !== 'object' || options === null) throw refused(subject, 'an object', options);
  const given = options as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given)) {
    if (!(name in rules)) throw refused(subject, `options ${Object.keys(rules).join(', ')}`, `\`${name}\``);
  }
  for (const [name, rule] of Object.entries(rules)) {
    const value = given[name];
    if (value === undefined && rule.endsWith('?')) continue;
    const kind = rule.replace('?', '') as OptionKind;
    if (!KINDS[kind].fits(value)) throw refused(subject, `\`${name}\` to be ${KINDS[kind].words}`, value);
  }
}

export type OptionKind = 'above 0' | '0 or more' | 'a list' | 'an object' | 'anything';
export type OptionRules = Readonly<Record<string, OptionKind | `${OptionKind}?`>>;

const KINDS: Readonly<Record<OptionKind, { words: string; fits: (value: unknown) => boolean }>> = {
  'above 0': { words: 'a number above 0', fits: (value) => isNumber(value) && value > 0 },
  '0 or more': { words: 'a number of 0 or more', fits: (value) => isNumber(value) && value >= 0 },
  'a list': { words: 'a list', fits: Array.isArray },
  'an object': {
    words: 'an object or a function',
    fits: (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
  },
  anything: { words: 'anything', fits: () => true },
};

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function refused(subject: string, expected: string, got: unknown): TypeError {
  const shown = typeof got === 'object' && got !== null ? 'an object' : (got as string);
  return new TypeError(`${subject}: expected ${expected}, got ${shown}`);
}
