import type { AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { responseInterceptor } from './response-interceptor.js';
import type { ObserverPorts, Settled } from './response-interceptor.js';

/** The private instance that exchanges go through: one fresh config per exchange. */
export interface Wire {
  send(config: InternalAxiosRequestConfig, exchange: ExchangeConfig): Promise<Settled>;
}

/** What is this exchange's own. */
export type ExchangeConfig = {
  readonly [Name in 'timeout' | 'signal' | 'beforeRedirect']?: InternalAxiosRequestConfig[Name] | undefined;
};

/**
 * A sibling of the application's instance, so that adapters are resolved by the same copy of axios: another
 * copy drops all headers. Its defaults are emptied, because the operation's config is merged already and a
 * second merge would put back what an interceptor or a logout removed.
 */
export function wireOf(instance: AxiosInstance, ports: ObserverPorts): Wire {
  const sibling = instance.create();
  const defaults = sibling.defaults as unknown as Record<string, unknown>;
  for (const key of Object.keys(defaults)) Reflect.deleteProperty(defaults, key);
  // Makes axios begin inside its promise chain: older ones hand what an adapter throws at once past the
  // response interceptor.
  sibling.interceptors.request.use((config) => config);
  const [onFulfilled, onRejected] = responseInterceptor(ports);
  // axios types a response interceptor as giving a response; what ours gives is read here and nowhere else.
  sibling.interceptors.response.use(onFulfilled as never, onRejected);
  return {
    send: (config, exchange) => sibling.request<never, Settled>(exchangeConfig(config, exchange)),
  };
}

// Merging copies the headers, so an adapter that writes into them (User-Agent, Content-Length) writes into
// this exchange's own.
function exchangeConfig(config: InternalAxiosRequestConfig, exchange: ExchangeConfig): AxiosRequestConfig {
  const own = { ...config, ...exchange, transformRequest: AS_IT_IS, transformResponse: AS_IT_IS };
  // axios types its optionals without `undefined`, and reads them as absent all the same.
  return own as AxiosRequestConfig;
}

// Transforms ran, or will run, once per operation on the application's instance.
const AS_IT_IS = [(data: unknown): unknown => data];
