import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Clock } from '../time/clock.js';
import { cancelledError, settleResponse, timeoutError } from './adapter-settlement.js';

/**
 * One exchange of an adapter, from its config to a promise: steps in time, then an answer, unless the
 * exchange's own signal, cancel token or `timeout` ends it first. Its end takes timers and listeners away.
 */
export class AdapterExchange {
  readonly config: InternalAxiosRequestConfig;
  readonly settled: Promise<AxiosResponse>;
  readonly #clock: Clock;
  readonly #undo: (() => void)[] = [];
  #settle!: (settlement: AxiosResponse | Promise<never>) => void;
  #isOver = false;

  constructor(clock: Clock, config: InternalAxiosRequestConfig) {
    this.config = config;
    this.#clock = clock;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#watchCancel();
    const { timeout = 0 } = config;
    if (timeout > 0) {
      this.after(timeout, () => {
        this.#end(() => Promise.reject(timeoutError(config)));
      });
    }
  }

  /** Takes a step that much later, unless the exchange is over by then. */
  after(delayMs: number, step: () => void): void {
    if (!this.#isOver) this.#undo.push(this.#clock.setTimer(delayMs, step));
  }

  /** Ends it with a response, or with the error that `validateStatus` makes of it. */
  answer(response: Omit<AxiosResponse, 'config'>): void {
    this.#end(() => settleResponse({ ...response, config: this.config }));
  }

  #end(settlement: () => AxiosResponse | Promise<never>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const undo of this.#undo) undo();
    this.#settle(settlement());
  }

  #watchCancel(): void {
    const { signal, cancelToken } = this.config;
    const cancel = (): void => {
      this.#end(() => Promise.reject(cancelledError(this.config)));
    };
    if (signal?.aborted === true) {
      cancel();
      return;
    }
    signal?.addEventListener?.('abort', cancel);
    this.#undo.push(() => {
      signal?.removeEventListener?.('abort', cancel);
    });
    void cancelToken?.promise.then(cancel);
  }
}
