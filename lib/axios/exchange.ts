import { isAxiosError } from 'axios';
import type { InternalAxiosRequestConfig } from 'axios';
import type { Clock } from '../time/clock.js';
import type { Deadline } from '../time/deadline.js';
import { discardBody, discardStream } from './body.js';
import type { AxiosReceived } from './delivery.js';
import { limitExchange } from './exchange-limits.js';
import type { ExchangeLimits } from './exchange-limits.js';
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
  const limits = limitExchange(config, clock, deadline);
  let settled: Ended | undefined;
  const stopUpload = (): void => {
    endRequest(settled);
    if (ownsBody) discardStream(config.data);
  };
  try {
    const { observation, ...rest } = await wire.send(config, { ...limits.config, ...own });
    settled = rest.settled;
    const discard = (): void => {
      stopUpload();
      discardBody(bodyOf(settled));
    };
    return { settled, observation: endedBy(limits, observation), discard };
  } finally {
    limits.end(bodyOf(settled));
    // While an answer streams, the body may still be on its way.
    if (ownsBody && config.responseType !== 'stream') stopUpload();
  }
}

type Ended = Settled['settled'];

/** Only this side knows that its own signal or its own timeout ended the exchange. */
function endedBy(limits: ExchangeLimits, observation: Settled['observation']): Settled['observation'] {
  const cut = limits.deadlinePassed() && observation.end !== 'answer';
  const timedOut = limits.timeoutIsDeadline && observation.end === 'timeout';
  return cut || timedOut ? { ...observation, end: 'deadline' } : observation;
}

function bodyOf(settled: Ended | undefined): unknown {
  if (settled?.kind !== 'rejected') return settled?.response.data;
  return isAxiosError(settled.error) ? settled.error.response?.data : undefined;
}

/** An upload that its server has answered and reads no further would hold its socket for good. */
function endRequest(settled: Ended | undefined): void {
  const ended: unknown = settled?.kind === 'rejected' ? settled.error : settled?.response;
  const { request } = (ended ?? {}) as { readonly request?: NodeRequest };
  if (request?.writableFinished === false) request.destroy?.();
}

interface NodeRequest {
  readonly writableFinished?: boolean;
  readonly destroy?: () => void;
}
