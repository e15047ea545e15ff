import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios from 'axios';
import { journalOf } from '../../../lib/index';
import type { Script } from '../../support/scripted-adapter';
import { scriptedAdapter } from '../../support/scripted-adapter';
import { systemClock } from '../../../lib/time/clock';
import { repository } from '../markdown';
import type { PackageName } from './peers';
import { endWithin, NOT_REPEATED, refused, SERVED, stageFor } from './stage';

const TWICE_REFUSED: Script = [refused('1'), refused('1'), SERVED];

export async function interceptors(name: PackageName): Promise<string> {
  const { api } = stageFor(name, TWICE_REFUSED);
  let passes = 0;
  api.interceptors.request.use((config) => {
    passes += 1;
    return config;
  });
  await endWithin(60_000, api.get('/things'));
  return passes === 1 ? 'once' : `${passes} times`;
}

export async function unwrapped(name: PackageName): Promise<string> {
  const { server, api } = stageFor(name, TWICE_REFUSED);
  api.interceptors.response.use((response) => response.data);
  const end = await endWithin(60_000, api.get('/things'));
  if (server.sent.length === 1) return NOT_REPEATED;
  if (end === 'pending') return 'nothing';
  if ('error' in end) return `a ${end.error.name}`;
  return JSON.stringify(end.value) === '{"v":1}' ? 'the data' : String(end.value);
}

async function posted(name: PackageName, script: Script): Promise<string> {
  const { server, api } = stageFor(name, script);
  await endWithin(60_000, api.post('/things', { a: 1 }));
  return server.sent.length > 1 ? 'repeated' : NOT_REPEATED;
}

export async function brokenPost(name: PackageName): Promise<string> {
  return posted(name, [{ code: 'ECONNRESET' }, SERVED]);
}

export async function refusedPost(name: PackageName): Promise<string> {
  return posted(name, [refused('1'), SERVED]);
}

/** Words in the body that mean "not now": who can be told so? */
export async function refusedInBody(name: PackageName): Promise<string> {
  const throttled = ({ data }: { data?: unknown }): boolean => JSON.stringify(data).includes('throttled');
  const { server, api } = stageFor(name, [{ status: 200, data: '{"throttled":true}' }, SERVED], {
    'axios-retry': {
      validateResponse: (response) => response.status === 200 && !throttled(response),
      retryCondition: () => true,
    },
    'retry-axios': { shouldRetry: () => true, statusCodesToRetry: [[200, 200]] },
    'axios-heed': {
      classify: ({ json }) => (throttled({ data: json() }) ? { kind: 'limit', delayMs: 1000 } : undefined),
    },
  });
  await endWithin(60_000, api.get('/things'));
  return server.sent.length > 1 ? 'yes' : 'no';
}

/** What an error has beyond that of axios alone, in words. */
export async function explanation(name: PackageName): Promise<string> {
  const { api } = stageFor(name, [refused('1')]);
  const bareServer = scriptedAdapter(systemClock, [refused('1')]);
  const bare = await failureOf(axios.create({ adapter: bareServer.adapter }).get('https://api.test/things'));
  const error = name === 'axios-retry-after' ? await stuck() : await failureOf(api.get('/things'));
  const { config, heed } = error;
  const words: string[] = [];
  const retryCount = config['axios-retry']?.retryCount ?? config.raxConfig?.currentRetryAttempt;
  if (retryCount > 0) words.push('a count');
  if (config.raxConfig?.errors?.length > 1) words.push('the errors');
  if (typeof heed?.reason === 'string') words.push('a reason');
  if (journalOf(error).length > 0) words.push('a journal');
  const more = [...added(error, bare), ...added(config, bare.config)];
  if (words.length === 0 && more.length > 0) return more.join(', ');
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/** axios-retry-after gives an error only for what it does not repeat. */
async function stuck(): Promise<Failure> {
  const { api } = stageFor('axios-retry-after', [refused('1'), { status: 503 }]);
  return failureOf(api.get('/things'));
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each package puts other things into it
type Failure = any;

async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const end = await endWithin(60_000, call);
  if (end === 'pending' || !('error' in end)) throw new Error('expected the call to fail');
  return end.error;
}

function added(one: object, bare: object): readonly string[] {
  return Object.keys(one).filter((key) => !(key in bare) && key !== 'baseURL');
}

export function dependencies(name: PackageName): string {
  const path = name === 'axios-heed' ? 'package.json' : `node_modules/${name}/package.json`;
  const manifest = JSON.parse(readFileSync(join(repository, path), 'utf8'));
  const names = Object.keys(manifest.dependencies ?? {});
  return names.length === 0 ? 'nothing' : names.join(', ');
}

export function versionOf(name: PackageName): string {
  return JSON.parse(readFileSync(join(repository, `node_modules/${name}/package.json`), 'utf8')).version;
}
