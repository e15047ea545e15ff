import { hintMsOf } from '../policy/decide.js';
import type { Decision, DecisionFacts } from '../policy/decide.js';
import { spanText } from './amount-text.js';
import type { Basis } from './course.js';

/** Why the table says so: the numbers that its row has compared. */
export function groundsText({ row }: Decision, basis: Basis): string {
  const { facts } = basis;
  switch (row) {
    case 1:
      return `success: ${endText(basis)}`;
    case 2:
      return 'the caller cancelled';
    case 3:
      return facts?.remainingMs === undefined
        ? 'the deadline has passed'
        : `the deadline has passed: ${spanText(facts.remainingMs)} left`;
    case 4:
      return `the server said no: ${endText(basis)}`;
    case 5:
      return `neither a limit nor transient: ${endText(basis)}`;
    case 6:
      return `permission denied to a ${basis.method} of which this is known: ${basis.knowledge}`;
    default:
      return facts === undefined ? '' : waitText(row, facts, basis);
  }
}

function waitText(row: number, facts: DecisionFacts, { terms }: Basis): string {
  const { exchangesLeft, maxHintMs, reserveMs, remainingMs } = facts;
  switch (row) {
    case 7:
      return `exchanges spent: ${terms.exchanges - exchangesLeft} of ${terms.exchanges}`;
    case 8:
      return 'a failure without a limit, and the allowance is empty';
    case 9:
      return facts.hint.kind === 'overflow' || maxHintMs === undefined
        ? 'the hint is too long for any wait'
        : `${floorText(facts)} > maxHint ${spanText(maxHintMs)}`;
    case 10:
      return `${floorText(facts)} + reserve ${spanText(reserveMs)} > ${spanText(remainingMs ?? 0)} left`;
    default:
      return remainingMs === undefined
        ? `${floorText(facts)}, no deadline`
        : `${floorText(facts)} + reserve ${spanText(reserveMs)} <= ${spanText(remainingMs)} left`;
  }
}

/** What sets the wait: the longer of the two. */
function floorText({ hint, ownBackoffMs }: DecisionFacts): string {
  const hintMs = hintMsOf(hint);
  return hintMs !== undefined && hintMs > ownBackoffMs
    ? `hint ${spanText(hintMs)}`
    : `own backoff ${spanText(ownBackoffMs)}`;
}

function endText({ observation: { end, status, code } }: Basis): string {
  const what = status === undefined ? code : `status ${status}`;
  return what === undefined ? end : end === 'answer' ? what : `${end}, ${what}`;
}
