import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { JournalEntry } from '../operation/journal-entry.js';

/** A journal entry as it is met: another version may have written it, so no field is taken for granted. */
export type Facts = Readonly<Partial<Record<FieldOf<JournalEntry>, unknown>>>;

type FieldOf<Entry> = Entry extends unknown ? keyof Entry : never;

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : undefined;
}

// As much as the journal keeps of any text from outside.
const MOST_CHARACTERS = 128;

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Telemetry counts durations in seconds. */
export function secondsOf(ms: unknown): number | undefined {
  const known = numberOf(ms);
  return known === undefined || known < 0 ? undefined : known / 1000;
}

/** How long something that is to happen at an instant is still away. */
export function secondsUntil(atEpochMs: unknown, { atEpochMs: now }: Facts): number | undefined {
  const [until, from] = [numberOf(atEpochMs), numberOf(now)];
  return until === undefined || from === undefined ? undefined : Math.max(0, until - from) / 1000;
}

/** Without what is not known. */
export function known(attributes: Readonly<Record<string, AttributeValue | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
