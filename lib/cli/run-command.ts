import { HELP, readCommandLine, UsageError } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { JournalSource } from './journal-source.js';
import { readPolicyFile } from './read-policy-file.js';
import { runReplay } from './run-replay.js';
import { runShow } from './run-show.js';
import { Screen } from './screen.js';
import type { Terminal } from './terminal.js';
import { versionOf } from './version.js';

/** Runs one command line and gives its exit code: 0 no difference, 1 differences, 2 it cannot be read. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const screen = new Screen(terminal);
  try {
    return await run(readCommandLine(args), terminal, screen);
  } catch (error) {
    if (error instanceof UsageError) screen.complain(error.message, 'Try: axios-heed --help');
    else screen.complain(String(error));
    return 2;
  }
}

async function run(line: CommandLine, terminal: Terminal, screen: Screen): Promise<0 | 1 | 2> {
  switch (line.command) {
    case 'help':
      await screen.write(HELP);
      return 0;
    case 'version':
      await screen.write(`${versionOf(terminal.program)}\n`);
      return 0;
    case 'replay':
    case 'show':
      return read(line, new JournalSource(line.journal, terminal), screen);
  }
}

async function read(line: ReadingLine, journal: JournalSource, screen: Screen): Promise<0 | 1> {
  if (line.command === 'show') {
    await runShow(journal, line, screen);
    return 0;
  }
  const change = line.policy === undefined ? undefined : await readPolicyFile(line.policy);
  return (await runReplay(journal, { change, form: line.form }, screen)) === 'same' ? 0 : 1;
}

type ReadingLine = CommandLine & { readonly command: 'replay' | 'show' };
