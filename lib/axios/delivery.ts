import { CanceledError, isAxiosError, isCancel } from './axios-error.js';
import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { known } from '../hint/known.js';
import type { Journal } from '../operation/journal.js';
import type { Ending, Received } from '../operation/ports.js';
import type { StopReason } from '../reasons.js';
import { cancelReasonOf } from './cancellation.js';
import { attachJournal, ownError } from './errors.js';
import type { HeedReport } from './errors.js';
import { shownTarget } from './request-target.js';
import type { RequestTarget } from './request-target.js';
import type { Settled } from './response-interceptor.js';

/** An exchange that has ended, with what its adapter gave. */
export interface AxiosReceived extends Received, Settled {}

/** What is needed to hand an operation's end to the application. */
export interface Delivery {
  readonly config: InternalAxiosRequestConfig;
  readonly journal: Journal;
  readonly mode: 'act' | 'observe' | 'bare';
  readonly target: RequestTarget;
  readonly idempotencyKey: string | undefined;
  /** The last error that came with an answer of the server, of any exchange. */
  readonly serverError: unknown;
}

/**
 * The response, or what its caller would have got without this package, explained.
 * @throws the error of the last exchange with `heed` added; ours where there is none to give
 */
export function deliver(ending: Ending<AxiosReceived>, delivery: Delivery): AxiosResponse {
  const { last, because } = ending;
  // `validateStatus` may let the server's refusal pass as an answer: then it is one, also when it is the last.
  if (last?.response && last.observation.resolved && because !== 'cancelled') {
    last.response.config = delivery.config;
    attachJournal(last.response, delivery.journal);
    return last.response;
  }
  const error = errorOf(ending, delivery);
  if (isAxiosError(error) && Object.isExtensible(error)) explain(error, ending, delivery);
  attachJournal(error, delivery.journal);
  throw error;
}

function explain(error: AxiosError, ending: Ending<AxiosReceived>, delivery: Delivery): void {
  try {
    error.config = delivery.config;
    if (ending.cause !== undefined) error.cause = ending.cause as Error;
    if (error.response) error.response.config = delivery.config;
    // Operations that went past the gates keep their errors as they are.
    if (delivery.mode === 'act' && ending.because !== undefined)
      Object.assign(error, { heed: reportOf(ending, ending.because, delivery) });
  } catch {
    // An adapter's own error that cannot be written to is the caller's all the same.
  }
}

function errorOf(ending: Ending<AxiosReceived>, delivery: Delivery): unknown {
  const { last, because } = ending;
  if (because === 'cancelled') return canceled(last?.error, delivery);
  const cutByUs = last?.observation.end === 'deadline';
  if (last !== undefined && !cutByUs) return last.error;
  const message = messageOf(ending, delivery);
  return ownError({ message, code: codeOf(because) }, delivery.config, delivery.serverError);
}

// A cancel stays axios' own, and tells why where the platform can say so.
function canceled(rejected: unknown, { config }: Delivery): unknown {
  const error = isCancel(rejected)
    ? rejected
    : new CanceledError(config.cancelToken?.reason?.message, config);
  const reason = cancelReasonOf(config);
  if (error.cause === undefined && reason !== undefined) error.cause = reason as Error;
  return error;
}

/** `ERR_HEED_QUEUE_FULL` and its kin: the reason, but that all of a deadline are one, and all of a body. */
export function codeOf(because: StopReason | 'ended' = 'ended'): string {
  return `ERR_HEED_${because
    .replace(/^(deadline|body)-.*/, '$1')
    .replaceAll('-', '_')
    .toUpperCase()}`;
}

function reportOf(ending: Ending<AxiosReceived>, reason: StopReason, delivery: Delivery): HeedReport {
  const { releaseAtEpochMs, waitMs, knowledge, earlierOutcome, retryable, exchanges } = ending;
  return known({
    reason,
    message: messageOf(ending, delivery),
    releaseAt: releaseAtEpochMs,
    waitMs,
    knowledge,
    earlierOutcome,
    idempotencyKey: knowledge === 'unknown' ? delivery.idempotencyKey : undefined,
    retryable,
    exchanges,
    operationId: delivery.journal.operation,
  });
}

function messageOf(ending: Ending<AxiosReceived>, { target }: Delivery): string {
  const { exchanges, tookMs, last, because, waitMs, retryable } = ending;
  const { status, code } = last?.observation ?? {};
  const seen = status === undefined ? code : `status ${status}`;
  const sent = exchanges === 1 ? '1 exchange' : `${exchanges} exchanges`;
  const lastSeen = seen === undefined ? '' : `, last ${seen}`;
  const wait = waitMs === undefined || !retryable ? '' : `; may go again in ${seconds(waitMs)}`;
  return `${shownTarget(target)}: ${because ?? 'ended'} after ${sent} in ${seconds(tookMs)}${lastSeen}${wait}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 3 : 0)} s`;
}
