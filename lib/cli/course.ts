import type { Knowledge, Observation, Verdict } from '../model.js';
import { isSettled } from '../policy/decide.js';
import type { Decision, DecisionFacts } from '../policy/decide.js';
import { judgmentOf, weigh } from '../policy/judgment.js';
import type { Circumstances } from '../policy/judgment.js';
import { knowledgeOf, worseKnowledge } from '../policy/knowledge.js';
import { verdictOf } from '../policy/verdict.js';
import { observationOf } from './replayed-entry.js';
import type { ObservationEntry, OpenedEntry, WeighedEntry } from './replayed-entry.js';
import type { Terms } from './terms.js';

/** What comes of judging an exchange anew. */
export type Rejudged =
  | { readonly kind: 'decided'; readonly decision: Decision; readonly basis: Basis }
  /** It would have gone another way before there was anything to decide, and of that the record has nothing. */
  | { readonly kind: 'beyond-record'; readonly why: string };

/** What a decision stands on. */
export interface Basis {
  readonly observation: Observation;
  readonly knowledge: Knowledge;
  readonly terms: Terms;
  readonly method: string;
  /** Absent: nothing was weighed, as with a success. */
  readonly facts?: DecisionFacts;
}

/** Whether the allowance would have been empty. */
export type AllowanceAsked = (weighed: WeighedEntry) => boolean;

export const AS_RECORDED: AllowanceAsked = ({ allowanceEmpty }) => allowanceEmpty;

/** One operation under one set of terms, exchange by exchange: what the loop does, without time and dice. */
export class Course {
  readonly #opened: OpenedEntry;
  readonly #terms: Terms;
  readonly #isAllowanceEmpty: AllowanceAsked;
  #worst: Knowledge = 'not-sent';
  #exchange: Exchange | undefined;
  #isKeyed: boolean = false;

  constructor(opened: OpenedEntry, terms: Terms, allowance: AllowanceAsked) {
    this.#opened = opened;
    this.#terms = terms;
    this.#isAllowanceEmpty = allowance;
  }

  observe(entry: ObservationEntry): void {
    const { notApplied } = this.#terms;
    const observation = observationOf(entry);
    const knowledge = typeof notApplied === 'string' ? entry.knowledge : knowledgeOf(observation, notApplied);
    this.#exchange = { entry, observation, knowledge, inDoubt: this.#worst === 'unknown' };
    this.#worst = worseKnowledge(this.#worst, knowledge);
  }

  /** The caller has found out that the server did not apply the request, so the exchange is judged again. */
  notApplied(): void {
    this.#worst = 'not-applied';
    if (this.#exchange !== undefined) this.#exchange = { ...this.#exchange, knowledge: 'not-applied' };
  }

  /** Of a success there is nothing weighed. `undefined`: there was no exchange. */
  judge(weighed: WeighedEntry | undefined): Rejudged | undefined {
    const exchange = this.#exchange;
    if (exchange === undefined) return undefined;
    this.#isKeyed = weighed?.request.keyed ?? this.#isKeyed;
    const remainingMs = this.#remainingMs(exchange.entry, weighed);
    return this.#cut(exchange, remainingMs) ?? this.#decide(exchange, weighed, remainingMs);
  }

  /** Under another budget an exchange in flight would have been cut sooner, or not where it was. */
  #cut(exchange: Exchange, remainingMs: number | undefined): Rejudged | undefined {
    if (this.#terms.budget.kind === 'recorded' || remainingMs === undefined) return undefined;
    // What is only observed goes as if nothing were there: no deadline cuts it.
    const isCut = remainingMs <= 0 && this.#opened.mode === 'act';
    if (isCut) return { kind: 'decided', decision: PASSED, basis: this.#basis(exchange) };
    return exchange.observation.end === 'deadline' ? NOT_CUT : undefined;
  }

  #decide(exchange: Exchange, weighed: WeighedEntry | undefined, remainingMs: number | undefined): Rejudged {
    const { resolved, hint } = exchange.observation;
    const verdict = this.#verdictOf(exchange);
    const basis = this.#basis(exchange);
    if (isSettled({ verdict, resolved })) return { kind: 'decided', decision: SETTLED, basis };
    if (weighed === undefined) return NO_SUCCESS;
    const observed = { verdict, resolved, hint };
    const circumstances = {
      ...circumstancesOf(weighed),
      knowledge: exchange.knowledge,
      deadlinePassed: this.#isPassed(weighed, remainingMs),
      allowanceEmpty: this.#isAllowanceEmpty(weighed),
      ...(remainingMs === undefined ? {} : { remainingMs }),
    };
    const terms = { ...this.#terms, backoff: this.#backoff(weighed) };
    const { decision, facts } = judgmentOf(observed, weigh(observed, circumstances, terms), terms);
    return { kind: 'decided', decision, basis: { ...basis, method: weighed.request.method, facts } };
  }

  #isPassed({ deadlinePassed }: WeighedEntry, remainingMs: number | undefined): boolean {
    return this.#terms.budget.kind === 'recorded'
      ? deadlinePassed
      : remainingMs !== undefined && remainingMs <= 0;
  }

  #basis({ observation, knowledge }: Exchange): Basis {
    return { observation, knowledge, terms: this.#terms, method: this.#opened.method };
  }

  #backoff({ backoffMs }: WeighedEntry): Exclude<Terms['backoff'], string> | (() => number) {
    const { backoff } = this.#terms;
    return typeof backoff === 'string' ? () => backoffMs : backoff;
  }

