import type { InternalAxiosRequestConfig } from 'axios';
import { alarmAt } from '../time/clock.js';
import type { ExchangeEnd } from '../model.js';
import type { Clock } from '../time/clock.js';
import { remainingMs } from '../time/deadline.js';
import type { Deadline } from '../time/deadline.js';
import { onCancel } from './cancellation.js';

/** What bounds one exchange by its operation's deadline. */
export interface ExchangeLimits {
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Only this side knows that its own signal or its own timeout ended the exchange. */
  endedBy(end: ExchangeEnd): boolean;
  /** The exchange is over; a body that is handed over as a stream stays linked to the caller's signal. */
  end(body: unknown): void;
}

/**
 * The caller's timeout and signal, cut to what remains. axios' own `timeout` ends when the headers arrive
 * (http adapter), so the body is bounded by a signal, and that signal is the exchange's own: when the outer
 * one is aborted, axios replaces every error by its cancel. A timeout goes on after the hand-over of a stream
 * (both adapters of Node), where the deadline has ended: streams are bounded by the signal alone.
 */
export function limitExchange(
  config: InternalAxiosRequestConfig,
  clock: Clock,
  deadline: Deadline,
): ExchangeLimits {
  const own = config.timeout ?? 0;
  const leftMs = Math.max(1, Math.ceil(remainingMs(clock, deadline)));
  const timeoutIsDeadline = config.responseType !== 'stream' && (own <= 0 || leftMs <= own);
  const controller = new AbortController();
  let passed = false;
  const cancelAlarm = alarmAt(clock, deadline.atMonoMs, () => {
    passed = true;
    controller.abort();
  });
  const unlink = onCancel(config, () => {
    controller.abort();
  });
  return {
    timeout: timeoutIsDeadline ? leftMs : own,
    signal: controller.signal,
    endedBy: (end) => (passed && end !== 'answer') || (timeoutIsDeadline && end === 'timeout'),
    end: (body) => {
      cancelAlarm();
      if (unlink !== undefined && !unlinkAtEndOf(body, unlink)) unlink();
    },
  };
}

/** `false` when the body is no open stream, and so needs no link. */
function unlinkAtEndOf(body: unknown, unlink: () => void): boolean {
  // Parsed data may have such keys too: only what can be called is a stream's.
  const stream = (body ?? {}) as StreamBody;
  if (typeof stream.once === 'function') {
    stream.once('close', unlink);
    return true;
  }
  // A web stream tells nobody when it ends: the link goes with the signal.
  return typeof stream.getReader === 'function';
}

interface StreamBody {
  readonly once?: (event: 'close', listener: () => void) => void;
  readonly getReader?: unknown;
}
