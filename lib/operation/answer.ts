import type { Answer } from '../gate/ticket.js';
import type { Observation, Verdict } from '../model.js';

/**
 * What an exchange tells its gates. Judged by the class of the answer, never by the fate of the operation:
 * a 404 proves that the server serves, a lost 200 does not.
 */
export function answerOf(observation: Observation, verdict: Verdict): Answer {
  const { receivedMonoMs } = observation;
  if (verdict === 'limit') return { kind: 'limited', receivedMonoMs, ...hintOf(observation) };
  switch (observation.end) {
    case 'answer':
      return { kind: isServing(observation.status) ? 'accepted' : 'failed', receivedMonoMs };
    case 'cut-answer':
    case 'network-failure':
    case 'timeout':
      return { kind: 'failed', receivedMonoMs };
    case 'local-failure':
    case 'cancelled':
    case 'deadline':
      return { kind: 'unjudged' };
  }
}

// Gates bound what one answer may hold: an overflow is simply the longest there is.
function hintOf({ hint }: Observation): { hintMs?: number } {
  if (hint.kind === 'overflow') return { hintMs: Number.MAX_SAFE_INTEGER };
  return hint.kind === 'hint' ? { hintMs: hint.hint.delayMs } : {};
}

function isServing(status: number | undefined): boolean {
  return status === undefined || (status < 500 && status !== 408);
}
