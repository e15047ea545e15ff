import type { Knowledge } from '../model.js';
import type { Denial, Grounds } from '../reasons.js';

/** What decides whether this operation may be sent again. A header of the server is not among it. */
export interface PermissionFacts {
  /** Upper case. */
  readonly method: string;
  /** The caller's own word, which overrules the method. */
  readonly idempotent: boolean | undefined;
  /** An `Idempotency-Key` goes with every exchange. */
  readonly keyed: boolean;
  readonly bodyReplayable: boolean;
  /** What is known of the last exchange. */
  readonly knowledge: Knowledge;
}

export type Permission =
  | { readonly kind: 'granted'; readonly grounds: Grounds }
  | { readonly kind: 'denied'; readonly because: Denial };

// RFC 9110 9.2.2; QUERY is safe and idempotent by its own specification.
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'DELETE',
  'QUERY',
]);

/** May this operation be sent again, given what is known of its last exchange? */
export function permissionFor(facts: PermissionFacts): Permission {
  const grounds = groundsFor(facts);
  if (grounds === undefined) {
    return { kind: 'denied', because: facts.knowledge === 'answered' ? 'answer-lost' : 'outcome-unknown' };
  }
  if (!facts.bodyReplayable) return { kind: 'denied', because: 'body-not-replayable' };
  return { kind: 'granted', grounds };
}

/** Whether repeating this request is harmless by itself, whatever became of an earlier exchange. */
export function isRepeatable(facts: Omit<PermissionFacts, 'knowledge' | 'bodyReplayable'>): boolean {
  return repeatableOn(facts) !== undefined;
}

function groundsFor(facts: PermissionFacts): Grounds | undefined {
  if (facts.knowledge === 'not-sent' || facts.knowledge === 'not-applied') return facts.knowledge;
  return repeatableOn(facts);
}

function repeatableOn(facts: Omit<PermissionFacts, 'knowledge' | 'bodyReplayable'>): Grounds | undefined {
  if (facts.idempotent === true) return 'declared-idempotent';
  if (facts.keyed) return 'idempotency-key';
  if (facts.idempotent === undefined && IDEMPOTENT_METHODS.has(facts.method)) return 'idempotent-method';
  return undefined;
}
