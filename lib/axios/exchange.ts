import type { InternalAxiosRequestConfig } from 'axios';
import { LONGEST_TIMER_MS } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import { discardBody, discardStream } from './body.js';
import type { AxiosReceived } from './delivery.js';
import { limitExchange } from './exchange-limits.js';
import type { Settled } from './response-interceptor.js';
import type { ExchangeConfig, Wire } from './wire.js';

/** One exchange over the wire. */
export interface Exchange extends Pick<ExchangeConfig, 'beforeRedirect'> {
  readonly config: InternalAxiosRequestConfig;
  readonly clock: Clock;
  readonly deadline: Deadline | undefined;
  /** A factory made the body: it is ours to close. */
  readonly ownsBody: boolean;
}

/** Sends an exchange, cut to what remains of the operation, and tells who ended it. */
export async function sendExchange(wire: Wire, exchange: Exchange): Promise<AxiosReceived> {
  const { config, clock, deadline, ownsBody, ...own } = exchange;
  // Without a deadline the caller's signal stays where it is, in the config of the exchange.
  const limits = deadline && limitExchange(config, clock, deadline);
  const { timeout = config.timeout ?? 0, signal = config.signal } = limits ?? {};
  let settled: Settled | undefined;
  const stopUpload = (): void => {
    endRequest(settled);
    if (ownsBody) discardStream(config.data);
  };
  try {
    settled = await wire.send(config, { timeout: Math.min(timeout, LONGEST_TIMER_MS), signal, ...own });
    const { response, error, observation } = settled;
    const discard = (): void => {
      stopUpload();
      discardBody(response?.data);
    };
    const cut = limits?.endedBy(observation.end) === true;
    return { response, error, observation: cut ? { ...observation, end: 'deadline' } : observation, discard };
  } finally {
    limits?.end(settled?.response?.data);
    // While an answer streams, the body may still be on its way.
    if (ownsBody && config.responseType !== 'stream') stopUpload();
  }
}

/** An upload that its server has answered and reads no further would hold its socket for good. */
function endRequest(settled: Settled | undefined): void {
  const { request } = (settled?.error ?? settled?.response ?? {}) as { readonly request?: NodeRequest };
  if (request?.writableFinished === false) request.destroy?.();
}

interface NodeRequest {
  readonly writableFinished?: boolean;
  readonly destroy?: () => void;
}
