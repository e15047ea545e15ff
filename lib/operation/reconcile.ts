import { SETTLED } from '../policy/decide.js';
import type { Decision } from '../policy/decide.js';
import { judge } from './judge.js';
import type { Exchanged } from './observe.js';
import type { OperationPorts, Progress, Received } from './ports.js';

export type Stop = Extract<Decision, { readonly kind: 'stop' }>;

/** Of a write that stops in doubt the caller may know more, who can ask the server what became of it. */
export async function reconciled<R extends Received, D>(
  ports: OperationPorts<R, D>,
  progress: Progress<R>,
  { stop, exchanged }: { readonly stop: Stop; readonly exchanged: Exchanged<R> },
): Promise<Decision> {
  const { because } = stop;
  if (because !== 'outcome-unknown' && because !== 'answer-lost') return stop;
  const found = await ports.reconcile(because, progress.exchanges);
  switch (found?.kind) {
    case undefined:
      return stop;
    case 'applied':
      progress.knowledge = 'answered';
      if (found.received === undefined) return { ...stop, because: 'answer-lost' };
      progress.last = found.received;
      return SETTLED;
    case 'not-applied':
      progress.knowledge = 'not-applied';
      return judge(ports, progress, { ...exchanged, knowledge: 'not-applied' });
    case 'unknown':
      progress.cause = found.cause;
      return stop;
    case 'cancelled':
      return { kind: 'stop', row: 2, because: 'cancelled' };
  }
}
