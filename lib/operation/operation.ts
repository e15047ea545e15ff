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
    throw abandoned(ports, progress, error);
  }
  return ports.deliver(conclude(ports, progress, next));
}

/** A hook of the caller threw: what it threw is what the caller gets. */
export function abandoned<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  error: unknown,
): unknown {
  conclude(ports, progress, { kind: 'stop', because: 'hook-failed' });
  return ports.failed(error);
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
    inDoubt: false,
    cause: undefined,
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
  const judged = judge(ports, progress, exchanged);
  const decision =
    judged.kind === 'stop' ? await reconciled(ports, progress, { ...exchanged, judged }) : judged;
  if (decision.kind === 'again') {
    progress.notBeforeMonoMs = exchanged.received.observation.receivedMonoMs + decision.delayMs;
    if (exchanged.verdict === 'redirect') progress.ticket = ports.ticket();
  }
  return decision;
}

/** Of a write that stops in doubt the caller may know more, who can ask the server what became of it. */
async function reconciled<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  { judged, ...exchanged }: Exchanged<R> & { readonly judged: Stop },
): Promise<Decision> {
  const { because } = judged;
  if (because !== 'outcome-unknown' && because !== 'answer-lost') return judged;
  const found = await ports.reconcile(because, progress.exchanges);
  switch (found?.kind) {
    case undefined:
      return judged;
    case 'applied':
      progress.knowledge = 'answered';
      if (found.received === undefined) return { ...judged, because: 'answer-lost' };
      progress.last = found.received;
      return { kind: 'settle', row: 1 };
    case 'not-applied':
      progress.knowledge = 'not-applied';
      return judge(ports, progress, { ...exchanged, knowledge: 'not-applied' });
    case 'unknown':
      progress.cause = found.cause;
      return judged;
    case 'cancelled':
      return { kind: 'stop', row: 2, because: 'cancelled' };
  }
}

type Stop = Extract<Decision, { readonly kind: 'stop' }>;

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
  // While it is on its way, or when a hook throws over its answer, nobody knows.
  const before = progress.knowledge;
  progress.inDoubt = before === 'unknown';
  progress.knowledge = 'unknown';
  const received = await ports.send();
  progress.last = received;
  const verdict = isInProgress(ports, progress, received)
    ? 'transient'
    : verdictOf(received.observation, terms.transient);
  const knowledge = knowledgeOf(received.observation, terms.notApplied);
  progress.knowledge = worseKnowledge(before, knowledge);
  noteObservation(journal, received.observation, { exchange: number, sentMonoMs, verdict, knowledge });
  return { received, verdict, knowledge };
}

// draft-ietf-httpapi-idempotency-key-header: by 409 a server says that the first request with this key is
// still at work, which can only be an earlier exchange whose end was not seen.
function isInProgress<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { inDoubt }: Progress<R>,
  { observation }: R,
): boolean {
  const { status, classified } = observation;
  return inDoubt && status === 409 && classified === undefined && ports.request().keyed;
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
  const failed = verdict === 'limit' || verdict === 'transient';
  const roll = failed ? clock.roll() : 0;
  const own = failed ? backoffMs(terms.backoff, progress.exchanges) : 0;
  const left = deadline === undefined ? undefined : remainingMs(clock, deadline);
  const facts: DecisionFacts = {
    verdict,
    resolved: observation.resolved,
    cancelled: observation.end === 'cancelled' || ports.cancelled,
    deadlinePassed: observation.end === 'deadline' || (left !== undefined && left <= 0),
    serverSaidNo: isSaid(observation, 'final'),
    // What a redirect leads to is another request, and that one was never sent.
    permission: settled
      ? SETTLED
      : permissionFor({ ...ports.request(), knowledge: verdict === 'redirect' ? 'not-sent' : knowledge }),
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
