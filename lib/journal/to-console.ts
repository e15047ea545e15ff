import type { JournalEntry, JournalListener } from '../operation/journal-entry.js';
import { checkOptions, methods } from './check-options.js';
import { JOURNAL_LEVELS, levelOf } from './level-of.js';
import type { JournalLevel } from './level-of.js';
import { oneLine } from './one-line.js';
import { OperationNames } from './operation-names.js';
import { quietly } from './quietly.js';
import { sentenceOf } from './sentence-of.js';

/**
 * Writes one readable line an entry to the console: when (UTC), which operation, what happened.
 * @throws TypeError for options that it does not know or cannot use
 */
export function toConsole(options: ConsoleOptions = {}): JournalListener {
  checkOptions('toConsole', options, RULES);
  const { least = 'info', console: own } = options;
  const silent = JOURNAL_LEVELS.slice(0, JOURNAL_LEVELS.indexOf(least));
  const names = new OperationNames();
  const log = (entry: JournalEntry): unknown => {
    const name = names.nameFor(entry);
    const level = levelOf(entry);
    if (silent.includes(level)) return undefined;
    const at = new Date(entry.atEpochMs).toISOString().slice(11, 23);
    const who = entry.operation === undefined ? '' : ` ${oneLine(entry.operation)}`;
    // Looked up now: consoles get replaced, by tests and by tools that collect what is written.
    const target: Readonly<Record<JournalLevel, (line: string) => unknown>> = own ?? console;
    return target[level](`[heed ${at}${who}] ${name === undefined ? '' : `${name}: `}${sentenceOf(entry)}`);
  };
  return (entry) => {
    quietly(() => log(entry));
  };
}

/** What is written, and where. */
export interface ConsoleOptions {
  /** What matters less is not written. @default 'info' */
  readonly least?: JournalLevel | undefined;
  /** @default the console of the platform */
  readonly console?: LineConsole | undefined;
}

/** As much of a console as is used. */
export type LineConsole = Readonly<Record<JournalLevel, (line: string) => void>>;

const RULES = {
  least: {
    expected: JOURNAL_LEVELS.map((level) => `'${level}'`).join(', '),
    fits: (value: unknown) => JOURNAL_LEVELS.some((level) => level === value),
  },
  console: methods(...JOURNAL_LEVELS),
};
