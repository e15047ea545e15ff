import type { JournalSource } from './journal-source.js';
import { JournalSums } from './journal-sums.js';
import { reportTexts } from './replay-text.js';
import { Storybook } from './storybook.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './command-line.js';

interface ShowRequest {
  readonly operation: string | undefined;
  readonly form: 'stories' | 'summary';
}

/**
 * Writes the story of each operation when it is over, or the sum of them all.
 * @throws UsageError when the operation that was asked for is not in the journal
 */
export async function runShow(
  journal: JournalSource,
  { operation, form }: ShowRequest,
  terminal: Terminal,
): Promise<void> {
  const tell = form === 'summary' ? tellSums : tellStories;
  const found = await tell(journal, operation, terminal);
  if (operation !== undefined && found === 0)
    throw new UsageError(`there is no operation '${operation}' in the journal`);
}

/** Gives how many entries it has summed up. */
async function tellSums(
  journal: JournalSource,
  operation: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const sums = new JournalSums();
  let found = 0;
  for await (const entry of journal) {
    if ((operation ?? entry.operation) !== entry.operation) continue;
    found += 1;
    sums.read(entry);
  }
  if (operation === undefined || found > 0) await terminal.write(sums.text(journal.report));
  return found;
}

/** Gives how many stories it has told. */
async function tellStories(
  journal: JournalSource,
  operation: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const storybook = new Storybook(operation);
  let told = 0;
  const tell = async (texts: Iterable<string>): Promise<void> => {
    for (const text of texts) {
      told += 1;
      await terminal.write(text);
    }
  };
  for await (const entry of journal) await tell(storybook.read(entry));
  await tell(storybook.end());
  for (const line of reportTexts({}, journal.report)) await terminal.write(`${line}\n`);
  return told;
}
