import type { Answer } from '../gate/ticket.js';
import { answerOf } from './answer.js';
import { conclude } from './ending.js';
import type { End } from './ending.js';
import { abandoned, begin, judge, observe } from './operation.js';
import type { OperationPorts, Received } from './ports.js';

/** How an operation goes past the gates. */
export interface BareTerms {
  /** The journal tells what the table would have said. */
  readonly observing: boolean;
  /** Gates hear of limits all the same: not to wait is not the same as not to learn. */
  readonly overhear: (answer: Answer) => void;
}

/** Exactly one exchange, past all gates; its success proves nothing to them. */
export async function runBare<R extends Received, D>(
  ports: OperationPorts<R, D>,
  { observing, overhear }: BareTerms,
): Promise<D> {
  const progress = begin(ports);
  let end: End;
  try {
    const readiness = await ports.ready(1, 0);
    if (readiness?.kind === 'stop') end = readiness;
    else {
      const exchanged = await observe(ports, progress, []);
      const answer = answerOf(exchanged.received.observation, exchanged.verdict, ports.scopes);
      if (answer.kind === 'limited') overhear(answer);
      if (observing) judge(ports, progress, exchanged);
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
