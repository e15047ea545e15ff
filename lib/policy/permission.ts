import type { Knowledge } from '../model.js';
import type { Denial, Grounds } from '../reasons.js';

/** What decides whether this operation may be sent again. A header of the server is not among it. */
export interface PermissionFacts extends RequestNature {
  readonly bodyReplayable: boolean;
  /** What is known of the last exchange. */
  readonly knowledge: Knowledge;
}

export interface RequestNature {
  /** Upper case. */
  readonly method: string;
  /** The caller's own word, which overrules the method. */
  readonly idempotent?: boolean | undefined;
  /** An idempotency key goes with every exchange. */
  readonly keyed: boolean;
}

export type Permission =
  | { readonly kind: 'granted'; readonly grounds: Grounds }
  | { readonly kind: 'denied'; readonly because: Denial };

/** What a request is by itself. */
export type RequestKind = 'safe' | 'idempotent' | 'declared' | 'keyed' | 'unsafe';

type Row = Readonly<Record<Knowledge, Grounds | 'answer-lost' | 'outcome-unknown'>>;

// Whatever the request is: what was not done may be done.
const NOT_DONE = { 'not-sent': 'not-sent', 'not-applied': 'not-applied' } as const;

/**
 * The table: on what grounds a request of this kind may be sent again after an exchange of which this is
 * known, or why it may not. Printed in docs/permission.md from here.
 */
export const PERMISSION_TABLE: Readonly<Record<RequestKind, Row>> = {
  safe: harmless('idempotent-method'),
  idempotent: harmless('idempotent-method'),
  declared: harmless('declared-idempotent'),
  keyed: harmless('idempotency-key'),
  unsafe: { ...NOT_DONE, answered: 'answer-lost', unknown: 'outcome-unknown' },
};

function harmless(grounds: Grounds): Row {
  return { ...NOT_DONE, answered: grounds, unknown: grounds };
}

/** May this operation be sent again, given what is known of its last exchange? */
export function permissionFor(facts: PermissionFacts): Permission {
  const cell = PERMISSION_TABLE[kindOf(facts)][facts.knowledge];
  if (cell === 'answer-lost' || cell === 'outcome-unknown') return { kind: 'denied', because: cell };
  if (!facts.bodyReplayable) return { kind: 'denied', because: 'body-not-replayable' };
  return { kind: 'granted', grounds: cell };
}

/** Whether repeating this request is harmless by itself, whatever became of an earlier exchange. */
export function isRepeatable(request: RequestNature): boolean {
  return kindOf(request) !== 'unsafe';
}

/** Whether a request changes nothing at the server: RFC 9110 9.2.1, and QUERY by its own specification. */
export function isSafe(method: string): boolean {
  return /^(GET|HEAD|OPTIONS|TRACE|QUERY)$/.test(method);
}

// The caller's word comes before the key, and a key before the method.
function kindOf({ method, idempotent, keyed }: RequestNature): RequestKind {
  if (idempotent === true) return 'declared';
  if (keyed) return 'keyed';
  if (idempotent === false) return 'unsafe';
  if (isSafe(method)) return 'safe';
  // RFC 9110 9.2.2: idempotent without being safe.
  return /^(PUT|DELETE)$/.test(method) ? 'idempotent' : 'unsafe';
}
