import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, runInConsumer } from './consumer';

/** Two clients in one process, one by each format: A is limited for a second, B comes right after. */
function program(gatesOfB: string): string {
  return `
import axios from 'axios';
import { createRequire } from 'node:module';
import * as esm from 'axios-heed';
const cjs = createRequire(import.meta.url)('axios-heed');

const sent = [];
const adapter = async (config) => {
  sent.push(config.url);
  const status = sent.length === 1 ? 429 : 200;
  const headers = { 'retry-after': '1' };
  const response = { data: '', status, statusText: '', headers, config };
  if (status === 200) return response;
  throw new axios.AxiosError('limited', 'ERR_BAD_REQUEST', config, {}, response);
};
const gates = esm.createGates({ jitter: 0 });
const a = axios.create({ baseURL: 'https://api.example.com', adapter });
const b = axios.create({ baseURL: 'https://api.example.com', adapter });
esm.heed(a, { gates });
cjs.heed(b, ${gatesOfB});

const startMs = performance.now();
const first = await a.get('/things', { heed: { exchanges: 1 } }).catch((error) => error);
await b.get('/things');
console.log(JSON.stringify({
  formats: esm.heed !== cjs.heed,
  read: cjs.isHeedError(first) && cjs.journalOf(first).length > 0,
  waitedMs: performance.now() - startMs,
  sent: sent.length,
}));
`;
}

describe('PKG-06: both formats in one process', () => {
  test('share the gates that both were given', () => {
    const { waitedMs, ...rest } = runInConsumer('shared-gates.mjs', program('{ gates }')) as Record<
      string,
      number
    >;
    expect(rest).toEqual({ formats: true, read: true, sent: 2 });
    expect(waitedMs).toBeGreaterThanOrEqual(1000);
    expect(waitedMs).toBeLessThan(1900);
  });

  test('know nothing of each other with gates of their own, as the README says', () => {
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).toMatch(
      /ESM and CommonJS in one process\*\* are two copies, with gates of their own/,
    );
    const { waitedMs, ...rest } = runInConsumer('own-gates.mjs', program('{}')) as Record<string, number>;
    expect(rest).toEqual({ formats: true, read: true, sent: 2 });
    expect(waitedMs).toBeLessThan(900);
  });

  test('attach one instance once, with one policy object', () => {
    const text = `
import axios from 'axios';
import { createRequire } from 'node:module';
import { heed } from 'axios-heed';
const cjs = createRequire(import.meta.url)('axios-heed');
const api = axios.create();
const policy = {};
const same = heed(api, policy) === cjs.heed(api, policy);
let code;
try { cjs.heed(api, {}); } catch (error) { code = error.code; }
console.log(JSON.stringify({ same, code }));
`;
    expect(runInConsumer('one-instance.mjs', text)).toEqual({ same: true, code: 'ERR_HEED_OPTIONS' });
  });
});
