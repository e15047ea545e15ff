import type { GenericAbortSignal, InternalAxiosRequestConfig } from 'axios';
import { sharedListener } from './shared-listener.js';
import type { SharedListener } from './shared-listener.js';

type CallersWish = Pick<InternalAxiosRequestConfig, 'signal' | 'cancelToken'>;

/** Whether the caller has cancelled, by `signal` or by `cancelToken`. */
export function isCancelled({ signal, cancelToken }: CallersWish): boolean {
  return signal?.aborted === true || cancelToken?.reason !== undefined;
}

/** Calls `run` once when the caller cancels, or has; returns how to stop listening, where there is anything to. */
export function onCancel(wish: CallersWish, run: () => void): (() => void) | undefined {
  const { signal, cancelToken } = wish;
  if (isCancelled(wish)) {
    // A signal tells of its abort once: whoever comes later would wait for ever.
    run();
    return undefined;
  }
  // Whatever the types say, `null` comes too, and means none.
  if (!signal && !cancelToken) return undefined;
  const stopSignal = signal ? listenTo(signal).wait(run) : undefined;
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

const listeners: WeakMap<GenericAbortSignal, SharedListener> = new WeakMap();

function listenTo(signal: GenericAbortSignal): SharedListener {
  const listener = listeners.get(signal) ?? sharedListener(signal, ['abort'], () => true);
  listeners.set(signal, listener);
  return listener;
}
