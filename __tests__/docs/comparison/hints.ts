import { jest } from '@jest/globals';
import { ownProgram } from '../../support/own-process';
import { packages } from './peers';
import type { PackageName, Settings } from './peers';
import { endWithin, inWords, NOT_REPEATED, refused, repetition, SERVED, stageFor } from './stage';

/** What becomes of a GET that is refused once with this hint; dice that roll 0, so that no jitter is added. */
export async function afterHint(
  name: PackageName,
  retryAfter: string,
  settings: Settings = {},
): Promise<string> {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { server, api } = stageFor(name, [refused(retryAfter), SERVED], settings);
  const end = await endWithin(600_000, api.get('/things'));
  return repetition(server, end);
}

export async function tooLong(name: PackageName): Promise<string> {
  return afterHint(name, '3000000');
}

export async function twoMinutes(name: PackageName): Promise<string> {
  return afterHint(name, '120');
}

/** `0`, and a date a minute ago, which ask for the same: no wait. */
export async function zeroOrPast(name: PackageName): Promise<string> {
  const zero = await afterHint(name, '0');
  const past = await afterHint(name, new Date(Date.now() - 60_000).toUTCString());
  return zero === past ? zero : `${zero}; ${past}`;
}

export async function garbage(name: PackageName): Promise<string> {
  return afterHint(name, 'oops');
}

/** The own delay once shorter and once longer than a hint of 5 s: which of the two is kept to? */
export async function ownDelay(name: PackageName): Promise<string> {
  const [shorter, longer] = [await afterHint(name, '5', own(1000)), await afterHint(name, '5', own(9000))];
  if (shorter === NOT_REPEATED) return NOT_REPEATED;
  if (shorter === 'after 1 s' && longer === 'after 9 s') return 'own delay';
  if (shorter === 'after 5 s' && longer === 'after 5 s') return 'hint';
  if (shorter === 'after 5 s' && longer === 'after 9 s') return 'the longer';
  return `${shorter}, ${longer}`;
}

function own(ms: number): Settings {
  return {
    'axios-retry': { retryDelay: () => ms },
    'retry-axios': { backoffType: 'static', retryDelay: ms },
    'axios-retry-after': { wait: () => new Promise((resolve) => setTimeout(resolve, ms)) },
    'axios-heed': { backoff: () => ms },
  };
}

/** The delays that the packages ask of the platform for an asctime date 30 s ahead, far west of Greenwich. */
const ASCTIME_PROGRAM = `
import axios from 'axios';
import rateLimit from 'axios-rate-limit';
import axiosRetry from 'axios-retry';
import retryAfter from 'axios-retry-after';
import * as rax from 'retry-axios';
import { heed } from 'axios-heed';

const now = Date.UTC(2026, 5, 14, 12, 0, 0);
Date.now = () => now;
Math.random = () => 0;
let longest = 0;
globalThis.setTimeout = (fire, ms = 0) => {
  longest = Math.max(longest, ms);
  if (ms === 0) queueMicrotask(fire);
  return { ref() {}, unref() {} };
};
const attach = {
  'axios-retry': (api) => axiosRetry(api),
  'retry-axios': (api) => rax.attach(api),
  'axios-retry-after': (api) => api.interceptors.response.use(null, retryAfter(api)),
  'axios-rate-limit': (api) => rateLimit(api, { maxRequests: 10, perMilliseconds: 1 }),
  'axios-heed': (api) => heed(api),
};
const delays = {};
async function main() {
for (const [name, set] of Object.entries(attach)) {
  const adapter = async (config) => {
    const headers = new axios.AxiosHeaders({ 'retry-after': 'Sun Jun 14 12:00:30 2026' });
    const response = { status: 429, statusText: '', data: '', headers, config };
    throw new axios.AxiosError('refused', 'ERR_BAD_REQUEST', config, null, response);
  };
  const api = axios.create({ adapter });
  set(api);
  longest = 0;
  let rejected = false;
  api.get('https://api.test/things').catch(() => { rejected = true; });
  await new Promise((resolve) => { let n = 0; const go = () => (n++ < 50 ? setImmediate(go) : resolve()); go(); });
  delays[name] = rejected ? null : longest;
}
console.log(JSON.stringify(delays));
process.exit(0);
}
void main();
`;

let asctimeDelays: Promise<Readonly<Record<string, number | null>>> | undefined;

export async function asctime(name: PackageName): Promise<string> {
  asctimeDelays ??= delaysInNewYork();
  const delayMs = (await asctimeDelays)[name];
  if (delayMs === undefined) throw new Error(`only ${packages.join()} were run`);
  return delayMs === null ? NOT_REPEATED : inWords(delayMs);
}

async function delaysInNewYork(): Promise<Readonly<Record<string, number | null>>> {
  const program = ownProgram(ASCTIME_PROGRAM);
  try {
    const { output, errors } = await program.run({ TZ: 'America/New_York' });
    if (output === '') throw new Error(errors);
    return JSON.parse(output);
  } finally {
    program.remove();
  }
}
