import { boundedText } from '../hint/bounded-text.js';
import type { VerdictReading } from '../hint/hint.js';
import type { Answer } from './answer.js';

type Verdict = (answer: Answer) => VerdictReading | undefined;

/** A field that is `false` where sending again is useless, and `true` where it is not; nothing else counts. */
export function shouldRetry(source: string): Verdict {
  return (answer) => {
    const raw = answer.field(source);
    if (raw !== 'true' && raw !== 'false') return undefined;
    return { kind: 'verdict', verdict: raw === 'true' ? 'transient' : 'final', source, raw };
  };
}

/** A status that is none of HTTP's, and by the vendor's word may heal. */
export function mayHeal(status: number): Verdict {
  return (answer) =>
    answer.status === status
      ? { kind: 'verdict', verdict: 'transient', source: 'status', raw: boundedText(String(status)) }
      : undefined;
}
