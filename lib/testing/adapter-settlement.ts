import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';

/**
 * Ends an exchange as axios's own adapters do: the response if the config's `validateStatus` takes it, else
 * an error that `isAxiosError` recognises. The kit imports no axios at run time, so that it works with
 * whichever copy a test has: the errors carry its marks and are no instances of its class.
 */
export function settleResponse(response: AxiosResponse): AxiosResponse | Promise<never> {
  const { config, status } = response;
  const isAccepted = config.validateStatus ?? undefined;
  if (isAccepted === undefined || isAccepted(status)) return response;
  const code = status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST';
  return Promise.reject(
    adapterError(`Request failed with status code ${status}`, { code, config, response }),
  );
}

/** The exchange's own `timeout` has passed. */
export function timeoutError(config: InternalAxiosRequestConfig): Error {
  const code = config.transitional?.clarifyTimeoutError === true ? 'ETIMEDOUT' : 'ECONNABORTED';
  return adapterError(config.timeoutErrorMessage ?? `timeout of ${config.timeout ?? 0}ms exceeded`, {
    code,
    config,
  });
}

/** The exchange's signal or cancel token has fired. */
export function cancelledError(config: InternalAxiosRequestConfig): Error {
  const error = adapterError('canceled', { code: 'ERR_CANCELED', config });
  return Object.assign(error, { name: 'CanceledError', __CANCEL__: true });
}

interface ErrorFacts {
  readonly code: string;
  readonly config: InternalAxiosRequestConfig;
  readonly response?: AxiosResponse;
}

function adapterError(message: string, { code, config, response }: ErrorFacts): Error {
  const answer = response === undefined ? {} : { response, status: response.status };
  const error = Object.assign(new Error(message), {
    name: 'AxiosError',
    isAxiosError: true,
    code,
    config,
    ...answer,
  });
  const request = response === undefined ? {} : { request: response.request as unknown };
  const toJSON = (): object => ({ name: error.name, message, code, status: response?.status ?? null });
  return Object.assign(error, { ...request, toJSON });
}
