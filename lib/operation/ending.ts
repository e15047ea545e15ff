import type { Knowledge, Observation, Outcome } from '../model.js';
import { hintMsOf } from '../policy/decide.js';
import type { Decision } from '../policy/decide.js';
import { knowledgeOf } from '../policy/knowledge.js';
import { isRepeatable, isSafe } from '../policy/permission.js';
import type { StopReason } from '../reasons.js';
import type { Ending, OperationPorts, Progress, Received, Refusal } from './ports.js';

/** What ends an operation: the table, a gate, or the caller. */
export type End = Extract<Decision, { readonly kind: 'settle' }> | Refusal;

/** Closes the journal of an operation and says how it ended. */
export function conclude<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  end: End,
): Ending<R> {
  const { exchanges, knowledge, last, startMonoMs } = progress;
  const because = end.kind === 'stop' ? end.because : undefined;
  const facts = {
    outcome: outcomeOf(because, exchanges),
    ...(because !== undefined && { because }),
    exchanges,
    knowledge,
    ...(isTraceOfEarlier(ports, progress) && { earlierOutcome: 'unknown' as const }),
    tookMs: ports.clock.monoMs() - startMonoMs,
  };
  progress.stopHearingCancel?.();
  ports.journal.write({ event: 'operation-closed', ...facts });
  return {
    ...facts,
    last,
    cause: progress.cause,
    ...releaseOf(ports, progress, end),
    retryable: isTooEarly(because) && mayBeCalledAgain(ports, knowledge),
  };
}

// A DELETE that finds nothing (404) or a PUT that finds itself (412) may have been done by an exchange whose
// end was not seen: then it is no evidence of a rival.
function isTraceOfEarlier<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { inDoubt, last }: Progress<R>,
): boolean {
  if (!inDoubt || last === undefined || isSafe(ports.request().method)) return false;
  const { observation } = last;
  return (observation.status ?? 0) >= 400 && knowledgeOf(observation, ports.terms.notApplied) === 'answered';
}

function outcomeOf(because: StopReason | undefined, exchanges: number): Outcome {
  if (because === undefined) return 'succeeded';
  if (because === 'cancelled') return 'cancelled';
  return exchanges === 0 ? 'refused' : 'stopped';
}

function releaseOf<R extends Received, D>(
  { clock }: OperationPorts<R, D>,
  { last }: Progress<R>,
  end: End,
): { releaseAtEpochMs?: number; waitMs?: number } {
  if (end.kind === 'settle') return {};
  const untilMonoMs = end.releaseAtMonoMs ?? (last && hintUntilMonoMs(last.observation));
  if (untilMonoMs === undefined) return {};
  // Whole ms, rounded up: as a Date a fraction would be cut off, and the gate still closed then.
  const waitMs = Math.max(0, Math.ceil(untilMonoMs - clock.monoMs()));
  return { releaseAtEpochMs: Math.ceil(clock.wallEpochMs()) + waitMs, waitMs };
}

function hintUntilMonoMs({ hint, receivedMonoMs }: Observation): number | undefined {
  const hintMs = hintMsOf(hint);
  return hintMs === undefined ? undefined : receivedMonoMs + hintMs;
}

// Only the time was wrong; whether repeating is harmless is the same question as within the operation.
function mayBeCalledAgain<R extends Received, D>(ports: OperationPorts<R, D>, knowledge: Knowledge): boolean {
  return knowledge === 'not-sent' || knowledge === 'not-applied' || isRepeatable(ports.request());
}

function isTooEarly(because: StopReason | undefined): boolean {
  return because === 'hint-too-long' || because === 'deadline-too-near' || because === 'queue-full';
}
