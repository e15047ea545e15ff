/**
 * Text from outside as it may stand in a journal or a message: printable ASCII, everything else
 * escaped, and no more than 128 characters, of which the last three are dots if something was left out.
 */
export function boundedText(text: string): string {
  const shown = text.slice(0, 129).replace(/[^ -~]/g, escaped);
  return shown.length > 128 ? `${shown.slice(0, 125)}...` : shown;
}

function escaped(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16)}}`;
}
