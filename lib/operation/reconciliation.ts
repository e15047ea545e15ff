import type { ScopeRequest } from '../scope/scope.js';

/** A write of which nobody knows what became of it. */
export interface DoubtfulOperation {
  readonly operationId: string;
  /** `answer-lost`: the server has answered, and the answer broke off. */
  readonly reason: Doubt;
  /** How many were sent. */
  readonly exchanges: number;
  /** What was sent, the config included. */
  readonly request: ScopeRequest;
  /** For requests made inside the hook through the same client, so that they cannot wait for themselves. */
  readonly bare: { readonly heed: false };
}

/** Why nobody knows: no answer came, or it broke off after the server had begun it. */
export type Doubt = 'outcome-unknown' | 'answer-lost';

/**
 * What became of it: `applied`, with the response that the caller is to get, where there is one;
 * `not-applied`, so that it may go again; or `unknown`.
 */
export type Reconciliation<Response> =
  | { readonly outcome: 'applied'; readonly response?: Response | undefined }
  | { readonly outcome: 'not-applied' }
  | { readonly outcome: 'unknown' };

/** What came of asking, as the loop goes on from it. */
export type Finding<R> =
  | { readonly kind: 'applied'; readonly received: R | undefined }
  | { readonly kind: 'not-applied' }
  /** `cause`: what the hook threw. */
  | { readonly kind: 'unknown'; readonly cause?: unknown }
  | { readonly kind: 'cancelled' };
