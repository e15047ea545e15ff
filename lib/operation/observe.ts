import type { Knowledge, Verdict } from '../model.js';
import { knowledgeOf, worseKnowledge } from '../policy/knowledge.js';
import { verdictOf } from '../policy/verdict.js';
import { noteObservation } from './notes.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/** One exchange that has ended, with what it means by itself. */
export interface Exchanged<R> {
  readonly received: R;
  readonly verdict: Verdict;
  /** Of this exchange alone. */
  readonly knowledge: Knowledge;
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
  if (number === 1) ports.allowance?.earn();
  journal.write({ event: 'exchange-sent', exchange: number, gates });
  const [sentMonoMs, sentEpochMs] = [clock.monoMs(), clock.wallEpochMs()];
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
  const tookMs = received.observation.receivedMonoMs - sentMonoMs;
  const facts = { exchange: number, verdict, knowledge, sentEpochMs, tookMs };
  noteObservation(journal, received.observation, facts);
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
