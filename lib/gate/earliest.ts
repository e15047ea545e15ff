/** Of those instants that there are. */
export function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter(isKnown);
  return known.length === 0 ? undefined : Math.min(...known);
}

export function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined;
}
