import { quietly } from '../gate/bulletin.js';
import type { WaitingOperation } from '../gate/waiting-operation.js';
import { known } from '../hint/known.js';
import type { OperationEvent } from '../operation/journal-entry.js';
import type { HeldProgress, OperationProgress } from '../operation/progress.js';
import type { CallOptions } from './call.js';
import type { Client } from './client.js';

/** Tells how an operation is getting on: every step of its journal that moves it, and its place. */
export function tellerOf(
  { clock, policy, progress: board }: Pick<Client, 'clock' | 'policy' | 'progress'>,
  { own, terms }: Pick<CallOptions, 'own' | 'terms'>,
  operation: string,
): (event: OperationEvent) => void {
  let next = 1;
  let last: HeldProgress | undefined;
  const tell = (progress: OperationProgress): void => quietly(() => own.onProgress?.(progress));
  const held = ({ state, ahead, releaseAt }: Place): void => {
    const isNear = Math.abs((last?.releaseAt ?? 0) - (releaseAt ?? 0)) <= TREMBLE_MS;
    if (isNear && last?.state === state && last.ahead === ahead) return;
    const waitMs = releaseAt && Math.max(0, Math.ceil(releaseAt - clock.wallEpochMs()));
    tell((last = known({ kind: 'held', operation, exchange: next, state, ahead, releaseAt, waitMs })));
  };
  return (event) => {
    switch (event.event) {
      case 'hold-entered':
      case 'pause-entered':
        // Where all is only observed, nobody is held: what is written is what would have been.
        if (policy.mode === 'observe') break;
        held(placeOf(event));
        // Of a pause, too: its gate may be closed meanwhile.
        board.add(operation, held);
        break;
      case 'wait-ended':
        board.remove(operation);
        last = undefined;
        break;
      case 'exchange-sent':
        next = event.exchange + 1;
        tell({ kind: 'sent', operation, exchange: event.exchange, of: terms.exchanges });
        break;
      case 'operation-closed': {
        const { exchanges, outcome, because } = event;
        board.remove(operation);
        tell(known({ kind: 'ended', operation, exchanges, outcome, because }));
        break;
      }
      default:
    }
  };
}

type Place = Pick<WaitingOperation, 'state' | 'ahead'> & {
  readonly releaseAt?: WaitingOperation['releaseAt'] | undefined;
};

type WaitEvent = OperationEvent & { readonly event: 'hold-entered' | 'pause-entered' };

function placeOf(event: WaitEvent): Place {
  const state = ('because' in event && event.because) || 'open';
  return { state, ahead: 0, ...event, releaseAt: event.releaseAtEpochMs };
}

// Wall instants are estimated anew at each look, from a clock of whole ms: the same one trembles.
const TREMBLE_MS = 2;
