import type { JournalReport } from '../journal/journal-report.js';
import type { JournalEntry } from '../operation/journal-entry.js';
import { boundedText } from '../hint/bounded-text.js';
import { countText, instantText, spanText } from './amount-text.js';
import { reportTexts } from './replay-text.js';
import { Tally } from './tally.js';

/** A journal in a few lines. */
export class JournalSums {
  readonly #ends: Tally = new Tally();
  readonly #answers: Tally = new Tally();
  readonly #holds: Tally = new Tally();
  #fromEpochMs: number | undefined;
  #toEpochMs: number | undefined;
  #opened: number = 0;
  #closed: number = 0;
  #exchanges: number = 0;
  #waits: number = 0;
  #waitedMs: number = 0;
  #longestMs: number = 0;

  read(entry: JournalEntry): void {
    this.#fromEpochMs ??= entry.atEpochMs;
    this.#toEpochMs = entry.atEpochMs;
    switch (entry.event) {
      case 'operation-opened':
        this.#opened += 1;
        break;
      case 'operation-closed':
        this.#closed += 1;
        this.#ends.add([entry.outcome, ...(entry.because === undefined ? [] : [entry.because])].join(': '));
        break;
      case 'observation':
        this.#exchanges += 1;
        this.#answers.add(String(entry.status ?? entry.code ?? entry.end));
        break;
      case 'wait-ended':
        this.#waits += 1;
        this.#waitedMs += entry.waitedMs;
        this.#longestMs = Math.max(this.#longestMs, entry.waitedMs);
        break;
      case 'gate-hold-began':
        this.#holds.add(entry.gate);
        break;
      default:
        break;
    }
  }

  text(report: JournalReport): string {
    const [from, to] = [this.#fromEpochMs, this.#toEpochMs];
    const when =
      from === undefined || to === undefined ? '' : ` from ${instantText(from)} to ${instantText(to)}`;
    const waits =
      this.#waits === 0
        ? 'No waits.'
        : `${countText(this.#waits, 'wait')}: ${spanText(this.#waitedMs)} in all, the longest ${spanText(this.#longestMs)}.`;
    return [
      `${countText(this.#opened, 'operation')}${when}.`,
      ...linesOf(this.#ends),
      `${countText(this.#exchanges, 'exchange')}.`,
      ...linesOf(this.#answers),
      waits,
      ...(this.#holds.isEmpty ? [] : ['Holds by gate:', ...linesOf(this.#holds)]),
      ...reportTexts({ unfinished: Math.max(0, this.#opened - this.#closed) }, report),
      '',
    ].join('\n');
  }
}

function linesOf(tally: Tally): readonly string[] {
  return tally.counts().map(([word, count]) => `${String(count).padStart(9)}  ${boundedText(word)}`);
}
