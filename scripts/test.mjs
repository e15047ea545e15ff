// `npm test`: every suite, on the newest axios and on the older ones among the dev dependencies.
// With arguments it hands them to jest, for a part of the suites on the newest axios.
import { spawnSync } from 'node:child_process';
import { obtain } from './obtain.mjs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(`axios-heed is tested on Node 20 and newer; this is ${process.version}.`);
  process.exit(1);
}

const args = process.argv.slice(2);
const everything = args.length === 0;

// What a suite needs beyond npm is found or installed here. Where that fails, the line names what is missing,
// and the suite that needs it fails.
if (everything) for (const line of obtain(['chromium', 'redis-server'])) console.error(line);
run(process.execPath, ['scripts/build.mjs', '--if-stale']);
run(process.execPath, ['node_modules/jest/bin/jest.js', ...args], everything ? { AXIOS: 'all' } : {});

function run(command, commandArgs, environment = {}) {
  const { status } = spawnSync(command, commandArgs, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) process.exit(status ?? 1);
}
