import { describe, expect, test } from '@jest/globals';
import { runInConsumer } from './consumer';

/** One answered call through an adapter of the caller, in a process of its own. */
const call = `
const api = axios.create({
  adapter: async (config) => ({ data: 'ok', status: 200, statusText: 'OK', headers: {}, config }),
});
heed(api, { budget: { seconds: 5 } });
api.get('https://api.example.com/orders').then(({ data, status }) => {
  console.log(JSON.stringify({ heed: typeof heed, data, status }));
});
`;

/** Those that need nothing but axios. */
const ENTRIES = ['', '/retry-after', '/rate-limit', '/vendors', '/journal', '/node', '/redis', '/store'].map(
  (path) => `axios-heed${path}`,
);

const parse = `
const reading = parseRetryAfter('5', 0);
const names = { parseRetryAfter, parseHttpDate, retryDelay, RetryDelayError };
const kinds = Object.values(names).map((value) => typeof value);
`;

describe.each([
  ['import', 'mjs', "import axios from 'axios';\nimport { heed } from 'axios-heed';"],
  ['require', 'cjs', "const axios = require('axios');\nconst { heed } = require('axios-heed');"],
])('%s', (format, extension, head) => {
  test('PKG-01: gives heed as a named function that carries a call', () => {
    const printed = runInConsumer(`call-${format}.${extension}`, `${head}\n${call}`);
    expect(printed).toEqual({ heed: 'function', data: 'ok', status: 200 });
  });

  test('PKG-01: gives no default on any path, so that no interop can take it for the function', () => {
    const load =
      format === 'import'
        ? (path: string) => `await import('${path}')`
        : (path: string) => `require('${path}')`;
    const names = ENTRIES.map((path) => `[${JSON.stringify(path)}, Object.keys(${load(path)})]`).join(',\n');
    const printed = runInConsumer(`names-${format}.${extension}`, `console.log(JSON.stringify([${names}]));`);
    const found = printed as readonly (readonly [string, readonly string[]])[];
    expect(found.filter(([, exported]) => exported.length === 0 || exported.includes('default'))).toEqual([]);
  });
});

describe('the parser alone', () => {
  const members = '{ parseRetryAfter, parseHttpDate, retryDelay, RetryDelayError }';

  test('is imported by its own path', () => {
    const text = `import ${members} from 'axios-heed/retry-after';${parse}console.log(JSON.stringify({ reading, kinds }));`;
    expect(runInConsumer('parser.mjs', text)).toEqual({
      reading: { kind: 'delay-seconds', delayMs: 5000 },
      kinds: ['function', 'function', 'function', 'function'],
    });
  });

  test('is required by its own path and loads no file of axios', () => {
    const text = `
      const ${members} = require('axios-heed/retry-after');${parse}
      const axios = Object.keys(require.cache).filter((path) => /node_modules[\\\\/]axios[\\\\/]/.test(path));
      console.log(JSON.stringify({ reading, axios }));`;
    expect(runInConsumer('parser.cjs', text)).toEqual({
      reading: { kind: 'delay-seconds', delayMs: 5000 },
      axios: [],
    });
  });
});
