import { channel } from 'node:diagnostics_channel';
import type { JournalListener } from '../operation/journal-entry.js';

/**
 * Publishes every entry on the diagnostics channel `axios-heed:journal`, for whoever in the process listens:
 * an agent, a test. While nobody does, an entry costs one look-up. A subscriber that throws is Node's to
 * report, as an uncaught exception; the client is not touched by it.
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
export function journalChannel(): JournalListener {
  const journal = channel('axios-heed:journal');
  return (entry) => {
    if (journal.hasSubscribers) journal.publish(entry);
  };
}
