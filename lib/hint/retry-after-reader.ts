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
  return { kind: 'hint', hint: { ...origin, ...measured(longest, delays.length, clock) } };
}

// Whoever can see a Date is shown more than CORS shows by itself.
function silence({ headersMayBeHidden, header }: HintFacts): HintReading {
  const hidden = headersMayBeHidden === true && header('date') === undefined;
  return { kind: 'silent', because: hidden ? 'not-visible' : 'missing' };
}

type Delay = Exclude<RetryAfterReading, { kind: 'unusable' }>;

function measured(
  delay: Delay,
  members: number,
  { source, skewMs, ageSeconds }: ServerClock,
): Omit<Hint, 'source' | 'raw'> {
  const { kind: form, delayMs } = delay;
  const date = delay.kind === 'http-date' ? delay : undefined;
  return known({
    form,
    delayMs,
    atEpochMs: date?.atEpochMs,
    clock: date === undefined ? 'none' : source,
    elapsed: date?.delayMs === 0 || undefined,
    dayName: date?.dayName,
    skewMs,
    ageSeconds,
    members: members > 1 ? members : undefined,
  });
}
