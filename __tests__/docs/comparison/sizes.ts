import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { repository } from '../markdown';
import type { PackageName } from './peers';

/** A size as the table says it, where it is within a twentieth of what is measured: cores grow by a line. */
export async function size(name: PackageName, said: string): Promise<string> {
  const [, kilobytes = ''] = /^([\d.]+) kB$/.exec(said) ?? [];
  const bytes = await gzippedBytes(ENTRIES[name] ?? name);
  const close = Math.abs(Number(kilobytes) * 1000 - bytes) < Math.max(bytes / 20, 50);
  return close ? said : `${(bytes / 1000).toFixed(1)} kB`;
}

const ENTRIES: Partial<Record<PackageName, string>> = { 'axios-heed': './lib/index.ts' };

/** What a whole entry adds to an application, as scripts/size.mjs measures it: without axios. */
export async function gzippedBytes(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: repository,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['axios', 'node:*'],
    outdir: 'out',
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`nothing came of bundling ${entry}`);
  return gzipSync(output.contents, { level: 9 }).length;
}
