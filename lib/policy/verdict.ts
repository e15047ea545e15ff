import type { HintReading, VerdictReading } from '../hint/hint.js';
import type { Observation, Verdict } from '../model.js';
import { yesOrNo } from './no-answer.js';

/** Which failures may heal: a list of statuses, or a question asked about failures only, never a success. */
export type TransientRule = readonly number[] | ((observation: Observation) => boolean);

/**
 * A limit is 429, whatever else; what the server itself calls one; or 403, 413, 503 and every transient status
 * when they carry a hint: only an explicit word of the server makes those a matter for everyone of the scope.
 */
export function verdictOf(observation: Observation, transient: TransientRule): Verdict {
  if (observation.classified !== undefined) return observation.classified;
  switch (observation.end) {
    case 'answer':
    case 'cut-answer':
      return verdictOfAnswer(observation, transient);
    case 'redirect':
      return 'redirect';
    case 'network-failure':
    case 'timeout':
      return mayHeal(observation, transient) ? 'transient' : 'final';
    case 'local-failure':
    case 'cancelled':
    case 'deadline':
      return 'final';
  }
}

function verdictOfAnswer(observation: Observation, transient: TransientRule): Verdict {
  if (observation.status === 429 || isSaid(observation, 'limit') || isRefusalWithHint(observation))
    return 'limit';
  if (succeeded(observation)) return 'final';
  const waits = asksToWait(observation.hint) && !isLostSuccess(observation);
  // What a 503 means with a hint, RFC 9110 15.6.4 says; `transient` says what may heal without one.
  if (waits && observation.status === 503) return 'limit';
  if (!isSaid(observation, 'transient') && !mayHeal(observation, transient)) return 'final';
  return waits ? 'limit' : 'transient';
}

/** A refusal that is no matter of time, unless the server names one. */
export function isRefusalWithHint({ status, hint }: Observation): boolean {
  return (status === 403 || status === 413) && asksToWait(hint);
}

function asksToWait({ kind }: HintReading): boolean {
  return kind === 'hint' || kind === 'overflow';
}

/** Whether a reader, or `classify`, found that the server calls its answer a limit. */
export function isCalledLimit(observation: Observation): boolean {
  return observation.classified === 'limit' || isSaid(observation, 'limit');
}

/** Whether a reader found that judgment of the server in its answer. */
export function isSaid({ hint }: Observation, verdict: VerdictReading['verdict']): boolean {
  return hint.said?.some((one) => one.verdict === verdict) === true;
}

function mayHeal(observation: Observation, transient: TransientRule): boolean {
  if (typeof transient === 'function') return yesOrNo('transient', transient(observation));
  const { status } = observation;
  return status === undefined || isLostSuccess(observation) || transient.includes(status);
}

// A hint on a success is about polling (RFC 9110 10.2.3), so neither a whole nor a broken one limits.
function succeeded({ end, resolved, status }: Observation): boolean {
  return end === 'answer' && (status === undefined ? resolved : status < 400);
}

function isLostSuccess({ end, status }: Observation): boolean {
  return end === 'cut-answer' && (status === undefined || status < 400);
}
