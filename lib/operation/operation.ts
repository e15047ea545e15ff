import type { Answer, Pass } from '../gate/ticket.js';
import type { Knowledge, Verdict } from '../model.js';
import { backoffMs, jittered } from '../policy/backoff.js';
import { decide } from '../policy/decide.js';
import type { Decision, DecisionFacts } from '../policy/decide.js';
import { knowledgeOf, worseKnowledge } from '../policy/knowledge.js';
import { permissionFor } from '../policy/permission.js';
import { isSaid, verdictOf } from '../policy/verdict.js';
import { remainingMs } from '../time/deadline.js';
import { admit, enter, entered, reserveMsOf } from './admission.js';
import type { Admission } from './admission.js';
import { answerOf } from './answer.js';
import { conclude } from './ending.js';
import type { End } from './ending.js';
import { noteDecision, noteObservation } from './notes.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/**
 * One call of the application: pass the gates, send, observe, decide, until the decision is not `again`.
 * There is one place to wait, and an operation that waits is this one frame.
 * @throws what `deliver` throws, and whatever a hook of the caller throws
 */
export async function runOperation<R extends Received, D>(ports: OperationPorts<R, D>): Promise<D> {
  const progress = begin(ports);
  let next: End | Admission;
  try {
    do {
      const gates = entered(ports, progress, await enter(ports, progress));
      next = gates.kind === 'pass' ? await attempt(ports, progress, gates.pass) : gates;
    } while (next.kind === 'again');
  } catch (error) {
    conclude(ports, progress, { kind: 'stop', because: 'hook-failed' });
    throw error;
  }
  return ports.deliver(conclude(ports, progress, next));
}

/** Where every operation starts. */
export function begin<R extends Received, D>(ports: OperationPorts<R, D>): Progress<R> {
  const nowMonoMs = ports.clock.monoMs();
  return {
    ticket: ports.ticket(),
    startMonoMs: nowMonoMs,
    notBeforeMonoMs: nowMonoMs,
    waitedMs: 0,
    waitingSinceMonoMs: undefined,
    stopListening: undefined,
    exchanges: 0,
    knowledge: 'not-sent',
    last: undefined,
  };
}

/** One exchange, pass in hand: fresh facts, then send, then judge. */
async function attempt<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  pass: Pass,
): Promise<End | Admission> {
  const admission = await admit(ports, progress, pass);
  if (admission !== undefined) return admission;
  const exchanged = await exchange(ports, progress, pass);
  const decision = judge(ports, progress, exchanged);
  if (decision.kind === 'again') {
    progress.notBeforeMonoMs = exchanged.received.observation.receivedMonoMs + decision.delayMs;
  }
  return decision;
}

export interface Exchanged<R> {
  readonly received: R;
  readonly verdict: Verdict;
  /** Of this exchange alone. */
  readonly knowledge: Knowledge;
}

/** Sends one exchange and gives the pass back, whatever happens, with what the answer means for the gates. */
async function exchange<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  pass: Pass,
): Promise<Exchanged<R>> {
  const { journal } = ports;
  const { probing, gates } = pass;
  let answer: Answer = { kind: 'unjudged' };
  try {
    if (probing) journal.write({ event: 'probe-sent', exchange: progress.exchanges + 1, gates });
    pass.sent();
    const exchanged = await observe(ports, progress, gates);
    answer = answerOf(exchanged.received.observation, exchanged.verdict, ports.scopes);
    return exchanged;
  } finally {
    pass.report(answer);
    if (probing && answer.kind === 'accepted') {
      journal.write({ event: 'probe-accepted', exchange: progress.exchanges, gates });
    }
  }
}

/** Sends one exchange and reads what became of it. */
export async function observe<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  gates: readonly string[],
): Promise<Exchanged<R>> {
  const { journal, clock, terms } = ports;
  progress.exchanges += 1;
  const number = progress.exchanges;
  if (number === 1) ports.allowance.earn();
  journal.write({ event: 'exchange-sent', exchange: number, gates });
  const sentMonoMs = clock.monoMs();
  const received = await ports.send();
  progress.last = received;
  const verdict = verdictOf(received.observation, terms.transient);
  const knowledge = knowledgeOf(received.observation, terms.notApplied);
  progress.knowledge = worseKnowledge(progress.knowledge, knowledge);
  noteObservation(journal, received.observation, { exchange: number, sentMonoMs, verdict, knowledge });
  return { received, verdict, knowledge };
}

/** Asks the table, journals what was weighed, and takes what a re-send costs. */
export function judge<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  { received, verdict, knowledge }: Exchanged<R>,
): Decision {
  const { terms, deadline, clock, allowance, journal } = ports;
  const { observation } = received;
  const settled = verdict === 'final' && observation.resolved;
  const roll = verdict === 'final' ? 0 : clock.roll();
  const own = verdict === 'final' ? 0 : backoffMs(terms.backoff, progress.exchanges);
  const left = deadline === undefined ? undefined : remainingMs(clock, deadline);
  const facts: DecisionFacts = {
    verdict,
    resolved: observation.resolved,
    cancelled: observation.end === 'cancelled' || ports.cancelled,
    deadlinePassed: observation.end === 'deadline' || (left !== undefined && left <= 0),
    serverSaidNo: isSaid(observation, 'final'),
    permission: settled ? SETTLED : permissionFor({ ...ports.request(), knowledge }),
    exchangesLeft: terms.exchanges - progress.exchanges,
    allowanceEmpty: verdict === 'transient' && allowance.isEmpty(),
    hint: observation.hint,
    ownBackoffMs: jittered(own, terms.jitter, roll),
    maxHintMs: terms.maxHintMs,
    remainingMs: left,
    reserveMs: verdict === 'final' ? 0 : reserveMsOf(ports, progress),
  };
  const decision = decide(facts);
  if (decision.kind === 'again' && verdict === 'transient') allowance.spend();
  noteDecision(journal, decision, { facts, roll, knowledge, exchange: progress.exchanges });
  return decision;
}

const SETTLED = { kind: 'granted', grounds: 'idempotent-method' } as const;
