import { differenceText } from './difference.js';
import type { JournalSource } from './journal-source.js';
import type { PolicyChange } from './policy-change.js';
import { Replay } from './replay.js';
import { replayText } from './replay-text.js';
import type { Screen } from './screen.js';

interface ReplayRequest {
  readonly change: PolicyChange | undefined;
  readonly form: 'text' | 'json';
}

/** Writes every difference as it comes to light, and the summary. Gives whether there was any. */
export async function runReplay(
  journal: JournalSource,
  { change, form }: ReplayRequest,
  screen: Screen,
): Promise<'same' | 'different'> {
  const replay = new Replay(change);
  for await (const entry of journal) {
    for (const difference of replay.read(entry)) {
      await (form === 'json'
        ? screen.writeData({ difference })
        : screen.write(`${differenceText(difference)}\n`));
    }
  }
  const summary = replay.summary();
  const { unreadable, dropped } = journal.report;
  const policy = change === undefined ? 'same' : 'other';
  await (form === 'json'
    ? screen.writeData({ summary: { ...summary, unreadable, dropped } })
    : screen.write(replayText(summary, journal.report, policy)));
  return summary.different + summary.recordedDifferently > 0 ? 'different' : 'same';
}
