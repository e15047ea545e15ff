import axios, { AxiosError } from 'axios';
import type { AxiosAdapter } from 'axios';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { heed, journalOf } from '../../lib/index';
import { codeBlocksOf } from './markdown';
import type { CodeBlock } from './markdown';
import { answer, runBlock } from './run-block';

function recipeWith(word: string): CodeBlock {
  const found = codeBlocksOf('README.md').find(({ text }) => text.includes(word));
  if (found === undefined) throw new Error(`no recipe has ${word}`);
  return found;
}

/** An adapter that judges by status as axios' own do, and keeps what it was asked for. */
function adapterOf(statusFor: (seen: readonly string[]) => number): {
  adapter: AxiosAdapter;
  seen: string[];
} {
  const seen: string[] = [];
  const adapter: AxiosAdapter = (config) => {
    seen.push(String(config.headers.get('Authorization') ?? config.headers.get('X-Signature') ?? ''));
    const response = answer(config, statusFor(seen), { 'retry-after': '1' });
    if (response.status < 400) return Promise.resolve(response);
    return Promise.reject(new AxiosError('refused', 'ERR_BAD_REQUEST', config, {}, response));
  };
  return { adapter, seen };
}

afterEach(() => {
  jest.useRealTimers();
});

describe('recipes of the README', () => {
  test('an exchange that waited is signed anew', async () => {
    jest.useFakeTimers();
    const { adapter, seen } = adapterOf((before) => (before.length === 1 ? 429 : 200));
    const api = axios.create({ adapter });
    await runBlock(recipeWith('X-Signature'), { api, signatureOf: (text) => text });
    const response = api.get('https://api.example.com/orders');
    await jest.advanceTimersByTimeAsync(2000);
    await expect(response).resolves.toMatchObject({ status: 200 });
    expect(seen).toEqual(['', expect.stringMatching(/^GET https:\/\/api\.example\.com\/orders \w{3}, /)]);
  });

  test('fake timers move waits, also when they are installed after the import', async () => {
    jest.useFakeTimers();
    const { adapter, seen } = adapterOf((before) => (before.length === 1 ? 429 : 200));
    const api = axios.create({ adapter });
    heed(api, { jitter: 0 });
    const response = api.get('/orders');
    await jest.advanceTimersByTimeAsync(999);
    expect(seen).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen).toHaveLength(2);
    await expect(response).resolves.toMatchObject({ status: 200 });
  });

  test('a status 200 that says "throttled" is waited for', async () => {
    jest.useFakeTimers();
    let visits = 0;
    const api = axios.create({
      adapter: (config) => {
        visits += 1;
        return Promise.resolve({ ...answer(config, 200), data: JSON.stringify({ throttled: visits === 1 }) });
      },
    });
    await runBlock(recipeWith('throttled'), { api });
    const response = api.get('/orders');
    await jest.advanceTimersByTimeAsync(4999);
    expect(visits).toBe(1);
    await jest.advanceTimersByTimeAsync(1000);
    await expect(response).resolves.toMatchObject({ data: { throttled: false } });
    expect(visits).toBe(2);
  });

  test('a 429 whose headers a browser hides is said to be one', async () => {
    const api = axios.create({
      adapter: (config) => {
        const headers = { 'content-type': 'application/json' };
        const response = { data: '', status: 429, statusText: '', headers, config };
        return Promise.reject(new AxiosError('refused', 'ERR_BAD_REQUEST', config, {}, response));
      },
    });
    heed(api);
    const error: unknown = await api
      .get('/orders', { heed: { exchanges: 1 } })
      .catch((found: unknown) => found);
    const hints = journalOf(error).flatMap((entry) => (entry.event === 'observation' ? [entry.hint] : []));
    expect(hints).toEqual([{ kind: 'silent', because: 'not-visible' }]);
  });
});

describe('limits of the README', () => {
  test('a child made by instance.create() is not covered', async () => {
    const { adapter, seen } = adapterOf(() => 429);
    const parent = axios.create({ adapter });
    heed(parent);
    await expect(parent.create().get('/orders')).rejects.toMatchObject({ response: { status: 429 } });
    expect(seen).toHaveLength(1);
  });

  test('new Axios() is refused', () => {
    expect(() => heed(new axios.Axios() as never)).toThrow(/axios\.create\(\)/);
  });
});
