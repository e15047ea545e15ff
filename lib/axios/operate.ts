import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Moment } from '../time/deadline.js';
import type { Call } from './call.js';
import type { Client } from './client.js';
import { refusal } from './errors.js';
import { RequestOperation } from './request-operation.js';

/** Runs one call of the application, below its interceptors and transforms; its time began at `start`. */
export function operate(
  client: Client,
  config: InternalAxiosRequestConfig,
  start: Moment,
): Promise<AxiosResponse> {
  let call: Call | undefined;
  try {
    // Interceptors that run after ours may set options, too.
    call = client.readCall(config.heed, start);
    client.meet(config);
    // A call that was still among the application's interceptors at detach() is one of the later ones.
    if (client.closed) call = { ...call, options: { ...call.options, bare: true } };
    return new RequestOperation(client, call, config).run();
  } catch (error) {
    if (call !== undefined)
      client.stream.write({ event: 'operation-closed', ...NOTHING_SENT }, client.nextOperationId());
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own code threw it
    return Promise.reject(refusal(error, config));
  }
}

const NOTHING_SENT = {
  outcome: 'refused',
  because: 'hook-failed',
  exchanges: 0,
  knowledge: 'not-sent',
  tookMs: 0,
} as const;
