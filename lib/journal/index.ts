// Contents page of `axios-heed/journal`.
export { journalRing } from './journal-ring.js';
export type { JournalRing } from './journal-ring.js';
export { tee } from './tee.js';
export { toConsole } from './to-console.js';
export type { ConsoleOptions, LineConsole } from './to-console.js';
export { toLogger, toPino } from './to-logger.js';
export type { LoggedEntry, MessageFirstLogger, ObjectFirstLogger } from './to-logger.js';
export { levelOf } from './level-of.js';
export type { JournalLevel } from './level-of.js';
export { sentenceOf } from './sentence-of.js';
export { parseJournal } from './parse-journal.js';
export type { ParsedJournal } from './parse-journal.js';
export { readJournal } from './read-journal.js';
export type { JournalChunks, JournalReading } from './read-journal.js';
export type { JournalReport, UnreadableLine } from './journal-report.js';
export type { UnreadableReason } from './read-line.js';
