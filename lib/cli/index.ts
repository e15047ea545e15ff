#!/usr/bin/env node
// The program `axios-heed`; docs/cli.md.
import { once } from 'node:events';
import { runCommand } from './run-command.js';
import type { Terminal } from './terminal.js';

const { argv, stdin, stdout, stderr } = process;

const terminal: Terminal = {
  stdin,
  write: async (text) => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  },
  complain: (text) => {
    stderr.write(text);
  },
  program: argv[1] ?? '',
};

// `| head` reads no more than it needs, and then nobody is there to be told anything.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? 0 : 2);
});

void runCommand(argv.slice(2), terminal).then((exitCode) => {
  process.exitCode = exitCode;
});
