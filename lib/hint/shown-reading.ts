import { boundedText } from './bounded-text.js';

/**
 * A reading as it may stand in a journal: the members that a reading has, and no others; texts bounded. Readers
 * may be the application's own, and what one hangs on its reading besides would be kept, written and sent.
 */
export function shownReading<R extends object>(reading: R): R {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(reading)) {
    const member = shownMember(name, value);
    if (member !== undefined) shown[name] = member;
  }
  return shown as R;
}

function shownMember(name: string, value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return TEXTS.test(name) ? boundedText(value) : undefined;
    case 'number':
      return NUMBERS.test(name) ? value : undefined;
    case 'boolean':
      return name === 'elapsed' && value ? true : undefined;
    case 'object':
      return value !== null && NESTED.test(name) ? shownReading(value) : undefined;
    default:
      return undefined;
  }
}

const TEXTS = /^(kind|because|source|raw|overrules|form|clock|dayName|policy|verdict|by|value|reach)$/;
const NUMBERS = /^(delayMs|atEpochMs|skewMs|ageSeconds|members|remaining|limit|resetMs|windowMs)$/;
const NESTED = /^(hint|scope)$/;