  // draft-ietf-httpapi-idempotency-key-header: 409 to a key whose first request may still be at work.
  #verdictOf({ entry, observation, inDoubt }: Exchange): Verdict {
    const { transient } = this.#terms;
    if (typeof transient === 'string') return entry.verdict;
    const { status, classified } = observation;
    if (inDoubt && status === 409 && classified === undefined && this.#isKeyed) return 'transient';
    return verdictOf(observation, transient);
  }

  #remainingMs(observed: ObservationEntry, weighed: WeighedEntry | undefined): number | undefined {
    const { budget } = this.#terms;
    const recordedMs = weighed?.remainingMs;
    switch (budget.kind) {
      case 'recorded':
        return recordedMs;
      case 'moved':
        return recordedMs === undefined
          ? budget.budgetMs - this.#goneMs(observed, weighed)
          : recordedMs + budget.byMs;
      case 'counted':
        return Math.min(budget.budgetMs - this.#goneMs(observed, weighed), recordedMs ?? budget.budgetMs);
    }
  }

  // A jump of the wall clock ends an operation where it is judged, but cuts no exchange in flight.
  #goneMs(observed: ObservationEntry, weighed: WeighedEntry | undefined): number {
    const { monoMs, atEpochMs } = this.#opened;
    if (weighed === undefined) return observed.monoMs - monoMs;
    return Math.max(weighed.monoMs - monoMs, weighed.atEpochMs - atEpochMs);
  }
}

/** Without what the recorded policy made of them. */
function circumstancesOf(weighed: WeighedEntry): Circumstances {
  const { exchange, cancelled, deadlinePassed, serverSaidNo, request } = weighed;
  const { knowledge, allowanceEmpty, roll, smoothedMs } = weighed;
  return {
    ...{ exchange, cancelled, deadlinePassed, serverSaidNo, request, knowledge, allowanceEmpty, roll },
    ...(smoothedMs === undefined ? {} : { smoothedMs }),
  };
}

interface Exchange {
  readonly entry: ObservationEntry;
  readonly observation: Observation;
  /** Of this exchange; after a `reconcile` what that found out. */
  readonly knowledge: Knowledge;
  readonly inDoubt: boolean;
}

const SETTLED: Decision = { kind: 'settle', row: 1 };
const PASSED: Decision = { kind: 'stop', row: 3, because: 'deadline-passed' };

const NOT_CUT: Rejudged = {
  kind: 'beyond-record',
  why: 'the exchange would not have been cut here, and its answer is not in the record',
};
const NO_SUCCESS: Rejudged = {
  kind: 'beyond-record',
  why: 'the answer would not have been taken for a success, and of one nothing is weighed',
};
