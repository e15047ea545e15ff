/** A length of time for people: "250 ms", "2.5 s", "3 min 20 s", "2 h 5 min". */
export function spanText(ms: number): string {
  if (ms < 1000) return `${plainNumber(ms)} ms`;
  if (ms < 60_000) return `${plainNumber(ms / 1000)} s`;
  // Whole units first, or the last fraction of an hour would be "60 min".
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return inTwo(seconds, ['min', 's']);
  return inTwo(Math.round(seconds / 60), ['h', 'min']);
}

function inTwo(smaller: number, [large, small]: readonly [string, string]): string {
  const rest = smaller % 60;
  return `${Math.floor(smaller / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** At most two places after the point, none that say nothing. */
export function plainNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A wall instant in the one form that means the same everywhere. */
export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** "one", "one and two", "one, two and three". */
export function listText(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** "1 exchange", "2 exchanges". */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
