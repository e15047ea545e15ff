import type { Verdict } from '../model.js';
import type { HintNote } from '../operation/journal-entry.js';
import { instantText, plainNumber, spanText } from './span-text.js';

/** What a server said about coming back, as a further sentence with a space before it; '' where that is nothing. */
export function hintSentence(hint: HintNote, verdict: Verdict): string {
  switch (hint.kind) {
    case 'hint':
      return ` The server says ${hint.source} "${hint.raw}": ${waitOf(hint)}.`;
    case 'malformed':
      return ` Its ${hint.source} cannot be read (${hint.because}): "${hint.raw}".`;
    case 'overflow':
      return ` Its ${hint.source} is too far away to count: "${hint.raw}".`;
    case 'silent':
      return silence(hint, verdict);
  }
}

type Heard = HintNote & { readonly kind: 'hint' };

function waitOf({ delayMs, atEpochMs, elapsed, clock, skewMs }: Heard): string {
  const wait = elapsed === true ? 'an instant that had passed' : `come back in ${spanText(delayMs)}`;
  if (atEpochMs === undefined) return wait;
  const skew = skewMs === undefined ? '' : `, ${plainNumber(skewMs / 1000)} s from ours`;
  const by = clock === 'server-date' ? `by the server's own clock${skew}` : 'by our own clock';
  return `${wait}, at ${instantText(atEpochMs)} ${by}`;
}

function silence(hint: HintNote & { readonly kind: 'silent' }, verdict: Verdict): string {
  switch (hint.because) {
    case 'reader-failed':
      return ` The reader ${hint.source} failed.`;
    case 'not-visible':
      // Of what is final nobody expects one: it would only be noise.
      return verdict === 'final' ? '' : ' A hint may have been kept from scripts (CORS).';
    case 'missing':
      return verdict === 'limit' ? ' The server names no time to come back.' : '';
  }
}
