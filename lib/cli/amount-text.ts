/** A span as people read it: `512 ms`, `2.05 s`. No unit above seconds, so that two can be compared. */
export function spanText(ms: number): string {
  return Math.abs(ms) < 1000 ? `${rounded(ms)} ms` : `${rounded(ms / 1000)} s`;
}

export function countText(count: number, thing: string, things: string = `${thing}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? thing : things}`;
}

/** Seconds since the start of a story, in a column of their own. */
export function offsetText(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`.padStart(11);
}

export function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function rounded(amount: number): string {
  return String(Math.round(amount * 1000) / 1000);
}
