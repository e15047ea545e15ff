import { AxiosError, AxiosHeaders, CanceledError } from 'axios';
import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Clock } from '../../lib/time/clock';

/**
 * A server without a network: it plays its script, one step an exchange, and the last step for ever after.
 * Errors are axios' own, as its adapters make them; signal, cancel token and `timeout` are obeyed.
 */
export function scriptedAdapter(clock: Clock, script: Script): ScriptedAdapter {
  const sent: SentExchange[] = [];
  const stepFor = (exchange: SentExchange): Step => {
    if (typeof script === 'function') return script(exchange);
    return script[exchange.number - 1] ?? script.at(-1) ?? { status: 200 };
  };
  const adapter: AxiosAdapter = (config) => {
    const exchange = recordOf(config, { number: sent.length + 1, atMonoMs: clock.monoMs() });
    sent.push(exchange);
    return play(clock, exchange, stepFor(exchange)).finally(() => {
      exchange.endedMonoMs = clock.monoMs();
    });
  };
  return { adapter, sent, times: () => sent.map(({ atMonoMs }) => atMonoMs) };
}

export interface ScriptedAdapter {
  readonly adapter: AxiosAdapter;
  /** What reached the server, in order. */
  readonly sent: readonly SentExchange[];
  /** When, on the monotonic clock. */
  times(): readonly number[];
}

export type Script = readonly Step[] | ((exchange: SentExchange) => Step);

/** What the server does with one exchange, `afterMs` (0) after it was sent. */
export type Step = Answer | Failure | Silence | Throw;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly data?: unknown;
  readonly afterMs?: number;
  /** The body breaks off: as the http adapter tells it. */
  readonly cut?: boolean;
}

/** `code` as the adapter gives it; `causeCode` as fetch hides the system's own. */
export interface Failure {
  readonly code: string;
  readonly causeCode?: string;
  readonly message?: string;
  readonly afterMs?: number;
}

/** No answer, ever: a timeout or a signal has to end it. */
export interface Silence {
  readonly silent: true;
}

/** Thrown at once, before there is a promise, or as the promise's rejection. */
export interface Throw {
  readonly throws: unknown;
  readonly how?: 'at-once' | 'rejecting';
}

export interface SentExchange {
  readonly number: number;
  readonly atMonoMs: number;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  readonly config: InternalAxiosRequestConfig;
  endedMonoMs?: number;
}

function recordOf(
  config: InternalAxiosRequestConfig,
  stamp: Pick<SentExchange, 'number' | 'atMonoMs'>,
): SentExchange {
  const headers = Object.entries(AxiosHeaders.from(config.headers).toJSON()).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    ...stamp,
    method: (config.method ?? 'get').toUpperCase(),
    url: `${config.baseURL ?? ''}${config.url ?? ''}`,
    headers: Object.fromEntries(headers),
    data: config.data,
    config,
  };
}

function play(clock: Clock, { config }: SentExchange, step: Step): Promise<AxiosResponse> {
  if ('throws' in step) {
    if (step.how !== 'rejecting') throw step.throws;
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- adapters of others reject with anything
    return Promise.reject(step.throws);
  }
  const undo: (() => void)[] = [];
  const ended = new Promise<AxiosResponse>((resolve, reject) => {
    const cancel = (): void => reject(new CanceledError(undefined, config));
    const { signal, cancelToken, timeout = 0 } = config;
    if (signal?.aborted === true || cancelToken?.reason !== undefined) {
      cancel();
      return;
    }
    signal?.addEventListener?.('abort', cancel);
    undo.push(() => signal?.removeEventListener?.('abort', cancel));
    cancelToken?.subscribe(cancel);
    undo.push(() => cancelToken?.unsubscribe(cancel));
    if (timeout > 0) undo.push(clock.setTimer(timeout, () => reject(timeoutError(config))));
    if (!('silent' in step)) {
      const end = (): void =>
        'status' in step ? answer(config, step, { resolve, reject }) : reject(failure(config, step));
      if ((step.afterMs ?? 0) === 0) end();
      else undo.push(clock.setTimer(step.afterMs ?? 0, end));
    }
  });
  return ended.finally(() => {
    for (const one of undo) one();
  });
}

function timeoutError(config: InternalAxiosRequestConfig): AxiosError {
  const code = config.transitional?.clarifyTimeoutError === true ? 'ETIMEDOUT' : 'ECONNABORTED';
  return new AxiosError(`timeout of ${config.timeout ?? 0}ms exceeded`, code, config, {});
}

function failure(
  config: InternalAxiosRequestConfig,
  { code, causeCode, message = code }: Failure,
): AxiosError {
  const error = new AxiosError(message, code, config, {});
  if (causeCode !== undefined) error.cause = Object.assign(new Error(causeCode), { code: causeCode });
  return error;
}

function answer(
  config: InternalAxiosRequestConfig,
  { status, headers = {}, data = '', cut = false }: Answer,
  { resolve, reject }: { resolve: (response: AxiosResponse) => void; reject: (error: AxiosError) => void },
): void {
  const response: AxiosResponse = {
    status,
    statusText: '',
    headers: AxiosHeaders.from(headers as Record<string, string>),
    data,
    config,
    request: {},
  };
  if (cut) {
    reject(new AxiosError('stream has been aborted', 'ERR_BAD_RESPONSE', config, {}, response));
    return;
  }
  const accepts = config.validateStatus;
  if (accepts === null || accepts === undefined || accepts(status)) {
    resolve(response);
    return;
  }
  const code = status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST';
  reject(new AxiosError(`Request failed with status code ${status}`, code, config, {}, response));
}
