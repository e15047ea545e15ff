import type { Standstill } from '../gate/standstill.js';
import type { Answer, EnterTerms, Refused } from '../gate/ticket.js';
import { termsOf } from './admission.js';
import { answerOf } from './answer.js';
import { conclude } from './ending.js';
import type { End } from './ending.js';
import { judge } from './judge.js';
import { noteForeseen } from './notes.js';
import { observe } from './observe.js';
import { abandoned, begin } from './operation.js';
import type { OperationPorts, Received } from './ports.js';

/** How an operation goes past the gates. */
export interface BareTerms {
  /** What would hold it up: with this the journal tells what gates and table would have said. */
  readonly foresee: ((terms: EnterTerms) => Refused | Standstill | undefined) | undefined;
  /** Gates hear of limits all the same: not to wait is not the same as not to learn. */
  readonly overhear: (answer: Answer) => void;
}

/** Exactly one exchange, past all gates; its success proves nothing to them. */
export async function runBare<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { foresee, overhear }: BareTerms,
): Promise<D> {
  const progress = begin(ports);
  let end: End;
  try {
    const readiness = await ports.ready(1, 0);
    if (readiness?.kind === 'stop') end = readiness;
    else {
      if (foresee !== undefined) noteForeseen(ports, foresee(termsOf(ports, progress)));
      const exchanged = await observe(ports, progress, []);
      const answer = answerOf(exchanged.received.observation, exchanged.verdict, ports.scopes);
      if (answer.kind === 'limited') overhear(answer);
      if (foresee !== undefined) judge(ports, progress, exchanged);
      end = endOf(exchanged.received);
    }
  } catch (error) {
    throw abandoned(ports, progress, error);
  }
  return ports.deliver(conclude(ports, progress, end));
}

function endOf({ observation }: Received): End {
  if (observation.resolved) return { kind: 'settle', row: 1 };
  return { kind: 'stop', because: observation.end === 'cancelled' ? 'cancelled' : 'exchanges-spent' };
}
