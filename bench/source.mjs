// The package's present source, bundled: no build step between an edit and its figures. Packages stay
// outside, and resolve from here: axios-heed runs on the same axios as its peers.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = fileURLToPath(new URL('node_modules/.cache/axios-heed/', import.meta.url));

/** Imports a module given as TypeScript text whose relative imports start at the root of the package. */
export async function importSource(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    target: 'es2022',
    write: false,
  });
  const { text } = outputFiles[0];
  // A name by content: Node caches modules by name, and two runs may go on at once.
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`);
  mkdirSync(folder, { recursive: true });
  dropOld();
  writeFileSync(file, text);
  return await import(pathToFileURL(file).href);
}

/** Bundles of an hour ago and more, which no run can still be loading. */
function dropOld() {
  for (const name of readdirSync(folder)) {
    const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (mtimeMs < Date.now() - 3_600_000) rmSync(join(folder, name), { force: true });
  }
}
