import { lineOf, membersOf } from '../hint/field-members.js';
import { boundedText } from '../hint/bounded-text.js';
import type { HintFacts, HintReader, Reading } from '../hint/hint.js';
import { parseRetryAfter } from '../hint/retry-after.js';
import { withoutOws } from '../hint/white-space.js';
import { seconds } from './units.js';

/**
 * Reads Retry-After values such as `2.0` and `0.493`, which the grammar does not have and some servers send,
 * rounded up to whole ms. Of several the longest counts, and only if all are numbers.
 */
export function fractionalSeconds(): HintReader {
  return readFractionalSeconds;
}

function readFractionalSeconds({ header }: HintFacts): readonly Reading[] {
  const field = header('retry-after');
  const members = [...membersOf(field)].map(withoutOws);
  // What the grammar has is read already.
  if (members.every((member) => parseRetryAfter(member, 0).kind !== 'unusable')) return [];
  const delays = members.map((member) => seconds.read(member, () => 0));
  let delayMs = 0;
  for (const delay of delays) {
    if (delay === undefined || !('delayMs' in delay)) return [];
    delayMs = Math.max(delayMs, delay.delayMs);
  }
  const origin = { source: 'retry-after', raw: boundedText(lineOf(field)) };
  if (delayMs > Number.MAX_SAFE_INTEGER) return [{ kind: 'overflow', ...origin }];
  return [{ kind: 'hint', hint: { ...origin, form: 'seconds', delayMs, clock: 'none' } }];
}
