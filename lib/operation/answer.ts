import type { Answer } from '../gate/ticket.js';
import type { NamedScope } from '../hint/hint.js';
import type { Observation, Verdict } from '../model.js';
import type { Scope } from '../model.js';
import { hintMsOf } from '../policy/decide.js';
import { isServing } from '../policy/knowledge.js';

/**
 * What an exchange tells its gates. Judged by the class of the answer, never by the fate of the operation:
 * a 404 proves that the server serves, a lost 200 does not.
 */
export function answerOf(observation: Observation, verdict: Verdict, scopes: readonly Scope[]): Answer {
  const { end, status, receivedMonoMs, hint, answeredBy } = observation;
  // The host that was asked has answered with a redirect, whatever the other host said then.
  if (answeredBy !== undefined) return { kind: 'accepted', receivedMonoMs, quota: undefined };
  if (verdict === 'limit') return limitOf(observation, scopes);
  // How this side ended it says nothing of the server.
  if (end === 'local-failure' || end === 'cancelled' || end === 'deadline') return UNJUDGED;
  const isAccepted = (end === 'answer' || end === 'redirect') && isServing(status);
  return { kind: isAccepted ? 'accepted' : 'failed', receivedMonoMs, quota: hint.quota };
}

export const UNJUDGED: Answer = { kind: 'unjudged' };

function limitOf({ hint, receivedMonoMs }: Observation, scopes: readonly Scope[]): Answer {
  const named = hint.said?.find(({ scope }) => scope !== undefined)?.scope;
  const scope = named && scopeNamed(named, scopes);
  // A limit on what this request alone is about says nothing to anybody else.
  if (named?.reach === 'request' && scope === undefined) return UNJUDGED;
  // Gates bound what one answer may hold: an overflow is simply the longest there is.
  const hintMs = hint.kind === 'overflow' ? Number.MAX_SAFE_INTEGER : hintMsOf(hint);
  // A hint is the server's word on when a quota that is used up ends, whatever it said of that before.
  const quota =
    hintMs === undefined ? hint.quota : (hint.quota ?? []).filter(({ remaining }) => remaining > 0);
  return { kind: 'limited', receivedMonoMs, hintMs, scope, quota };
}

/** The widest scope of the request that has the part that the server names; else what its reach says. */
function scopeNamed({ by, value, reach }: NamedScope, scopes: readonly Scope[]): Scope | undefined {
  const having = scopes.filter((scope) => scope.some((part) => part.by === by && part.value === value));
  return having[having.length - 1] ?? (reach === 'widest' ? scopes[scopes.length - 1] : undefined);
}
