/**
 * What a server counts, without a network: asked at an instant, it lets one request in or turns it away.
 * Instants are ms since the server began and must not go back. Models keep state: one per server.
 */
export interface QuotaModel {
  /** Counts one request that arrives at that instant. */
  admit(atMs: number): Admission;
  /**
   * Asked again when an accepted request's service time has passed: a server that broke down meanwhile has
   * lost it. Absent: what was admitted is answered.
   */
  finish?(admission: Accepted, atMs: number): Admission;
}

/** What became of one request. */
export type Admission = Accepted | Rejected;

/** Let in. */
export interface Accepted {
  readonly kind: 'accepted';
  /** How long the server works on it before it answers. */
  readonly serviceMs: number;
  readonly quota?: QuotaLeft;
}

/** Turned away: 429 for a quota, 503 for a server in trouble. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly status: 429 | 503;
  /** How long one more request would have to wait, in truth. */
  readonly waitMs: number;
  readonly quota?: QuotaLeft;
}

/** What a server that speaks of its quota says beside the answer. */
export interface QuotaLeft {
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Lets everything in. */
export function noLimit(options: { readonly serviceMs?: number | undefined } = {}): QuotaModel {
  const { serviceMs = 0 } = options;
  return { admit: () => ({ kind: 'accepted', serviceMs }) };
}
