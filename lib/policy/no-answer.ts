/** The error for what a function of the caller gave and is no answer. Objects are not printed. */
export function noAnswer(hook: string, expected: string, given: unknown): TypeError {
  hush(given);
  return new TypeError(`Expected \`${hook}\` to return ${expected}, got ${shown(given)}`);
}

/** Hears a promise that nobody waits for: its rejection would end a Node process. */
export function hush(given: unknown): void {
  Promise.resolve(given).catch(ignore);
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
