import { boundedText } from './bounded-text.js';
import { lineOf, membersOf } from './field-members.js';
import type { Hint, HintFacts, HintReading } from './hint.js';
import { known } from './known.js';
import type { RetryAfterReading } from './retry-after.js';
import { parseRetryAfter } from './retry-after.js';
import { readServerClock } from './server-clock.js';
import type { ServerClock } from './server-clock.js';

/**
 * Reads Retry-After. Of several members, in several lines or in one, the longest counts, and only if all
 * are valid. A date is measured against the server's own clock where the response shows it.
 * @see RFC 9110 10.2.3
 */
export function retryAfterReader(facts: HintFacts): HintReading {
  const field = facts.header('retry-after');
  if (field === undefined) return silence(facts);
  const clock = readServerClock(facts.header('date'), facts.header('age'), facts.receivedEpochMs);
  const origin = { source: 'retry-after', raw: boundedText(lineOf(field)) };
  const delays: Delay[] = [];
  let overflow = false;
  for (const member of membersOf(field)) {
    const reading = parseRetryAfter(member, clock.nowEpochMs);
    if (reading.kind !== 'unusable') delays.push(reading);
    else if (reading.because === 'overflow') overflow = true;
    else return { kind: 'malformed', because: reading.because === 'empty' ? 'empty' : 'invalid', ...origin };
  }
  if (overflow) return { kind: 'overflow', ...origin };
  const [longest] = delays.sort((a, b) => b.delayMs - a.delayMs);
  if (longest === undefined) return silence(facts);
  return { kind: 'hint', hint: hintOf({ ...origin, ...longest }, delays.length, clock) };
}

function silence(facts: HintFacts): HintReading {
  return { kind: 'silent', because: isHidden(facts) ? 'not-visible' : 'missing' };
}

/** Whether a browser may keep fields back. Whoever can see a Date is shown more than CORS shows by itself. */
export function isHidden({ headersMayBeHidden, header }: HintFacts): boolean {
  return headersMayBeHidden === true && header('date') === undefined;
}

type Delay = Exclude<RetryAfterReading, { kind: 'unusable' }>;

function hintOf(
  { kind: form, ...delay }: Delay & Pick<Hint, 'source' | 'raw'>,
  members: number,
  { source: clock, skewMs, ageSeconds }: ServerClock,
): Hint {
  const isDate = form === 'http-date';
  return known({
    ...delay,
    form,
    clock: isDate ? clock : 'none',
    elapsed: (isDate && delay.delayMs === 0) || undefined,
    skewMs,
    ageSeconds,
    members: members > 1 ? members : undefined,
  });
}
