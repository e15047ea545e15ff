import { parseArgs } from 'node:util';

/** What was asked for. */
export type CommandLine =
  | { readonly command: 'help' | 'version' }
  | {
      readonly command: 'replay';
      readonly journal: string;
      readonly policy: string | undefined;
      readonly form: 'text' | 'json';
    }
  | {
      readonly command: 'show';
      readonly journal: string;
      readonly operation: string | undefined;
      readonly form: 'stories' | 'summary';
    };

/** It cannot be done as it was asked for; the message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}

/** @throws UsageError */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parsed(args);
  if (values.help === true) return { command: 'help' };
  if (values.version === true) return { command: 'version' };
  const [command, journal, ...more] = positionals;
  if (command === undefined) throw new UsageError('expected a command, replay or show');
  if (command !== 'replay' && command !== 'show')
    throw new UsageError(`expected the command replay or show, got '${command}'`);
  if (journal === undefined)
    throw new UsageError(`expected a journal after ${command}: a file, or - for stdin`);
  if (more.length > 0) throw new UsageError(`expected one journal, got also '${more.join("', '")}'`);
  const { policy, operation, json, summary } = values;
  if (command === 'replay') {
    refuse({ operation, summary }, command);
    return { command, journal, policy, form: json === true ? 'json' : 'text' };
  }
  refuse({ policy, json }, command);
  return { command, journal, operation, form: summary === true ? 'summary' : 'stories' };
}

function refuse(options: Readonly<Record<string, unknown>>, command: string): void {
  const [other] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) throw new UsageError(`expected options of ${command}, got --${other}`);
}

interface Parsed {
  readonly values: {
    readonly policy?: string | undefined;
    readonly operation?: string | undefined;
    readonly json?: boolean | undefined;
    readonly summary?: boolean | undefined;
    readonly help?: boolean | undefined;
    readonly version?: boolean | undefined;
  };
  readonly positionals: readonly string[];
}

function parsed(args: readonly string[]): Parsed {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const OPTIONS = {
  policy: { type: 'string' },
  json: { type: 'boolean' },
  operation: { type: 'string' },
  summary: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

export const HELP: string = `axios-heed reads the journal of axios-heed, a file of one JSON entry a line.

  axios-heed replay <journal> [--policy <file>] [--json]
      Decides every recorded exchange again and shows what comes out otherwise than it is recorded; with
      --policy what would come out otherwise under another policy: a JSON file with options of heed() that
      are data (budget, reserve, maxHint, exchanges, backoff, jitter, transient, notApplied, allowance).
      Spans are milliseconds or date-fns Durations; a JSON file cannot hold functions. What it does not
      name stays as recorded. --json: one JSON object a line, the summary last.

  axios-heed show <journal> [--operation <id>] [--summary]
      Tells the story of each operation, with what happened at its gates; or the sum of it.

<journal> is a file, read together with those that it was rotated into, or - for standard input.
-h, --help    -v, --version

Exit code: 0 no difference, 1 differences, 2 the journal or the command line cannot be read.
`;
