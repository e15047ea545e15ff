/**
 * Without the white space at both ends: RFC 9110 5.6.3 has SP and HTAB, and none of the other characters that
 * trim() takes. Not a pattern, which would look at a long run of spaces once for each of them.
 */
export function withoutOws(text: string): string {
  let start = 0;
  let end = text.length;
  while (isOws(text[start])) start += 1;
  while (end > start && isOws(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isOws(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
