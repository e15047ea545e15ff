import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runInNewContext } from 'node:vm';
import { consumer } from './consumer';

const program = `
import axios from 'axios';
import { heed } from 'axios-heed';

let sent = 0;
const adapter = async (config) => {
  sent += 1;
  const response = { data: 'ok', status: sent === 1 ? 503 : 200, statusText: '', headers: {}, config };
  if (response.status === 200) return response;
  throw new axios.AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, {}, response);
};
const api = axios.create({ baseURL: 'https://api.example.com', adapter });
heed(api, { backoff: { first: 10 }, jitter: 0 });
export const run = async () => {
  const { data } = await api.get('/things');
  return { data, sent, absent: [typeof process, typeof Buffer, typeof setImmediate] };
};
`;

/** What a page has, as far as axios and this package need it. */
const page = {
  URL,
  URLSearchParams,
  AbortController,
  AbortSignal,
  TextEncoder,
  FormData,
  Blob,
  console,
  performance,
  setTimeout,
  clearTimeout,
};

test('PKG-03: a bundle makes its two exchanges where nothing of Node exists', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: consumer },
    absWorkingDir: consumer,
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundled',
    target: 'es2022',
    logLevel: 'silent',
  });
  const ran: unknown = await runInNewContext(`${outputFiles[0]?.text ?? ''}\nbundled.run()`, { ...page });
  expect(ran).toEqual({
    data: 'ok',
    sent: 2,
    absent: ['undefined', 'undefined', 'undefined'],
  });
});
