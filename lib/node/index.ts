// Contents page of `axios-heed/node`.
export { journalFile } from './journal-file.js';
export type { JournalFile, JournalFileOptions } from './journal-file.js';
export { readJournalFile } from './read-journal-file.js';
export { journalChannel } from './journal-channel.js';
