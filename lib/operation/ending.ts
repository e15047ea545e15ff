import type { Knowledge, Outcome } from '../model.js';
import { hintMsOf } from '../policy/decide.js';
import type { Decision } from '../policy/decide.js';
import { isRepeatable } from '../policy/permission.js';
import type { StopReason } from '../reasons.js';
import type { Refusal } from './admission.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/** How an operation ended, with what a caller or a layer above needs to go on from here. */
export interface Ending<R extends Received> {
  readonly outcome: Outcome;
  /** Why it was stopped or refused; absent when it succeeded. */
  readonly because?: StopReason;
  /** The last exchange that was sent. */
  readonly last: R | undefined;
  readonly exchanges: number;
  /** The worst over all exchanges. */
  readonly knowledge: Knowledge;
  readonly tookMs: number;
  /** When the server, or the gate, lets requests of this scope go again, and how long that was from now. */
  readonly releaseAtEpochMs?: number;
  readonly waitMs?: number;
  /** Whether calling once more, later, makes sense; false once this layer has spent its tries. */
  readonly retryable: boolean;
}

/** What ends an operation: the table, a gate, or the caller. */
export type End = Exclude<Decision, { readonly kind: 'again' }> | Refusal;

/** Closes the journal of an operation and says how it ended. */
export function conclude<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  end: End,
): Ending<R> {
  const { exchanges, knowledge, last, startMonoMs } = progress;
  const because = end.kind === 'stop' ? end.because : undefined;
  const outcome = outcomeOf(because, exchanges);
  const tookMs = ports.clock.monoMs() - startMonoMs;
  const why = because === undefined ? {} : { because };
  ports.journal.write({ event: 'operation-closed', outcome, ...why, exchanges, knowledge, tookMs });
  return {
    outcome,
    ...why,
    last,
    exchanges,
    knowledge,
    tookMs,
    ...releaseOf(ports, progress, end),
    retryable: because !== undefined && TOO_EARLY.has(because) && mayBeCalledAgain(ports, knowledge),
  };
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
  if ('releaseAtMonoMs' in end && end.releaseAtMonoMs !== undefined) {
    // Whole ms, rounded up: as a Date a fraction would be cut off, and the gate still closed then.
    const waitMs = Math.max(0, Math.ceil(end.releaseAtMonoMs - clock.monoMs()));
    return { releaseAtEpochMs: Math.ceil(clock.wallEpochMs()) + waitMs, waitMs };
  }
  const hintMs = last === undefined || end.kind === 'settle' ? undefined : hintMsOf(last.observation.hint);
  if (last === undefined || hintMs === undefined) return {};
  return { releaseAtEpochMs: last.observation.receivedEpochMs + hintMs, waitMs: hintMs };
}

// Only the time was wrong; whether repeating is harmless is the same question as within the operation.
function mayBeCalledAgain<R extends Received, D>(ports: OperationPorts<R, D>, knowledge: Knowledge): boolean {
  return knowledge === 'not-sent' || knowledge === 'not-applied' || isRepeatable(ports.request());
}

const TOO_EARLY: ReadonlySet<StopReason> = new Set([
  'hint-too-long',
  'deadline-too-near',
  'queue-full',
] satisfies StopReason[]);
