/** A header field as transports present it: one text, one text per field line, or nothing. */
export type FieldValue = string | readonly string[] | undefined;

/**
 * The members of a field, one by one, whether they came as several lines or joined by commas (RFC 9110
 * 5.2). The comma of an HTTP-date separates nothing. White space around members is left to their parser.
 */
export function* membersOf(field: FieldValue): Generator<string, void> {
  const lines = typeof field === 'string' ? [field] : (field ?? []);
  for (const line of lines) yield* membersOfLine(line);
}

/** A field as one text: several lines are joined as RFC 9110 5.3 joins them. */
export function lineOf(field: FieldValue): string {
  return typeof field === 'string' ? field : (field ?? []).join(', ');
}

// RFC 9110 5.5 warns of splitting dates at their comma. That comma stands right after a day-name, hence
// after a small letter, and no other comma of a valid field does: digits and "GMT" end otherwise.
function* membersOfLine(line: string): Generator<string, void> {
  let start = 0;
  for (let comma = line.indexOf(','); comma !== -1; comma = line.indexOf(',', comma + 1)) {
    if (/[a-z]/.test(line.charAt(comma - 1))) continue;
    yield line.slice(start, comma);
    start = comma + 1;
  }
  yield line.slice(start);
}
