// Programs that suites need beyond npm: found on the PATH, or installed from Debian's packages by root.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Environment variables that name a program which is not on the PATH. */
const OVERRIDES = { chromium: 'CHROMIUM_PATH', 'redis-server': 'REDIS_SERVER' };

/** Installs what is missing, where it can; returns a line for each program that is missing still. */
export function obtain(programs) {
  const missing = programs.filter((program) => pathOf(program) === undefined);
  if (missing.length === 0) return [];
  if (mayInstall()) {
    console.log(`Installing ${missing.join(' and ')} for the suites that need them.`);
    apt(['update', '-qq']);
    apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]);
  }
  return missing
    .filter((program) => pathOf(program) === undefined)
    .map(
      (program) => `Missing: ${program}. Install it, or name it in ${OVERRIDES[program]}; its suite fails.`,
    );
}

/** Where a program is; `undefined` when it is nowhere. */
export function pathOf(program) {
  const named = process.env[OVERRIDES[program]];
  const places = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, program));
  return [named, ...places].find((place) => place !== undefined && isExecutable(place));
}

function mayInstall() {
  return process.getuid?.() === 0 && ['/usr/bin/apt-get'].some(isExecutable);
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 300_000 });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
