/** Why a file cannot be read, in words where the platform has only a code. */
export function failureText(error: unknown): string {
  const { code, message } = error as Partial<Readonly<Record<'code' | 'message', unknown>>>;
  const known = typeof code === 'string' ? REASONS.get(code) : undefined;
  return known ?? String(message ?? error);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'no permission'],
]);
