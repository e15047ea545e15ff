// Packs the package once and installs the tarball in an empty project, without any network: axios and its
// dependencies are copied from node_modules first, so npm finds them where it would put them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(root, 'node_modules');

/** Two thirds of the files of date-fns, which cost more than all the rest of the suite to copy. */
const unused = /date-fns[\\/](fp|locale[\\/][^\\/]+)[\\/]/;

export default function setup() {
  const directory = mkdtempSync(join(tmpdir(), 'axios-heed-package-'));
  process.env.PACKED_DIRECTORY = directory;
  try {
    install(pack(directory), directory);
  } catch (error) {
    teardown(); // jest does not call it after a setup that threw
    throw error;
  }
}

export function teardown() {
  rmSync(process.env.PACKED_DIRECTORY, { recursive: true, force: true });
}

function pack(directory) {
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  writeFileSync(join(directory, 'files.json'), JSON.stringify(packed.files.map(({ path }) => path)));
  return join(directory, packed.filename);
}

/** For a peer npm asks the registry even when it is there; told not to, it takes what it finds. */
function install(tarball, directory) {
  const consumer = join(directory, 'consumer');
  mkdirSync(join(consumer, 'node_modules'), { recursive: true });
  writeFileSync(join(consumer, 'package.json'), JSON.stringify(manifest(), null, 2));
  for (const name of ['axios', 'date-fns']) copyWithDependencies(name, consumer);
  const offline = ['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...offline, tarball], { cwd: consumer, stdio: 'pipe' });
}

function manifest() {
  const axios = readManifest('axios').version;
  return { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies: { axios } };
}

function copyWithDependencies(name, consumer) {
  const target = join(consumer, 'node_modules', name);
  if (existsSync(target)) return;
  cpSync(join(modules, name), target, { recursive: true, filter: (path) => !unused.test(path) });
  for (const dependency of Object.keys(readManifest(name).dependencies ?? {})) {
    if (!existsSync(join(target, 'node_modules', dependency))) copyWithDependencies(dependency, consumer);
  }
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
}
