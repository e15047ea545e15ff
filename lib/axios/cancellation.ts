import type { GenericAbortSignal, InternalAxiosRequestConfig } from 'axios';
import type { Cancellation } from '../operation/ports.js';

/** The caller's `signal` and `cancelToken` as one. Nothing is registered before somebody listens. */
export function cancellationOf(config: InternalAxiosRequestConfig): Cancellation {
  const { cancelToken, signal } = config;
  return {
    get cancelled(): boolean {
      return signal?.aborted === true || cancelToken?.reason !== undefined;
    },
    onCancel(run) {
      const stopSignal = signal === undefined ? undefined : listenOnce(signal, run);
      cancelToken?.subscribe(run);
      return () => {
        stopSignal?.();
        cancelToken?.unsubscribe(run);
      };
    },
  };
}

/** Why the caller cancelled: the signal's reason, or the token's own error. */
export function cancelReasonOf(config: InternalAxiosRequestConfig): unknown {
  const signal = config.signal as (GenericAbortSignal & { readonly reason?: unknown }) | undefined;
  return signal?.reason ?? config.cancelToken?.reason;
}

// A signal gets one listener however many operations wait on it: Node warns of more than ten.
const listeners: WeakMap<GenericAbortSignal, Listener> = new WeakMap();

interface Listener {
  readonly runs: Set<() => void>;
  readonly detach: () => void;
}

function listenOnce(signal: GenericAbortSignal, run: () => void): () => void {
  const listener = listeners.get(signal) ?? attach(signal);
  listener.runs.add(run);
  return () => {
    if (listener.runs.delete(run) && listener.runs.size === 0) listener.detach();
  };
}

function attach(signal: GenericAbortSignal): Listener {
  const runs: Set<() => void> = new Set();
  const onAbort = (): void => {
    listener.detach();
    for (const run of [...runs]) run();
  };
  const listener: Listener = {
    runs,
    detach: () => {
      listeners.delete(signal);
      signal.removeEventListener?.('abort', onAbort);
    },
  };
  listeners.set(signal, listener);
  signal.addEventListener?.('abort', onAbort);
  return listener;
}
