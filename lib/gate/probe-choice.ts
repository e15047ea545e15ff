import type { EnterTerms } from './ticket.js';

/** How many of those who are next are looked at for a probe. */
export const PROBE_CANDIDATES = 8;

/**
 * The probe among those who are next, oldest first: fit to be repeated before all else, since its answer
 * may be a limit; among these the one with most exchanges left, since each lost probe costs one.
 */
export function probeAmong<T extends { readonly terms: ProbeTerms }>(
  candidates: readonly T[],
): T | undefined {
  const repeatable = candidates.filter(({ terms }) => terms.repeatable);
  return repeatable.length === 0
    ? candidates[0]
    : repeatable.reduce((best, one) => (one.terms.exchangesLeft > best.terms.exchangesLeft ? one : best));
}

type ProbeTerms = Pick<EnterTerms, 'repeatable' | 'exchangesLeft'>;
