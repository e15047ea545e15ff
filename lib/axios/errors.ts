import { AxiosError, isAxiosError } from './axios-error.js';
import type { InternalAxiosRequestConfig } from 'axios';
import type { Knowledge } from '../model.js';
import type { Journal } from '../operation/journal.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { HeedOptionsError, isObject } from '../option-checks.js';
import type { StopReason } from '../reasons.js';
import { discardStream } from './body.js';

/** What axios-heed adds to an error, as `error.heed`. Plain data: safe to log, no references back. */
export interface HeedReport {
  /** Why the operation went no further. */
  readonly reason: StopReason;
  /** One line for people: what was tried, how long, and why it ended. */
  readonly message: string;
  /** When the server, or the gate, lets requests of this scope go again: ms since 1970. */
  readonly releaseAt?: number;
  /** The same as a wait in ms, counted from the end of the operation. */
  readonly waitMs?: number;
  /** What is known of the exchanges, the worst over all of them. */
  readonly knowledge: Knowledge;
  /**
   * The server refused a write, but an exchange before that one may have been applied: a 404 for a DELETE, a
   * 412 for a PUT may be its trace.
   */
  readonly earlierOutcome?: 'unknown';
  /** When the outcome is unknown: the key that was sent, so that a later run can ask again with it. */
  readonly idempotencyKey?: string;
  /** Whether calling once more, after `releaseAt`, makes sense. A layer above must not retry a `false`. */
  readonly retryable: boolean;
  readonly exchanges: number;
  readonly operationId: string;
}

/** Whether an error was explained by axios-heed, by any copy of it. */
export function isHeedError(error: unknown): error is AxiosError & { readonly heed: HeedReport } {
  if (!isAxiosError(error) || !('heed' in error)) return false;
  const { heed } = error;
  return isObject(heed) && 'reason' in heed && 'operationId' in heed;
}

/** The journal of an operation, oldest entry first, from its response or its error; empty where there is none. */
export function journalOf(responseOrError: unknown): readonly JournalEntry[] {
  return carriedBy(responseOrError)?.entries() ?? [];
}

/** What hangs on it, by whichever copy of the package, or on the response of an error that came up above us. */
export function carriedBy(carrier: unknown): Pick<Journal, 'entries' | 'write'> | undefined {
  const found = carrier as Carrier | null | undefined;
  return found?.[JOURNAL] ?? found?.response?.[JOURNAL];
}

// Registered, so that two copies of the package understand each other; hidden, so that no logger prints it.
const JOURNAL = Symbol.for('axios-heed.journal');

interface Carrier {
  readonly [JOURNAL]?: Journal;
  readonly response?: { readonly [JOURNAL]?: Journal } | null;
}

/** Hangs the journal on what the application gets; on what cannot carry it, it is not. */
export function attachJournal(carrier: unknown, journal: Journal): void {
  // Of what is no object that is false, too.
  if (!Object.isExtensible(carrier)) return;
  Object.defineProperty(carrier as object, JOURNAL, { value: journal, configurable: true });
}

/** What the caller of a request gets of which nothing is sent: for refused options axios' own kind of error. */
export function refusal(cause: unknown, config: InternalAxiosRequestConfig): unknown {
  discardStream(config.data);
  return cause instanceof HeedOptionsError ? ownError(cause, config, cause) : cause;
}

/** Of axios' kind, because that is what callers expect. */
export function ownError(
  { message, code }: { readonly message: string; readonly code: string },
  config: InternalAxiosRequestConfig,
  cause: unknown,
): AxiosError {
  const error = new AxiosError(message, code, config);
  if (cause !== undefined) error.cause = cause as Error;
  return error;
}
