import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';

type Interceptor = (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig;

/** An interceptor on an instance, as long as the application lets it be. */
export interface Registration {
  /** Puts it on where it is not. */
  readonly add: () => void;
  /** Takes it off where it still is. */
  readonly remove: () => void;
}

/** Applications may clear all interceptors, and axios gives the numbers of those to the next that come. */
export function registration({ interceptors }: AxiosInstance, own: Interceptor): Registration {
  const { request } = interceptors;
  let number = -1;
  const isOn = (): boolean => request.handlers?.some((one) => (one as Handler)?.fulfilled === own) === true;
  return {
    add: () => {
      // Synchronous, so that axios need not turn asynchronous for it.
      if (!isOn()) number = request.use(own, null, { synchronous: true });
    },
    remove: () => {
      if (isOn()) request.eject(number);
    },
  };
}

/** Whatever the types say, there is `null` where one was taken off. */
type Handler = { readonly fulfilled: unknown } | null;
