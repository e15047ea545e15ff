import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of the package that a program of it belongs to; bins are links into the package. */
export function versionOf(program: string): string {
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
    if (folder === dirname(folder)) return 'unknown';
  }
}

function versionIn(path: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
    return name === 'axios-heed' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
