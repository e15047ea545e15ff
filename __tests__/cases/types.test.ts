import { describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { setupCache } from 'axios-cache-interceptor';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { heed, isHeedError, journalOf } from '../../lib/index';
import { optionNames } from '../../lib/option-checks';
import { virtualClock } from '../../lib/testing/index';
import { scriptedAdapter } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** Stands for the option of another package, beside ours. */
    someOtherPackage?: { readonly deep: boolean };
  }
}

test('TYP-01: an instance that another package has wrapped is accepted, and heeds', async () => {
  const clock = virtualClock();
  const server = scriptedAdapter(clock, [{ status: 503 }, { status: 200, data: '{"a":1}' }]);
  const cached = setupCache(axios.create({ adapter: server.adapter }));
  heed(cached, { ...EXACT, clock });
  expect((await clock.until(cached.get('/things'))).data).toEqual({ a: 1 });
  expect((await clock.until(cached.get('/things'))).cached).toBe(true);
  expect(server.sent).toHaveLength(2);
});

describe('TYP-02: per-request options', () => {
  // The compiler reads these as well, and refuses an expectation of an error that does not come.
  const calls = (api: AxiosInstance): readonly (() => unknown)[] => [
    () => api.get('/x', { heed: { budget: { seconds: 8 } }, someOtherPackage: { deep: true } }),
    () => api.get('/x', { heed: false }),
    () => api.get('/x', { heed: undefined }),
    // @ts-expect-error -- a misspelt option
    () => api.get('/x', { heed: { bugdet: 8 } }),
    // @ts-expect-error -- there is no `true`
    () => api.get('/x', { heed: true }),
  ];

  test('are accepted beside those of another package and refused when misspelt, also at run time', async () => {
    const client = scriptedClient([{ status: 200 }]);
    const [good, off, absent, misspelt, yes] = calls(client.api);
    for (const call of [good, off, absent]) {
      expect((await client.ended(call?.() as Promise<unknown>)).status).toBe(200);
    }
    const { error } = await client.ended(misspelt?.() as Promise<unknown>);
    expect(error).toMatchObject({ code: 'ERR_HEED_OPTIONS', cause: { name: 'HeedOptionsError' } });
    expect(error?.message).toContain('`bugdet`');
    expect((await client.ended(yes?.() as Promise<unknown>)).error?.code).toBe('ERR_HEED_OPTIONS');
    expect(client.server.sent).toHaveLength(3);
  });
});

interface Handlers {
  readonly handlers: readonly { fulfilled(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig }[];
}

describe('TYP-04: two copies of the package', () => {
  interface Copy {
    readonly axios: typeof axios;
    readonly lib: { heed: typeof heed; isHeedError: typeof isHeedError; journalOf: typeof journalOf };
  }

  function secondCopy(): Copy {
    let copy: Copy | undefined;
    jest.isolateModules(() => {
      const lib = jest.requireActual<Copy['lib']>('../../lib/index');
      copy = { axios: jest.requireActual<{ default: typeof axios }>('axios').default, lib };
    });
    return copy!;
  }

  test('know each other by fields, not by classes', async () => {
    const other = secondCopy();
    expect(other.lib.isHeedError).not.toBe(isHeedError);
    expect(other.axios.AxiosError).not.toBe(axios.AxiosError);
    const answered = await scriptedClient([{ status: 429 }]).get();
    const refused = await scriptedClient([{ status: 200 }]).get({ heed: { budget: 0 } });
    for (const { error } of [answered, refused]) {
      expect(other.lib.isHeedError(error)).toBe(true);
      expect(other.axios.isAxiosError(error)).toBe(true);
      expect(other.lib.journalOf(error).length).toBeGreaterThan(0);
      expect(other.lib.journalOf(error)).toEqual(journalOf(error));
    }
    expect(other.lib.isHeedError(new Error('heed'))).toBe(false);
  });

  test('attach one policy to one instance between them', async () => {
    const other = secondCopy();
    const client = scriptedClient([{ status: 503 }]);
    expect(() => other.lib.heed(client.api, { exchanges: 2 })).toThrow(/one policy/);
    await client.get();
    expect(client.server.sent).toHaveLength(3);
  });

  test('do not nest their loops on one request', async () => {
    const other = secondCopy();
    const client = scriptedClient([{ status: 503 }]);
    const second = client.api.create({ adapter: client.server.adapter });
    other.lib.heed(second, { ...EXACT, clock: client.clock });
    client.api.interceptors.request.use((config) => {
      const { handlers } = second.interceptors.request as unknown as Handlers;
      return handlers.at(-1)?.fulfilled(config) ?? config;
    });
    await client.get();
    expect(client.server.sent).toHaveLength(3);
  });
});

test.each([
  ['HeedPolicy', 'policy'],
  ['HeedConfig', 'request'],
] as const)('TYP-05: the names that are accepted are those of %s', (type, kind) => {
  const names = membersOf(join(__dirname, '../../lib/options.ts'), type);
  expect(names.length).toBeGreaterThan(5);
  expect([...optionNames(kind)].sort()).toEqual([...names].sort());
});

/** The names that an interface declares, as they stand in the source. */
function membersOf(file: string, name: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = source.statements.find(
    (node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node) && node.name.text === name,
  );
  return (found?.members ?? []).map((member) => (member.name as ts.Identifier).text);
}
