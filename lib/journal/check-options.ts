/**
 * Checks the options of a sink; `undefined` is absent, unknown names are refused.
 * @throws TypeError (`code` ERR_HEED_OPTIONS) that names the option, what was expected and what came
 */
export function checkOptions(subject: string, options: unknown, rules: Readonly<Record<string, Rule>>): void {
  const fields = fieldsOf(options);
  if (fields === undefined) {
    throw optionsError(`the options of ${subject} to be an object, got ${shown(options)}`);
  }
  for (const [name, value] of fields) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw optionsError(`${subject} to have known options (${known}), got \`${name.slice(0, MOST_SHOWN)}\``);
    }
    if (value !== undefined) checkValue(`\`${name}\` of ${subject}`, value, rule);
  }
}

export interface Rule {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

/** @throws TypeError as above */
export function checkValue(what: string, value: unknown, { expected, fits }: Rule): void {
  if (!isSo(() => fits(value))) throw optionsError(`${what} to be ${expected}, got ${shown(value)}`);
}

export const count: Rule = {
  expected: 'a whole number of 1 or more',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};
export const call: Rule = { expected: 'a function', fits: (value) => typeof value === 'function' };

/** An object that has these methods. */
export function methods(...names: readonly string[]): Rule {
  return {
    expected: `an object with the methods ${names.join(', ')}`,
    fits: (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  };
}

// The name and code of the core's own: whoever looks for one finds the other.
function optionsError(expected: string): TypeError {
  const error = new TypeError(`axios-heed: expected ${expected}`);
  return Object.assign(error, { name: 'HeedOptionsError', code: 'ERR_HEED_OPTIONS' });
}

// Never the content of an object.
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, MOST_SHOWN)}'`;
  if (typeof value === 'object' && value !== null) {
    return isSo(() => Array.isArray(value)) ? 'an array' : 'an object';
  }
  if (typeof value === 'function') return 'a function';
  return String(value).slice(0, MOST_SHOWN);
}

const MOST_SHOWN = 64;

function fieldsOf(options: unknown): readonly (readonly [string, unknown])[] | undefined {
  const isObject = isSo(() => typeof options === 'object' && options !== null && !Array.isArray(options));
  return isObject ? Object.entries(options as object) : undefined;
}

// A proxy may throw at whatever it is asked.
function isSo(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
