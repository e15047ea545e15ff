import type { JournalEntry } from '../operation/journal-entry.js';

/**
 * How much an entry matters. `warn`: an operation that ended without success though sending again might have
 * helped, a hook or a store that failed. `info`: what a gate does to everybody, what is sent again, how
 * operations end that did not go well at once. `debug`: every other step, also events that it does not know.
 * Never throws, whatever it is given.
 */
export function levelOf(entry: JournalEntry): JournalLevel {
  try {
    return ownLevelOf(entry);
  } catch {
    // By another hand: nothing to be read, or a getter that throws.
    return 'debug';
  }
}

function ownLevelOf(entry: JournalEntry): JournalLevel {
  switch (entry.event) {
    case 'operation-closed':
      if (entry.outcome === 'stopped' || entry.outcome === 'refused') {
        return entry.because === 'not-transient' ? 'info' : 'warn';
      }
      return entry.outcome === 'succeeded' && entry.exchanges <= 1 ? 'debug' : 'info';
    case 'decision':
      return entry.decision === 'again' ? 'info' : 'debug';
    case 'hook-ended':
      return entry.how === 'failed' || entry.how === 'hook-timed-out' ? 'warn' : 'debug';
    default:
      return LEVELS.get(entry.event) ?? 'debug';
  }
}

/** How much an entry matters: `debug`, `info` or `warn`. */
export type JournalLevel = (typeof JOURNAL_LEVELS)[number];

/** From the least to the most. */
export const JOURNAL_LEVELS = ['debug', 'info', 'warn'] as const;

const LEVELS: ReadonlyMap<JournalEntry['event'], JournalLevel> = new Map<JournalEntry['event'], JournalLevel>(
  [
    ['reconciled', 'info'],
    ['concluded', 'info'],
    ['gate-hold-began', 'info'],
    ['gate-verdict', 'info'],
    ['gate-overshoot', 'info'],
    ['gate-opened', 'info'],
    ['gate-proven', 'info'],
    ['gate-released-by-hand', 'info'],
    ['gate-evicted', 'info'],
    ['gate-store-failed', 'warn'],
    ['gate-store-recovered', 'info'],
    ['gate-store-ignored', 'warn'],
  ],
);
