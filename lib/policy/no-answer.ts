/**
 * The error for what a function of the caller gave and is no answer. Objects are not printed, and a promise,
 * which nobody waits for, is not left unheard: its rejection would end a Node process.
 */
export function noAnswer(hook: string, expected: string, given: unknown): TypeError {
  if (given instanceof Promise) given.catch(ignore);
  return new TypeError(`Expected \`${hook}\` to return ${expected}, got ${shown(given)}`);
}

/** @throws TypeError for anything but true and false: what merely counts as true would repeat writes */
export function yesOrNo(hook: string, given: unknown): boolean {
  if (typeof given === 'boolean') return given;
  throw noAnswer(hook, 'true or false', given);
}

function shown(given: unknown): string {
  const kind = typeof given;
  if (given === null || kind === 'undefined' || kind === 'number' || kind === 'boolean')
    return `\`${String(given)}\``;
  return kind === 'object' ? 'an object' : `a ${kind}`;
}

function ignore(): void {
  return;
}
