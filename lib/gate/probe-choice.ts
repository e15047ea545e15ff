/**
 * The probe among those who are next, oldest first: fit to be repeated before all else, since its answer
 * may be a limit; among these the one with most exchanges left, since each lost probe costs one.
 */
export function probeAmong<T extends ProbeTerms>(candidates: readonly T[]): T | undefined {
  const repeatable = candidates.filter((one) => one.repeatable);
  return repeatable.length === 0
    ? candidates[0]
    : repeatable.reduce((best, one) => (one.exchangesLeft > best.exchangesLeft ? one : best));
}

interface ProbeTerms {
  readonly repeatable: boolean;
  readonly exchangesLeft: number;
}
