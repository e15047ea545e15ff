// Packs once and lets publint and are-the-types-wrong look at the tarball that would be published.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const directory = mkdtempSync(join(tmpdir(), 'axios-heed-pack-'));
try {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { stdio: 'inherit' });
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory]);
  const tarball = join(directory, JSON.parse(packed.toString())[0].filename);
  const checks = [
    ['publint', 'run', tarball, '--strict'],
    ['attw', tarball, '--no-emoji', '--format', 'table-flipped'],
  ];
  for (const [tool, ...args] of checks) {
    const { status } = spawnSync(join('node_modules/.bin', tool), args, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
