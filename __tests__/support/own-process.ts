import { buildSync } from 'esbuild';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program of its own that may import `axios` (the one under test) and `axios-heed` (lib, as it stands). */
export function ownProgram(text: string): OwnProgram {
  const directory = mkdtempSync(join(tmpdir(), 'axios-heed-'));
  const file = join(directory, 'program.cjs');
  buildSync({
    stdin: { contents: text, resolveDir: join(__dirname, '../..') },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    alias: { 'axios-heed': join(__dirname, '../../lib/index.ts'), axios: require.resolve('axios') },
  });
  return {
    run: (environment) => run(file, environment),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export interface OwnProgram {
  run(environment: Readonly<Record<string, string>>): Promise<Run>;
  remove(): void;
}

/** What came of it: times count from its start. */
export interface Run {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
  /** From the last line that it printed to its end. */
  readonly lingeredMs: number;
}

const LONGEST_RUN_MS = 20_000;

function run(file: string, environment: Readonly<Record<string, string>>): Promise<Run> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment },
    timeout: LONGEST_RUN_MS,
  });
  let output = '';
  let errors = '';
  let printedAtMs = performance.now();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    printedAtMs = performance.now();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => {
      resolve({ exitCode, output, errors, lingeredMs: performance.now() - printedAtMs });
    });
  });
}
