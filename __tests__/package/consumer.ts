import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const repository = join(__dirname, '../..');
const { PACKED_DIRECTORY: packed } = process.env;
if (packed === undefined) throw new Error('setup.mjs has not run: use the jest project `package`');

/** The empty project in which the tarball is installed. */
export const consumer: string = join(packed, 'consumer');
export const installed: string = join(consumer, 'node_modules/axios-heed');

/** Paths inside the tarball. */
export const tarballFiles: readonly string[] = JSON.parse(readFileSync(join(packed, 'files.json'), 'utf8'));

/** A second project, for types only: our declarations next to another axios among the dev dependencies. */
export function consumerWith(axiosAlias: string): string {
  const directory = join(dirname(consumer), axiosAlias);
  rmSync(directory, { recursive: true, force: true });
  cpSync(installed, join(directory, 'node_modules/axios-heed'), { recursive: true });
  cpSync(join(repository, 'node_modules', axiosAlias), join(directory, 'node_modules/axios'), {
    recursive: true,
  });
  return directory;
}

export function place(file: string, text: string, directory: string = consumer): string {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Runs a program text as a file of the consumer and reads the JSON that it prints. */
export function runInConsumer(file: string, text: string): unknown {
  const path = place(file, text);
  return JSON.parse(execFileSync(process.execPath, [path], { cwd: consumer, encoding: 'utf8' }));
}

/** What a compiler says to a tsconfig: an empty text means no error. */
export function compile(compiler: 'typescript' | 'typescript7', tsconfig: string): string {
  const tsc = join(repository, 'node_modules', compiler, 'bin/tsc');
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', tsconfig, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}
