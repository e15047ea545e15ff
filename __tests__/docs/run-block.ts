import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import os from 'node:os';
import path from 'node:path';
import axios from 'axios';
import type { AxiosAdapter, AxiosResponse } from 'axios';
import * as cacheInterceptor from 'axios-cache-interceptor';
import AxiosMockAdapter from 'axios-mock-adapter';
import pino from 'pino';
import ts from 'typescript';
import * as parser from '../../lib/hint/retry-after';
import * as library from '../../lib/index';
import * as broadcast from '../../lib/broadcast/index';
import * as describing from '../../lib/describe/index';
import * as journal from '../../lib/journal/index';
import * as node from '../../lib/node/index';
import * as telemetry from '../../lib/otel/index';
import * as rateLimit from '../../lib/rate-limit/index';
import * as kit from '../../lib/testing/index';
import * as redis from '../../lib/redis/index';
import * as store from '../../lib/store/index';
import * as vendors from '../../lib/vendors/index';
import type { CodeBlock } from './markdown';

/** Runs a code block as a program. Its imports are the real ones, its requests are answered with 200. */
export async function runBlock({ text, place }: CodeBlock, given: Partial<Prelude> = {}): Promise<void> {
  const { adapter } = axios.defaults;
  axios.defaults.adapter = answerAll;
  try {
    const names = { ...prelude(), ...given, require: requireFor(place), exports: {}, console: silent };
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- our own README
    await new Function(...Object.keys(names), `return (async () => {${compiled(text)}})();`)(
      ...Object.values(names),
    );
  } finally {
    if (adapter !== undefined) axios.defaults.adapter = adapter;
  }
}

type Prelude = ReturnType<typeof prelude>;

/** What the blocks of a page take for granted; `type-check.ts` has the types. */
function prelude(): {
  api: ReturnType<typeof axios.create>;
  heeding: library.Heeding;
  heed: typeof library.heed;
  order: object;
  incoming: { deadline: Date };
  signatureOf: (text: string) => string;
  refreshToken: () => Promise<string>;
  log: () => void;
  render: () => void;
} {
  return {
    api: axios.create({ baseURL: 'https://api.example.com' }),
    heeding: library.heed(axios.create()),
    heed: library.heed,
    order: { id: 7 },
    incoming: { deadline: new Date(Date.now() + 5000) },
    signatureOf: (text) => `${text.length}`,
    refreshToken: () => Promise.resolve('fresh'),
    log: () => undefined,
    render: () => undefined,
  };
}

function compiled(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(text, { compilerOptions: { ...compilerOptions, esModuleInterop: true } })
    .outputText;
}

function requireFor(place: string): (name: string) => unknown {
  const known = new Map<string, unknown>([
    ['axios', { __esModule: true, default: axios }],
    ['axios-cache-interceptor', cacheInterceptor],
    ['axios-mock-adapter', { __esModule: true, default: AxiosMockAdapter }],
    ['axios-heed', library],
    ['axios-heed/testing', kit],
    ['axios-heed/broadcast', broadcast],
    ['axios-heed/describe', describing],
    ['axios-heed/journal', journal],
    ['axios-heed/node', node],
    ['axios-heed/otel', telemetry],
    ['axios-heed/rate-limit', rateLimit],
    ['axios-heed/redis', redis],
    ['axios-heed/store', store],
    ['@redis/client', { createClient: () => new IdleRedis() }],
    ['ioredis', { Redis: IdleRedis }],
    ['axios-heed/vendors', vendors],
    ['axios-heed/retry-after', parser],
    ['node:assert/strict', assert],
    ['node:diagnostics_channel', diagnostics],
    ['node:os', os],
    ['node:path', path],
    ['pino', { __esModule: true, default: pino }],
  ]);
  return (name) => {
    if (known.has(name)) return known.get(name);
    throw new Error(`${place} imports ${name}`);
  };
}

const answerAll: AxiosAdapter = (config) => Promise.resolve(answer(config, 200));

/** What an adapter gives, before `validateStatus`. */
export function answer(config: AxiosResponse['config'], status: number, headers: object = {}): AxiosResponse {
  return { data: '{}', status, statusText: '', headers: { date: '', ...headers }, config };
}

/** A Redis client of either kind that is never answered. */
class IdleRedis {
  duplicate = (): IdleRedis => new IdleRedis();
  on = (): void => undefined;
  connect = (): Promise<void> => Promise.resolve();
  subscribe = (): Promise<void> => Promise.resolve();
}

const silent = { log: () => undefined };
