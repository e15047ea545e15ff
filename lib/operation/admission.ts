import type { Entered, Pass, Waiting } from '../gate/ticket.js';
import { isRepeatable } from '../policy/permission.js';
import type { RefusalReason, StopReason } from '../reasons.js';
import { remainingMs } from '../time/deadline.js';
import { noteHold } from './notes.js';
import type { OperationPorts, Progress, Readiness, Received } from './ports.js';

/** A pass with everything ready to send, or the end, when the wait cannot be worth it. */
export type Admission = { readonly kind: 'pass'; readonly pass: Pass } | Refusal;

export interface Refusal {
  readonly kind: 'stop';
  readonly because: StopReason;
  /** When the gate that refused lets go, where that is known. */
  readonly releaseAtMonoMs?: number | undefined;
}

/** The one place to wait: every gate of the operation, then fresh facts, pass in hand. */
export async function admit<R extends Received>(
  ports: OperationPorts<R>,
  progress: Progress<R>,
): Promise<Admission> {
  for (;;) {
    const startMonoMs = ports.clock.monoMs();
    const admission = await enter(ports, progress);
    if (admission.kind === 'stop') return admission;
    const readiness = await ready(ports, progress, {
      pass: admission.pass,
      waitedMs: ports.clock.monoMs() - startMonoMs,
    });
    if (readiness.kind === 'ready') return admission;
    admission.pass.report({ kind: 'unjudged' });
    if (readiness.kind === 'stop') return readiness;
    if (readiness.kind === 'moved') progress.ticket = ports.ticket();
    else progress.notBeforeMonoMs = Math.max(progress.notBeforeMonoMs, readiness.notBeforeMonoMs);
  }
}

/** Time kept back for the next exchange: the caller's, or what the narrowest gate has seen. */
export function reserveMsOf<R extends Received>(ports: OperationPorts<R>, progress: Progress<R>): number {
  if (ports.terms.deadline === undefined) return 0;
  return ports.terms.reserveMs ?? progress.ticket.smoothedMs ?? 0;
}

async function enter<R extends Received>(
  ports: OperationPorts<R>,
  progress: Progress<R>,
): Promise<Admission> {
  const { terms, cancellation } = ports;
  if (cancellation.cancelled) return { kind: 'stop', because: 'cancelled' };
  const answer = progress.ticket.enter({
    notBeforeMonoMs: progress.notBeforeMonoMs,
    deadline: terms.deadline,
    reserveMs: reserveMsOf(ports, progress),
    maxHoldMs: terms.maxHintMs,
    exchangesLeft: terms.exchanges - progress.exchanges,
    repeatable: isRepeatable(ports.request()),
  });
  const entered = answer.kind === 'waiting' ? await wait(ports, progress, answer) : answer;
  switch (entered.kind) {
    case 'pass':
      return entered;
    case 'left':
      return { kind: 'stop', because: 'cancelled' };
    case 'refused':
      return { kind: 'stop', because: entered.because, releaseAtMonoMs: entered.releaseAtMonoMs };
  }
}

async function wait<R extends Received>(
  ports: OperationPorts<R>,
  progress: Progress<R>,
  waiting: Waiting,
): Promise<Entered> {
  const { clock, journal, cancellation } = ports;
  const startMonoMs = clock.monoMs();
  noteHold(journal, clock, waiting);
  const stopListening = cancellation.onCancel(() => {
    progress.ticket.leave();
  });
  const entered = await waiting.entered;
  stopListening();
  const how: 'pass' | 'left' | RefusalReason = entered.kind === 'refused' ? entered.because : entered.kind;
  journal.write({ event: 'wait-ended', waitedMs: clock.monoMs() - startMonoMs, how });
  return entered;
}

async function ready<R extends Received>(
  ports: OperationPorts<R>,
  progress: Progress<R>,
  { pass, waitedMs }: { pass: Pass; waitedMs: number },
): Promise<Readiness> {
  try {
    const asked = ports.ready(progress.exchanges + 1, waitedMs);
    const readiness = asked === undefined ? READY : await asked;
    if (readiness.kind !== 'ready') return readiness;
    // Timers come late and hooks take time: neither the caller's wish nor the deadline may be overrun.
    if (ports.cancellation.cancelled) return { kind: 'stop', because: 'cancelled' };
    const { deadline } = ports.terms;
    if (deadline === undefined || remainingMs(ports.clock, deadline) > 0) return READY;
    return { kind: 'stop', because: 'deadline-passed' };
  } catch (error) {
    pass.report({ kind: 'unjudged' });
    throw error;
  }
}

const READY: Readiness = { kind: 'ready' };
