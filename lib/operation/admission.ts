import type { EnterTerms, Entered, Granted, Pass, Waiting } from '../gate/ticket.js';
import { isRepeatable } from '../policy/permission.js';
import type { RefusalReason } from '../reasons.js';
import { remainingMs } from '../time/deadline.js';
import { UNJUDGED } from './answer.js';
import { isHeldOffline, untilOnline } from './connection.js';
import { noteRefusal, noteWait } from './notes.js';
import type { OperationPorts, Progress, Received, Refusal } from './ports.js';

/** Fresh facts sent the operation back to the gates. */
export interface Admission {
  readonly kind: 'again';
}

/** Refused before any gate was asked. */
type Unwanted = Refusal & { readonly because: RefusalReason };

/** Asks all gates of the operation. The one place to wait: what comes back may be a promise. */
export function enter<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Entered | Unwanted | Promise<Entered | Unwanted> {
  const unwanted = unwantedBy(ports);
  if (unwanted !== undefined) return unwanted;
  if (isHeldOffline(ports, progress)) return enterOnline(ports, progress);
  const asked = progress.ticket.enter(termsOf(ports, progress));
  try {
    // The last answer stays whole for the caller until it is certain that there may be another.
    if (asked.kind !== 'refused') progress.last?.discard();
    return asked.kind === 'waiting' ? startWaiting(ports, progress, asked) : asked;
  } catch (error) {
    // Whatever throws here, neither a pass nor a place in a queue is lost.
    if (asked.kind === 'pass') asked.pass.report(UNJUDGED);
    progress.ticket.leave();
    throw error;
  }
}

async function enterOnline<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Promise<Entered | Unwanted> {
  return (await untilOnline(ports, progress)) ?? tooLate(ports) ?? enter(ports, progress);
}

/** On what terms it wants to be let go now. */
export function termsOf<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): EnterTerms {
  const { terms, deadline } = ports;
  return {
    notBeforeMonoMs: progress.notBeforeMonoMs,
    deadline,
    // Time kept back for the next exchange: the caller's, or what the narrowest gate has seen.
    reserveMs: deadline === undefined ? 0 : (terms.reserveMs ?? progress.ticket.smoothedMs ?? 0),
    maxHoldMs: terms.maxHintMs,
    exchangesLeft: terms.exchanges - progress.exchanges,
    repeatable: isRepeatable(ports.request()),
  };
}

function startWaiting<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  waiting: Waiting,
): Promise<Entered> {
  noteWait(ports, waiting, progress.notBeforeMonoMs);
  progress.waitingSinceMonoMs ??= ports.clock.monoMs();
  progress.stopListening = ports.onCancel(() => {
    progress.ticket.leave();
  });
  return waiting.entered;
}

/** After `enter`, however it ended: a wait is journalled as over, and the caller's signal is left alone. */
export function entered<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  outcome: Entered | Unwanted,
): Granted | Refusal {
  const { clock, journal } = ports;
  const { waitingSinceMonoMs } = progress;
  progress.waitedMs = 0;
  if (waitingSinceMonoMs !== undefined) {
    const waitedMs = clock.monoMs() - waitingSinceMonoMs;
    progress.waitedMs = waitedMs;
    progress.stopListening?.();
    progress.stopListening = undefined;
    progress.waitingSinceMonoMs = undefined;
    journal.write({
      event: 'wait-ended',
      waitedMs,
      how: 'because' in outcome ? outcome.because : outcome.kind,
    });
  }
  if (outcome.kind === 'left') return CANCELLED;
  if (outcome.kind !== 'refused') return outcome;
  noteRefusal(ports, outcome);
  return { ...outcome, kind: 'stop' };
}

/**
 * Fresh facts, pass in hand: `undefined` when nothing is in the way of sending. Otherwise the pass is given
 * back. Timers come late and hooks take time, but neither the caller's wish nor the deadline is overrun.
 */
export async function admit<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  pass: Pass,
): Promise<Refusal | Admission | undefined> {
  let admission: Refusal | Admission | undefined = AGAIN;
  try {
    admission = untimely(ports, progress) ?? (await readinessOf(ports, progress));
    // A gate may have been closed while a hook ran: its hold counts for this exchange, too.
    admission ??= untimely(ports, progress) ?? (pass.stands ? undefined : AGAIN);
    return admission;
  } finally {
    if (admission !== undefined) pass.report(UNJUDGED);
  }
}

async function readinessOf<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Promise<Refusal | Admission | undefined> {
  const asked = ports.ready(progress.exchanges + 1, progress.waitedMs);
  const readiness = asked && (await asked);
  if (readiness === undefined || readiness.kind === 'ready') return undefined;
  if (readiness.kind === 'stop') return readiness;
  if (readiness.kind === 'moved') progress.ticket = ports.ticket();
  else progress.notBeforeMonoMs = Math.max(progress.notBeforeMonoMs ?? 0, readiness.notBeforeMonoMs);
  return AGAIN;
}

const AGAIN: Admission = { kind: 'again' };
const CANCELLED: Unwanted = { kind: 'stop', because: 'cancelled' };

/** What time may have brought, while it waited or a hook ran. */
function untimely<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Refusal | Admission | undefined {
  return tooLate(ports) ?? (isHeldOffline(ports, progress) ? AGAIN : undefined);
}

function tooLate<R extends Received, D>(ports: OperationPorts<R, D>): Unwanted | undefined {
  const { deadline, clock } = ports;
  if (deadline === undefined || remainingMs(clock, deadline) > 0) return unwantedBy(ports);
  return { kind: 'stop', because: 'deadline-passed' };
}

function unwantedBy<R extends Received, D>({
  cancelled,
  detached,
}: OperationPorts<R, D>): Unwanted | undefined {
  if (cancelled) return CANCELLED;
  return detached ? { kind: 'stop', because: 'detached' } : undefined;
}
