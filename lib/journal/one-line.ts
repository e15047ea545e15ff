/**
 * Text as one line of a terminal: controls, line ends and what turns the direction of writing are escaped, and
 * it ends in dots where it is too long. Entries of our own are safe by themselves; a file may be anybody's.
 */
export function oneLine(text: string): string {
  const shown = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 3)}...` : text;
  return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped).slice(0, MOST_CHARS);
}

const MOST_CHARS = 500;

function escaped(character: string): string {
  return `\\u{${String(character.codePointAt(0)?.toString(16))}}`;
}
