import type { GenericAbortSignal, InternalAxiosRequestConfig } from 'axios';

type CallersWish = Pick<InternalAxiosRequestConfig, 'signal' | 'cancelToken'>;

/** Whether the caller has cancelled, by `signal` or by `cancelToken`. */
export function isCancelled({ signal, cancelToken }: CallersWish): boolean {
  return signal?.aborted === true || cancelToken?.reason !== undefined;
}

/** Calls `run` once when the caller cancels; returns how to stop listening, where there is anything to. */
export function onCancel({ signal, cancelToken }: CallersWish, run: () => void): (() => void) | undefined {
  // Whatever the types say, `null` comes too, and means none.
  if (!signal && !cancelToken) return undefined;
  const stopSignal = signal ? listenOnce(signal, run) : undefined;
  cancelToken?.subscribe(run);
  return () => {
    stopSignal?.();
    cancelToken?.unsubscribe(run);
  };
}

/** Why the caller cancelled: the signal's reason, or the token's own error. */
export function cancelReasonOf({ signal, cancelToken }: CallersWish): unknown {
  const reason = (signal as { readonly reason?: unknown } | null | undefined)?.reason;
  return reason ?? cancelToken?.reason;
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
