import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../lib/cli/run-command';

/** What a command wrote, and its exit code. */
export interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly complaints: string;
}

/** Runs the command line in this process, with what stands on its standard input. */
export async function ran(args: readonly string[], stdin: Iterable<string | Uint8Array> = []): Promise<Ran> {
  let [out, complaints] = ['', ''];
  const exitCode = await runCommand(args, {
    stdin: (async function* () {
      yield* stdin;
    })(),
    write: async (text) => void (out += text),
    complain: (text) => void (complaints += text),
    program: __filename,
  });
  return { exitCode, out, complaints };
}

/** Files in a folder of their own, which is gone afterwards. */
export async function withFiles<T>(
  files: Readonly<Record<string, string>>,
  use: (path: (name: string) => string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'axios-heed-cli-'));
  const path = (name: string): string => join(folder, name);
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
