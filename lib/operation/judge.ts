import type { Decision } from '../policy/decide.js';
import { isSettled, SETTLED } from '../policy/decide.js';
import { isFailure, judgmentOf, weigh } from '../policy/judgment.js';
import type { Circumstances, Observed } from '../policy/judgment.js';
import { isSaid } from '../policy/verdict.js';
import { remainingMs } from '../time/deadline.js';
import { noteJudgment } from './notes.js';
import type { Exchanged } from './observe.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/** Gathers what stands around an exchange, journals it, asks the table, and takes what a re-send costs. */
export function judge<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  exchanged: Exchanged<R>,
): Decision {
  const { journal, terms, allowance } = ports;
  const { verdict, received } = exchanged;
  const { resolved, hint } = received.observation;
  const observed: Observed = { verdict, resolved, hint };
  if (isSettled(observed)) {
    journal.write({ event: 'decision', exchange: progress.exchanges, row: 1, decision: 'settle' });
    return SETTLED;
  }
  const weighed = weigh(observed, circumstances(ports, progress, exchanged), terms);
  const judgment = judgmentOf(observed, weighed, terms);
  noteJudgment(journal, weighed, judgment);
  const { decision } = judgment;
  if (decision.kind === 'again' && verdict === 'transient') allowance?.spend();
  return decision;
}

function circumstances<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { exchanges, ticket }: Progress<R>,
  { received: { observation }, verdict, knowledge }: Exchanged<R>,
): Circumstances {
  const { deadline, clock, allowance } = ports;
  const leftMs = deadline === undefined ? undefined : remainingMs(clock, deadline);
  const { smoothedMs } = ticket;
  return {
    exchange: exchanges,
    cancelled: observation.end === 'cancelled' || ports.cancelled,
    deadlinePassed: observation.end === 'deadline' || (leftMs !== undefined && leftMs <= 0),
    serverSaidNo: isSaid(observation, 'final'),
    request: ports.request(),
    knowledge,
    allowanceEmpty: allowance?.isEmpty() === true,
    roll: isFailure({ verdict }) ? clock.roll() : 0,
    ...(smoothedMs !== undefined && { smoothedMs }),
    ...(leftMs !== undefined && { remainingMs: leftMs }),
  };
}
