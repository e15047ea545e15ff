// Builds dist/esm and dist/cjs with plain tsc: one file out for every file in.
// --if-stale builds only when dist is missing or older than its sources.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const marker = 'dist/cjs/package.json'; // written last, so its age is the age of the build
const configs = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.build-cjs.json'];

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

rmSync('dist', { recursive: true, force: true });
const codes = await Promise.all(configs.slice(1).map(compile));
if (codes.some((code) => code !== 0)) process.exit(1);
writeFileSync(marker, '{"type":"commonjs"}\n');

async function compile(config) {
  const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config], {
    stdio: 'inherit',
  });
  return (await once(tsc, 'exit'))[0];
}

function isFresh() {
  const built = statSync(marker, { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && Math.max(newest('lib'), ...configs.map(modified)) < built;
}

/** A directory's own time counts too: it moves when a file in it is removed. */
function newest(directory) {
  const inside = readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? newest(path) : modified(path);
  });
  return Math.max(modified(directory), ...inside);
}

function modified(path) {
  return statSync(path).mtimeMs;
}
