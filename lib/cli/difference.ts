import { boundedText } from '../hint/bounded-text.js';
import { hintMsOf } from '../policy/decide.js';
import { instantText, spanText } from './amount-text.js';
import type { Basis, Rejudged } from './course.js';
import { decisionDataOf } from './decision-data.js';
import type { DecisionData } from './decision-data.js';
import { groundsText } from './grounds-text.js';

/** One decision that comes out otherwise. */
export interface Difference {
  /** `record`: the record has another decision than its own terms give. `policy`: the other policy has. */
  readonly kind: 'record' | 'policy';
  readonly operation: string;
  readonly atEpochMs: number;
  readonly method: string;
  readonly origin: string;
  readonly route: string;
  readonly exchange: number;
  readonly decided: JudgedDecision;
  readonly wouldBe: JudgedDecision;
}

/** A decision with what was weighed for it, as plain data. */
export interface JudgedDecision {
  readonly decision: DecisionData['decision'] | 'beyond-record';
  readonly row?: number;
  readonly because?: string;
  readonly delayMs?: number;
  readonly floor?: string;
  /** In words, with the numbers compared. */
  readonly why?: string;
  readonly weighed?: Weighed;
}

export interface Weighed {
  readonly verdict: string;
  readonly knowledge: string;
  readonly exchangesLeft: number;
  readonly allowanceEmpty: boolean;
  readonly ownBackoffMs: number;
  readonly reserveMs: number;
  readonly hintMs?: number;
  readonly maxHintMs?: number;
  readonly remainingMs?: number;
}

export function judgedDecisionOf(rejudged: Rejudged): JudgedDecision {
  if (rejudged.kind === 'beyond-record') return { decision: 'beyond-record', why: rejudged.why };
  const { decision, basis } = rejudged;
  const weighed = weighedOf(basis);
  return {
    ...decisionDataOf(decision),
    why: groundsText(decision, basis),
    ...(weighed === undefined ? {} : { weighed }),
  };
}

function weighedOf({ facts, knowledge }: Basis): Weighed | undefined {
  if (facts === undefined) return undefined;
  const { verdict, exchangesLeft, allowanceEmpty, ownBackoffMs, reserveMs, maxHintMs, remainingMs } = facts;
  const hintMs = hintMsOf(facts.hint);
  return {
    ...{ verdict, knowledge, exchangesLeft, allowanceEmpty, ownBackoffMs, reserveMs },
    ...(hintMs === undefined ? {} : { hintMs }),
    ...(maxHintMs === undefined ? {} : { maxHintMs }),
    ...(remainingMs === undefined ? {} : { remainingMs }),
  };
}

/** As people read it: three lines. */
export function differenceText(difference: Difference): string {
  const { operation, atEpochMs, method, origin, route, exchange, decided, wouldBe, kind } = difference;
  const place = boundedText(`${method} ${origin}${route}`);
  const [was, is] = kind === 'record' ? ['recorded', 'recomputed'] : ['decided', 'would be'];
  return [
    `${place}  exchange ${exchange}  (operation ${boundedText(operation)}, ${instantText(atEpochMs)})`,
    `  ${was.padEnd(10)}  ${lineOf(decided)}`,
    `  ${is.padEnd(10)}  ${lineOf(wouldBe)}`,
    '',
  ].join('\n');
}

/** The decision in a word or two; the same for all that are counted together. */
export function decisionWord({ decision, because }: JudgedDecision): string {
  if (decision === 'beyond-record') return 'what the record does not hold';
  return boundedText(because ?? decision);
}

function lineOf(judged: JudgedDecision): string {
  const { decision, row, delayMs, why } = judged;
  const what = decision === 'stop' ? `stop: ${decisionWord(judged)}` : decisionWord(judged);
  const when = decision === 'again' && delayMs !== undefined ? ` after ${spanText(delayMs)}` : '';
  const grounds = why === undefined ? '' : `   ${row === undefined ? '' : `row ${row}: `}${why}`;
  return `${what}${when}`.padEnd(24) + grounds;
}
