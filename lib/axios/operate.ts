import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Call } from './call.js';
import type { Client } from './client.js';
import { refusal } from './errors.js';
import { RequestOperation } from './request-operation.js';

/** Runs one call of the application, below its interceptors and transforms. */
export function operate(
  client: Client,
  call: Call,
  config: InternalAxiosRequestConfig,
): Promise<AxiosResponse> {
  try {
    return new RequestOperation(client, call, config).run();
  } catch (error) {
    client.stream.write({ event: 'operation-closed', ...NOTHING_SENT }, client.nextOperationId());
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a caller's rule threw it
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
