import { AS_RECORDED, Course } from './course.js';
import type { AllowanceAsked, Rejudged } from './course.js';
import { decisionDataOf, isSameDecision, recordedDecisionOf } from './decision-data.js';
import { judgedDecisionOf } from './difference.js';
import type { Difference, JudgedDecision } from './difference.js';
import type { PolicyChange } from './policy-change.js';
import type { DecisionEntry, ObservationEntry, OpenedEntry, WeighedEntry } from './replayed-entry.js';
import { changedTerms, recordedTerms } from './terms.js';

/** What comes to light at one entry. */
export type Found =
  /** Judged anew. `spends`: it takes a re-send of the allowance. */
  | { readonly kind: 'judged'; readonly difference: Difference | undefined; readonly spends: boolean }
  /** After a difference the record tells of another story than the one that would have been. */
  | { readonly kind: 'not-compared' }
  /** What would have to be weighed is not in the record. */
  | { readonly kind: 'not-judged' }
  /** A recorded decision, compared with what its own terms give. */
  | { readonly kind: 'recorded'; readonly difference: Difference | undefined };

/** One operation: judged again under its recorded terms, and under those of another policy. */
export class OperationReplay {
  readonly #opened: OpenedEntry;
  readonly #recorded: Course;
  readonly #changed: Course | undefined;
  #hasDiffered: boolean = false;
  #observed: ObservationEntry | undefined;
  #isAwaited: boolean = false;
  /** Until the recorded decision has come. */
  #judged: Rejudged | undefined;

  constructor(opened: OpenedEntry, change: PolicyChange | undefined, allowance: AllowanceAsked) {
    this.#opened = opened;
    this.#recorded = new Course(opened, recordedTerms(opened), AS_RECORDED);
    this.#changed = change && new Course(opened, changedTerms(opened, change), allowance);
  }

  observe(entry: ObservationEntry): readonly Found[] {
    // `heed: false`: nobody decides.
    if (this.#opened.mode === 'bare') return [];
    const unjudged = this.close();
    this.#recorded.observe(entry);
    this.#changed?.observe(entry);
    this.#observed = entry;
    this.#isAwaited = true;
    // Of a success nothing is weighed.
    const isSuccess = entry.verdict === 'final' && entry.resolved;
    return isSuccess ? [...unjudged, this.#judge(entry)] : unjudged;
  }

  weigh(entry: WeighedEntry): readonly Found[] {
    const isAwaited = this.#isAwaited && this.#observed?.exchange === entry.exchange;
    return isAwaited ? [this.#judge(entry)] : [];
  }

  /** What has been found out about a write in doubt; one that was not applied is weighed again. */
  reconcile(outcome: string): void {
    if (outcome !== 'not-applied' || this.#observed === undefined) return;
    this.#recorded.notApplied();
    this.#changed?.notApplied();
    this.#isAwaited = true;
  }

  compare(entry: DecisionEntry): readonly Found[] {
    const judged = this.#judged;
    if (judged === undefined || this.#observed?.exchange !== entry.exchange) return [];
    this.#judged = undefined;
    const decided = recordedDecisionOf(entry);
    const isRight = judged.kind === 'decided' && isSameDecision(decisionDataOf(judged.decision), decided);
    const difference = isRight ? undefined : this.#difference('record', decided, judged);
    return [{ kind: 'recorded', difference }];
  }

  /** Nothing more will come of this operation, or of its last exchange. */
  close(): readonly Found[] {
    return this.#isAwaited ? [{ kind: 'not-judged' }] : [];
  }

  #judge(entry: ObservationEntry | WeighedEntry): Found {
    const weighed = entry.event === 'weighed' ? entry : undefined;
    this.#isAwaited = false;
    const judged = this.#recorded.judge(weighed);
    this.#judged = judged;
    const other = this.#hasDiffered ? undefined : this.#changed?.judge(weighed);
    if (judged === undefined || this.#hasDiffered) return { kind: 'not-compared' };
    if (other === undefined || isSame(judged, other)) {
      return { kind: 'judged', difference: undefined, spends: isSpending(other) };
    }
    this.#hasDiffered = true;
    const difference = this.#difference('policy', judgedDecisionOf(judged), other);
    return { kind: 'judged', difference, spends: isSpending(other) };
  }

  #difference(kind: Difference['kind'], decided: JudgedDecision, judged: Rejudged): Difference {
    const { operation, method, origin, route } = this.#opened;
    const { exchange = 0, atEpochMs = this.#opened.atEpochMs } = this.#observed ?? {};
    const wouldBe = judgedDecisionOf(judged);
    return { kind, operation, atEpochMs, method, origin, route, exchange, decided, wouldBe };
  }
}

function isSame(one: Rejudged, other: Rejudged): boolean {
  if (one.kind !== 'decided' || other.kind !== 'decided') return one.kind === other.kind;
  return isSameDecision(decisionDataOf(one.decision), decisionDataOf(other.decision));
}

/** Whether it takes a re-send of the allowance. */
function isSpending(judged: Rejudged | undefined): boolean {
  if (judged?.kind !== 'decided') return false;
  return judged.decision.kind === 'again' && judged.basis.facts?.verdict === 'transient';
}
