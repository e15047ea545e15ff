import type { JournalEntry } from '../operation/journal-entry.js';

/** A sentence for every event whose name is among these: the compiler finds the one that is missing. */
export type Sentences<Name extends EventName> = {
  readonly [Event in Name]: (entry: EntryOf<Event>) => string;
};

export type EventName = JournalEntry['event'];

/** The entry that has this event; one type of the union may have several. */
export type EntryOf<Event extends EventName, Entry = JournalEntry> = Entry extends {
  readonly event: infer Own;
}
  ? Event extends Own
    ? Entry
    : never
  : never;
