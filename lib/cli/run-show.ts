import type { JournalSource } from './journal-source.js';
import { JournalSums } from './journal-sums.js';
import { reportTexts } from './replay-text.js';
import { Storybook } from './storybook.js';
import type { Screen } from './screen.js';
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
  screen: Screen,
): Promise<void> {
  const tell = form === 'summary' ? tellSums : tellStories;
  const found = await tell(journal, operation, screen);
  if (operation !== undefined && found === 0)
    throw new UsageError(`there is no operation '${operation}' in the journal`);
}

/** Gives how many entries it has summed up. */
async function tellSums(
  journal: JournalSource,
  operation: string | undefined,
  screen: Screen,
): Promise<number> {
  const sums = new JournalSums();
  let found = 0;
  for await (const entry of journal) {
    if ((operation ?? entry.operation) !== entry.operation) continue;
    found += 1;
    sums.read(entry);
  }
  if (operation === undefined || found > 0) await screen.write(sums.text(journal.report));
  return found;
}

/** Gives how many stories it has told. */
async function tellStories(
  journal: JournalSource,
  operation: string | undefined,
  screen: Screen,
): Promise<number> {
  const storybook = new Storybook(operation);
  let told = 0;
  const tell = async (texts: Iterable<string>): Promise<void> => {
    for (const text of texts) {
      told += 1;
      await screen.write(text);
    }
  };
  for await (const entry of journal) await tell(storybook.read(entry));
  await tell(storybook.end());
  for (const line of reportTexts({}, journal.report)) await screen.write(`${line}\n`);
  return told;
}
