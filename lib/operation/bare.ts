import { SETTLED } from '../policy/decide.js';
import { termsOf } from './admission.js';
import { answerOf } from './answer.js';
import type { End } from './ending.js';
import { judge } from './judge.js';
import { noteForeseen } from './notes.js';
import { observe } from './observe.js';
import type { OperationPorts, Progress, Received } from './ports.js';

/**
 * Exactly one exchange, past all gates; its success proves nothing to them. Who observes is told by the journal
 * what gates and table would have said.
 */
export async function sendBare<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
): Promise<End> {
  const observes = ports.mode === 'observe';
  const readiness = await ports.ready(1, 0);
  if (readiness?.kind === 'stop') return readiness;
  if (observes) noteForeseen(ports, ports.foresee(termsOf(ports, progress)));
  const exchanged = await observe(ports, progress, []);
  const { observation } = exchanged.received;
  const answer = answerOf(observation, exchanged.verdict, ports.scopes);
  // Gates hear of limits all the same: not to wait is not the same as not to learn.
  if (answer.kind === 'limited') ports.overhear(answer);
  if (observes) judge(ports, progress, exchanged);
  if (observation.resolved) return SETTLED;
  return { kind: 'stop', because: observation.end === 'cancelled' ? 'cancelled' : 'exchanges-spent' };
}
