import type { Decision } from '../policy/decide.js';
import type { DecisionEvent } from '../operation/journal-entry.js';

/** A decision as the journal writes it. */
export type DecisionData = Omit<DecisionEvent, 'event' | 'exchange'>;

export function decisionDataOf({ kind, ...rest }: Decision): DecisionData {
  return { decision: kind, ...rest };
}

/** Without what else stands in its entry. */
export function recordedDecisionOf(entry: DecisionData): DecisionData {
  const { decision, row, because, delayMs, floor } = entry;
  return {
    ...{ decision, row },
    ...(because === undefined ? {} : { because }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(floor === undefined ? {} : { floor }),
  };
}

export function isSameDecision(one: DecisionData, other: DecisionData): boolean {
  return PARTS.every((part) => Object.is(one[part], other[part]));
}

const PARTS = ['decision', 'row', 'because', 'delayMs', 'floor'] as const satisfies (keyof DecisionData)[];
