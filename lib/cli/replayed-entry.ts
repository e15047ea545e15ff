import type {
  DecisionEvent,
  EntryStamp,
  JournalEntry,
  ObservationEvent,
  OperationOpenedEvent,
  WeighedEvent,
} from '../operation/journal-entry.js';
import type { Observation } from '../model.js';

export type OpenedEntry = Owned<OperationOpenedEvent>;
export type ObservationEntry = Owned<ObservationEvent>;
export type WeighedEntry = Owned<WeighedEvent>;
/** What was decided at the time. It is compared with, never computed from. */
export type DecisionEntry = Owned<DecisionEvent>;
export type OwnedEntry = Owned<JournalEntry>;

type Owned<Event> = EntryStamp & Event & { readonly operation: string };

export function isOwned(entry: JournalEntry): entry is OwnedEntry {
  return entry.operation !== undefined;
}

/** The facts as the core weighs them: the journal writes the parts of a hint side by side. */
export function observationOf(entry: ObservationEntry): Observation {
  const { hint, monoMs } = entry;
  return { ...entry, hint: hint.kind === 'hint' ? { ...hint, hint } : hint, receivedMonoMs: monoMs };
}
