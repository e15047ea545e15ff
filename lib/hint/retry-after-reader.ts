import { boundedText } from './bounded-text.js';
import type { FieldValue } from './field-members.js';
import { lineOf, membersOf } from './field-members.js';
import type { Hint, HintFacts, HintReading } from './hint.js';
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
  const said = longestOf(field, clock.nowEpochMs);
  const origin = { source: 'retry-after', raw: boundedText(lineOf(field)) };
  switch (said.kind) {
    case 'longest':
      return { kind: 'hint', hint: { ...origin, ...measured(said, clock) } };
    case 'malformed':
    case 'overflow':
      return { ...said, ...origin };
    case 'nothing':
      return silence(facts);
  }
}

// Whoever can see a Date is shown more than CORS shows by itself.
function silence({ headersMayBeHidden, header }: HintFacts): HintReading {
  const hidden = headersMayBeHidden === true && header('date') === undefined;
  return { kind: 'silent', because: hidden ? 'not-visible' : 'missing' };
}

type Delay = Exclude<RetryAfterReading, { kind: 'unusable' }>;

type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'longest'; readonly delay: Delay; readonly members: number }
  | { readonly kind: 'malformed'; readonly because: 'empty' | 'invalid' }
  | { readonly kind: 'overflow' };

function longestOf(field: FieldValue, nowEpochMs: number): Said {
  let longest: Delay | undefined;
  let members = 0;
  let overflow = false;
  for (const member of membersOf(field)) {
    members += 1;
    const reading = parseRetryAfter(member, nowEpochMs);
    if (reading.kind !== 'unusable') {
      if (longest === undefined || reading.delayMs > longest.delayMs) longest = reading;
    } else if (reading.because === 'overflow') overflow = true;
    else return { kind: 'malformed', because: reading.because === 'empty' ? 'empty' : 'invalid' };
  }
  if (overflow) return { kind: 'overflow' };
  return longest === undefined ? { kind: 'nothing' } : { kind: 'longest', delay: longest, members };
}

function measured(
  { delay, members }: Extract<Said, { kind: 'longest' }>,
  { source, skewMs, ageSeconds }: ServerClock,
): Omit<Hint, 'source' | 'raw'> {
  const { kind: form, delayMs } = delay;
  return {
    form,
    delayMs,
    ...(delay.kind === 'http-date'
      ? {
          atEpochMs: delay.atEpochMs,
          clock: source,
          ...(delayMs === 0 && { elapsed: true }),
          ...(delay.dayName && { dayName: delay.dayName }),
        }
      : { clock: 'none' }),
    ...(skewMs !== undefined && { skewMs }),
    ...(ageSeconds !== undefined && { ageSeconds }),
    ...(members > 1 && { members }),
  };
}
