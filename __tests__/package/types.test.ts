import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, consumerWith, place } from './consumer';

const usage = `
const api = axios.create();
const heeding = heed(api, {
  budget: { seconds: 30 },
  maxHint: { minutes: 2 },
  scopes: [combine(byOrigin(), byToken(), byRoute(['/orders/:id'])), byTenant('x-tenant-id')],
  gates: createGates(),
  reserve: undefined,
});
heeding.detach();

void api.get('/orders/7', { heed: { deadline: new Date(0), idempotencyKey: 'auto' } });
void api.get('/orders/7', { heed: false });
void api.request({ url: '/orders/7', heed: { budget: undefined } });
// @ts-expect-error: a misspelt option
void api.get('/orders/7', { heed: { bugdet: 5 } });
// @ts-expect-error: a misspelt option of the policy
heed(api, { budgets: { seconds: 30 } });
// @ts-expect-error: false is the one switch
void api.get('/orders/7', { heed: true });

api.get('/orders/7').catch((error: unknown) => {
  if (isHeedError(error)) console.log(error.heed.reason, journalOf(error));
});

const delayMs: number = retryDelay('5', new Date(0), { seconds: 8 });
const reading = parseRetryAfter(['5'], 0);
if (reading.kind === 'http-date') console.log(reading.atEpochMs, reading.delayMs, delayMs);
console.log(parseHttpDate('', 0), RetryDelayError.name);
`;

const core = '{ heed, byOrigin, byToken, byRoute, byTenant, combine, isHeedError, journalOf, createGates }';
const parser = '{ parseRetryAfter, parseHttpDate, retryDelay, RetryDelayError }';

const imported = `
import axios from 'axios';
import ${core} from 'axios-heed';
import ${parser} from 'axios-heed/retry-after';
${usage}`;

const required = `
import axios = require('axios');
import axiosHeed = require('axios-heed');
import retryAfter = require('axios-heed/retry-after');
const ${core} = axiosHeed;
const ${parser} = retryAfter;
${usage}`;

/** A project whose files are an ES module, a CommonJS one by import syntax, and one by \`import =\`. */
function project(directory: string | undefined, resolution: 'node16' | 'nodenext' | 'bundler'): string {
  const at = `types-${resolution}`;
  place(`${at}/module.mts`, imported, directory);
  place(`${at}/common.cts`, imported, directory);
  place(`${at}/required.cts`, required, directory);
  const config = {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      types: [],
      module: resolution === 'bundler' ? 'preserve' : resolution,
      moduleResolution: resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    },
    include: ['*.mts', '*.cts'],
  };
  return place(`${at}/tsconfig.json`, JSON.stringify(config), directory);
}

const compilers = ['typescript', 'typescript7'] as const;
const resolutions = ['node16', 'nodenext', 'bundler'] as const;

describe.each(compilers)('%s', (compiler) => {
  test.each(resolutions)('accepts the public API and refuses misspelt options under %s', (resolution) => {
    expect(compile(compiler, project(undefined, resolution))).toBe('');
  });
});

const { devDependencies } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
const olderAxios = Object.keys(devDependencies).filter((name) => /^axios-\d/.test(name));

test.each(olderAxios)('the types fit %s', (alias) => {
  expect(compile('typescript7', project(consumerWith(alias), 'nodenext'))).toBe('');
});
