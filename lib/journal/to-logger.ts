import type { JournalEntry, JournalListener } from '../operation/journal-entry.js';
import { checkValue, methods } from './check-options.js';
import { JOURNAL_LEVELS, levelOf } from './level-of.js';
import type { JournalLevel } from './level-of.js';
import { OperationNames } from './operation-names.js';
import { quietly } from './quietly.js';
import { sentenceOf } from './sentence-of.js';

/**
 * Gives entries to a logger that takes the message first, as winston does: `info(sentence, { heed: entry })`.
 * @throws TypeError for what has no `debug`, `info` and `warn`
 */
export function toLogger(logger: MessageFirstLogger): JournalListener {
  checkValue('the logger of toLogger', logger, methods(...JOURNAL_LEVELS));
  return throughLevels(logger, (level, message, entry) => logger[level](message, { heed: entry }));
}

/**
 * Gives entries to a logger that takes the object first, as pino does: `info({ heed: entry }, sentence)`.
 * @throws TypeError for what has no `debug`, `info` and `warn`
 */
export function toPino(logger: ObjectFirstLogger): JournalListener {
  checkValue('the logger of toPino', logger, methods(...JOURNAL_LEVELS));
  return throughLevels(logger, (level, message, entry) => logger[level]({ heed: entry }, message));
}

/** The entry under one key of its own, so that it never writes over what the logger adds: time, level, host. */
export interface LoggedEntry {
  readonly heed: JournalEntry;
}

/** winston and its like. */
export interface MessageFirstLogger extends Levels {
  /** Takes a line of level `debug`. */
  debug(message: string, more: LoggedEntry): unknown;
  /** Takes a line of level `info`. */
  info(message: string, more: LoggedEntry): unknown;
  /** Takes a line of level `warn`. */
  warn(message: string, more: LoggedEntry): unknown;
}

/** pino and its like: bunyan, Fastify's. */
export interface ObjectFirstLogger extends Levels {
  /** Takes a line of level `debug`. */
  debug(more: LoggedEntry, message: string): unknown;
  /** Takes a line of level `info`. */
  info(more: LoggedEntry, message: string): unknown;
  /** Takes a line of level `warn`. */
  warn(more: LoggedEntry, message: string): unknown;
}

interface Levels {
  /** Where a logger has it, nothing is put into words that would not be written. */
  isLevelEnabled?(level: JournalLevel): boolean;
}

type Write = (level: JournalLevel, message: string, entry: JournalEntry) => unknown;

function throughLevels(logger: Levels, write: Write): JournalListener {
  const names = new OperationNames();
  const log = (entry: JournalEntry): unknown => {
    const name = names.nameFor(entry);
    const level = levelOf(entry);
    if (typeof logger.isLevelEnabled === 'function' && !logger.isLevelEnabled(level)) return undefined;
    return write(level, `${name === undefined ? '' : `${name}: `}${sentenceOf(entry)}`, entry);
  };
  return (entry) => {
    quietly(() => log(entry));
  };
}
