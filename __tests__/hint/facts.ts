import type { HintFacts } from '../../lib/hint/hint.js';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A response as readers see it; header names in any case. */
export function factsOf(status: number, headers: Headers, more: Partial<HintFacts> = {}): HintFacts {
  const fields = new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value] as const],
    ),
  );
  return {
    status,
    header: (name) => fields.get(name),
    headerNames: () => [...fields.keys()],
    receivedEpochMs: Date.UTC(2026, 0, 1),
    ...more,
  };
}
