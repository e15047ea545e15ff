import { differenceText } from './difference.js';
import type { JournalSource } from './journal-source.js';
import type { PolicyChange } from './policy-change.js';
import { Replay } from './replay.js';
import { replayText } from './replay-text.js';
import type { Terminal } from './terminal.js';

interface ReplayRequest {
  readonly change: PolicyChange | undefined;
  readonly form: 'text' | 'json';
}

/** Writes every difference as it comes to light, and the summary. Gives whether there was any. */
export async function runReplay(
  journal: JournalSource,
  { change, form }: ReplayRequest,
  terminal: Terminal,
): Promise<'same' | 'different'> {
  const replay = new Replay(change);
  for await (const entry of journal) {
    for (const difference of replay.read(entry)) {
      await terminal.write(form === 'json' ? lineOf({ difference }) : `${differenceText(difference)}\n`);
    }
  }
  const summary = replay.summary();
  const { unreadable, dropped } = journal.report;
  const policy = change === undefined ? 'same' : 'other';
  await terminal.write(
    form === 'json'
      ? lineOf({ summary: { ...summary, unreadable, dropped } })
      : replayText(summary, journal.report, policy),
  );
  return summary.different + summary.recordedDifferently > 0 ? 'different' : 'same';
}

function lineOf(data: object): string {
  return `${JSON.stringify(data)}\n`;
}
