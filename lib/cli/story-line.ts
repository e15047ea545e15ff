import { boundedText } from '../hint/bounded-text.js';
import { sentenceOf } from '../journal/sentence-of.js';
import type { JournalEntry } from '../operation/journal-entry.js';

/** What is kept of an entry until its story is told: words, for the entry itself may be of any size. */
export interface StoryLine {
  /** In the file, which is the order of what happened, also of several clients. */
  readonly place: number;
  readonly monoMs: number;
  readonly operation: string | undefined;
  readonly sentence: string;
}

export function storyLineOf(entry: JournalEntry, place: number): StoryLine {
  const { monoMs, operation } = entry;
  return {
    place,
    monoMs,
    operation: operation === undefined ? undefined : keptKey(operation),
    sentence: kept(sentenceOf(entry)),
  };
}

/** Whose it was, where that has to be said. */
export function withOperation(sentence: string, operation: string | undefined): string {
  return operation === undefined ? sentence : `${sentence} (operation ${boundedText(operation)})`;
}

/** Tells the gates of several clients in one file from each other: they may have one label. */
export function gateKey(client: string, label: string): string {
  return keptKey(`${client} ${label}`);
}

/** Whose entry it is: a gate's says so, and the name of an operation begins with it. */
export function clientIn(entry: JournalEntry): string {
  const { client, operation }: Readonly<Record<string, unknown>> = { ...entry };
  if (typeof client === 'string') return client;
  return typeof operation === 'string' ? operation.slice(0, Math.max(0, operation.lastIndexOf('-'))) : '';
}

/** An id or a label from a file, as much of it as tells it from others; our own are shorter. */
export function keptKey(text: string): string {
  return text.length > MOST_KEY_CHARS ? kept(text.slice(0, MOST_KEY_CHARS)) : text;
}

const MOST_KEY_CHARS = 200;

// A copy: to V8 a piece of a long text is a view of it, which keeps all of it in memory.
function kept(text: string): string {
  return Buffer.from(text).toString();
}
