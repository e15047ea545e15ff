/** What a policy's `classify` sees of an answer. */
export interface AnswerFacts {
  readonly status: number;
  /** Lower or upper case; several lines come joined by a comma. */
  readonly header: (name: string) => string | undefined;
  /** The body as the adapter gave it, before axios' transforms: JSON is still text. */
  readonly data: unknown;
  /** The body read as JSON; `undefined` where it is none. */
  readonly json: () => unknown;
}

/**
 * The policy's own word on an answer: `limit` for "not now" (with the wait in ms, where the body tells),
 * `transient` for a failure that may heal, `final` for one that will not.
 */
export type Classification =
  | { readonly kind: 'limit'; readonly delayMs?: number | undefined }
  | { readonly kind: 'transient' }
  | { readonly kind: 'final' };

/** Judges one answer; `undefined` leaves it to its status. What it throws rejects the call. */
export type Classify = (answer: AnswerFacts) => Classification | undefined;
