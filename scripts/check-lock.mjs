// Lock files must name no registry: an address in one would bind every install to one host.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const folders = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const locks = ['.', ...folders.map(({ name }) => name)]
  .map((folder) => join(folder, 'package-lock.json'))
  .filter((path) => existsSync(path));
const addresses = locks.flatMap(addressesIn);

if (addresses.length > 0) {
  console.error(addresses.slice(0, 10).join('\n'));
  console.error(`${addresses.length} resolved addresses; a plain npm install strips them (see .npmrc).`);
  process.exit(1);
}

function addressesIn(lock) {
  return readFileSync(lock, 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      /"resolved"\s*:\s*"https?:/.test(line) ? [`${lock}:${at + 1}: ${line.trim()}`] : [],
    );
}
