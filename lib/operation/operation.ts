import type { Pass } from '../gate/ticket.js';
import { admit, enter, entered } from './admission.js';
import type { Admission } from './admission.js';
import { answerOf, UNJUDGED } from './answer.js';
import { sendBare } from './bare.js';
import { conclude } from './ending.js';
import type { End } from './ending.js';
import { judge } from './judge.js';
import { observe } from './observe.js';
import type { Exchanged } from './observe.js';
import type { OperationPorts, Progress, Received } from './ports.js';
import { reconciled } from './reconcile.js';

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
      if (ports.mode === 'act') {
        const gates = entered(ports, progress, await enter(ports, progress));
        next = gates.kind === 'pass' ? await attempt(ports, progress, gates.pass) : gates;
      } else next = await sendBare(ports, progress);
    } while (next.kind === 'again');
  } catch (error) {
    // A hook of the caller threw: what it threw is what the caller gets.
    conclude(ports, progress, { kind: 'stop', because: 'hook-failed' });
    throw ports.failed(error);
  }
  return ports.deliver(conclude(ports, progress, next));
}

/** Where every operation starts. */
function begin<R extends Received, D>(ports: OperationPorts<R, D>): Progress<R> {
  const nowMonoMs = ports.clock.monoMs();
  return {
    ticket: ports.first ?? ports.ticket(),
    startMonoMs: nowMonoMs,
    notBeforeMonoMs: undefined,
    waitedMs: 0,
    waitingSinceMonoMs: undefined,
    stopListening: undefined,
    stopHearingCancel: ports.onCancel(() => ports.journal.write({ event: 'cancel-requested' })),
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
    judged.kind === 'stop' ? await reconciled(ports, progress, { stop: judged, exchanged }) : judged;
  if (decision.kind === 'again') {
    progress.notBeforeMonoMs = exchanged.received.observation.receivedMonoMs + decision.delayMs;
    if (exchanged.verdict === 'redirect') progress.ticket = ports.ticket();
  }
  return decision;
}

/** Sends one exchange and gives the pass back, whatever happens, with what the answer means for the gates. */
async function exchange<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  pass: Pass,
): Promise<Exchanged<R>> {
  const { journal } = ports;
  const { probing, gates } = pass;
  let answer = UNJUDGED;
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
