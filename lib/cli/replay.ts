import type { JournalEntry } from '../operation/journal-entry.js';
import { AS_RECORDED } from './course.js';
import type { AllowanceAsked } from './course.js';
import type { Difference } from './difference.js';
import { decisionWord } from './difference.js';
import { OpenOperations } from './open-operations.js';
import { OperationReplay } from './operation-replay.js';
import type { Found } from './operation-replay.js';
import type { PolicyChange } from './policy-change.js';
import { isOwned } from './replayed-entry.js';
import type { OpenedEntry, OwnedEntry, WeighedEntry } from './replayed-entry.js';
import { SharedAllowance } from './shared-allowance.js';
import { Tally } from './tally.js';

/** What a replay has found in all; complete once every entry is read. */
export interface ReplaySummary {
  readonly operations: number;
  /** That were judged anew. */
  readonly decisions: number;
  /** Of them those that the other policy decides otherwise. */
  readonly different: number;
  /** `again -> deadline-too-near`, and how often. */
  readonly byReason: Readonly<Record<string, number>>;
  /** Came after the first difference of their operation. */
  readonly notCompared: number;
  /** Exchanges of which the record lacks what would have to be weighed. */
  readonly notJudged: number;
  /** Recorded decisions that there were to compare with, and those that are not what their terms give. */
  readonly recorded: number;
  readonly recordedDifferently: number;
  readonly withoutOpening: number;
  readonly unfinished: number;
}

/** Feeds the entries of a journal, one by one, to the pure decision core. Keeps open operations only. */
export class Replay {
  readonly #change: PolicyChange | undefined;
  readonly #allowance: SharedAllowance | undefined;
  readonly #asked: AllowanceAsked;
  readonly #open: OpenOperations = new OpenOperations();
  readonly #reasons: Tally = new Tally();
  readonly #count = { ...NOTHING };

  constructor(change?: PolicyChange) {
    this.#change = change;
    this.#allowance = change?.allowance === undefined ? undefined : new SharedAllowance(change.allowance);
    const allowance = this.#allowance;
    this.#asked = allowance === undefined ? AS_RECORDED : (weighed) => allowance.isEmpty(weighed);
  }

  /** The differences that come to light with this entry. */
  read(entry: JournalEntry): readonly Difference[] {
    if (!isOwned(entry)) return [];
    if (entry.event === 'operation-opened') this.#begin(entry);
    const replay = this.#open.get(entry.operation);
    if (replay !== undefined) return this.#feed(replay, entry).flatMap((found) => this.#counted(found));
    if (entry.event === 'operation-closed') this.#count.withoutOpening += 1;
    return [];
  }

  summary(): ReplaySummary {
    const { unfinished } = this.#open;
    return { ...this.#count, unfinished, byReason: Object.fromEntries(this.#reasons.counts()) };
  }

  #begin(entry: OpenedEntry): void {
    this.#count.operations += 1;
    this.#open.begin(entry.operation, new OperationReplay(entry, this.#change, this.#asked));
    this.#open.keep(entry.operation, entry);
  }

  #feed(replay: OperationReplay, entry: OwnedEntry): readonly Found[] {
    switch (entry.event) {
      case 'exchange-sent':
        if (entry.exchange === 1) this.#allowance?.earn(entry);
        return [];
      case 'observation':
        this.#open.keep(entry.operation, entry);
        return replay.observe(entry);
      case 'weighed':
        return this.#spending(replay.weigh(entry), entry);
      case 'reconciled':
        replay.reconcile(entry.outcome);
        return [];
      case 'decision':
        return replay.compare(entry);
      case 'operation-closed':
        this.#open.end(entry.operation);
        return replay.close();
      default:
        return [];
    }
  }

  #spending(found: readonly Found[], entry: WeighedEntry): readonly Found[] {
    if (found.some((one) => one.kind === 'judged' && one.spends)) this.#allowance?.spend(entry);
    return found;
  }

  #counted(found: Found): readonly Difference[] {
    const count = this.#count;
    switch (found.kind) {
      case 'judged':
        count.decisions += 1;
        return this.#told(found.difference);
      case 'not-compared':
        count.notCompared += 1;
        return [];
      case 'not-judged':
        count.notJudged += 1;
        return [];
      case 'recorded':
        count.recorded += 1;
        if (found.difference !== undefined) count.recordedDifferently += 1;
        return this.#told(found.difference);
    }
  }

  #told(difference: Difference | undefined): readonly Difference[] {
    if (difference === undefined) return [];
    const { kind, decided, wouldBe } = difference;
    if (kind === 'policy') this.#count.different += 1;
    this.#reasons.add(`${decisionWord(decided)} -> ${decisionWord(wouldBe)}`);
    return [difference];
  }
}

const NOTHING = {
  operations: 0,
  decisions: 0,
  different: 0,
  notCompared: 0,
  notJudged: 0,
  recorded: 0,
  recordedDifferently: 0,
  withoutOpening: 0,
};
