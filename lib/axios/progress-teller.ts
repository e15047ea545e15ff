import { quietly } from '../gate/bulletin.js';
import type { WaitingOperation } from '../gate/waiting-operation.js';
import { known } from '../hint/known.js';
import type { OperationEvent } from '../operation/journal-entry.js';
import type { HeldProgress, OperationProgress, ProgressListener } from '../operation/progress.js';
import type { Clock } from '../time/clock.js';
import type { CallOptions } from './call.js';
import type { Client } from './client.js';
import type { PlaceListener, ProgressBoard } from './progress-board.js';

interface TellerContext {
  readonly clock: Clock;
  readonly board: ProgressBoard;
  readonly operation: string;
  /** Exchanges at most. */
  readonly most: number;
}

/** The teller of an operation whose caller has asked for it. */
export function tellerOf(client: Client, { own, terms }: CallOptions, operation: string): ProgressTeller {
  const { clock, progress: board } = client;
  const listener = own.onProgress ?? ((): void => undefined);
  return new ProgressTeller(listener, { clock, board, operation, most: terms.exchanges });
}

/** Tells how an operation is getting on: every step of its journal that moves it, and its place. */
export class ProgressTeller implements PlaceListener {
  readonly #listener: ProgressListener;
  readonly #context: TellerContext;
  #exchanges: number = 0;
  #last: HeldProgress | undefined;

  constructor(listener: ProgressListener, context: TellerContext) {
    this.#listener = listener;
    this.#context = context;
  }

  hear(event: OperationEvent): void {
    const { operation, most, board } = this.#context;
    switch (event.event) {
      case 'hold-entered':
        this.#held({ state: event.state, ahead: event.ahead, releaseAt: event.releaseAtEpochMs });
        board.add(operation, this);
        break;
      case 'pause-entered':
        this.#held({ state: 'open', ahead: 0, releaseAt: event.releaseAtEpochMs });
        break;
      case 'wait-ended':
        board.remove(operation);
        this.#last = undefined;
        break;
      case 'exchange-sent':
        this.#exchanges = event.exchange;
        this.#tell({ kind: 'sent', operation, exchange: event.exchange, of: most });
        break;
      case 'operation-closed': {
        const { exchanges, outcome, because } = event;
        this.#tell(known({ kind: 'ended', operation, exchanges, outcome, because }));
        break;
      }
      default:
    }
  }

  moved(place: WaitingOperation): void {
    this.#held(place);
  }

  #held({ state, ahead, releaseAt }: Held): void {
    const { clock, operation } = this.#context;
    const last = this.#last;
    if (last?.state === state && last.ahead === ahead && last.releaseAt === releaseAt) return;
    const waitMs =
      releaseAt === undefined ? undefined : Math.max(0, Math.ceil(releaseAt - clock.wallEpochMs()));
    const exchange = this.#exchanges + 1;
    this.#last = known({ kind: 'held', operation, exchange, state, ahead, releaseAt, waitMs });
    this.#tell(this.#last);
  }

  #tell(progress: OperationProgress): void {
    quietly(() => this.#listener(progress));
  }
}

type Held = Pick<HeldProgress, 'state' | 'ahead'> & {
  readonly releaseAt?: WaitingOperation['releaseAt'] | undefined;
};
