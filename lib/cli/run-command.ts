import { HELP, readCommandLine, UsageError } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { JournalSource } from './journal-source.js';
import { readPolicyFile } from './read-policy-file.js';
import { runReplay } from './run-replay.js';
import { runShow } from './run-show.js';
import type { Terminal } from './terminal.js';
import { versionOf } from './version.js';

/** Runs one command line and gives its exit code: 0 no difference, 1 differences, 2 it cannot be read. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  try {
    return await run(readCommandLine(args), terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(`axios-heed: ${error.message}\nTry: axios-heed --help\n`);
    return 2;
  }
}

async function run(line: CommandLine, terminal: Terminal): Promise<0 | 1 | 2> {
  switch (line.command) {
    case 'help':
      await terminal.write(HELP);
      return 0;
    case 'version':
      await terminal.write(`${versionOf(terminal.program)}\n`);
      return 0;
    case 'replay':
    case 'show':
      return read(line, terminal);
  }
}

async function read(
  line: CommandLine & { readonly command: 'replay' | 'show' },
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  const journal = new JournalSource(line.journal, terminal);
  if (line.command === 'show') {
    await runShow(journal, line, terminal);
    return 0;
  }
  const change = line.policy === undefined ? undefined : await readPolicyFile(line.policy);
  return (await runReplay(journal, { change, form: line.form }, terminal)) === 'same' ? 0 : 1;
}
