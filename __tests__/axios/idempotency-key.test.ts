import { afterEach, describe, expect, jest, test } from '@jest/globals';
import axios from 'axios';
import { heed, journalOf } from '../../lib/index';
import type { HeedConfig, HeedPolicy } from '../../lib/index';
import type { Script, ScriptedAdapter } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { Ended } from '../support/scripted-client';

const RESET = { code: 'ECONNRESET' } as const;
const CREATED = { status: 201 } as const;
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

afterEach(() => {
  jest.restoreAllMocks();
});

interface Run extends Ended {
  readonly server: ScriptedAdapter;
  readonly keys: readonly (string | undefined)[];
}

async function run(
  { policy = {}, script = [RESET, CREATED] }: { policy?: HeedPolicy; script?: Script },
  config: { method?: string; headers?: object; heed?: HeedConfig | false; data?: unknown } = {},
): Promise<Run> {
  const { api, server, ended } = scriptedClient(script, { ...EXACT, ...policy });
  const outcome = await ended(
    api.request({ method: 'post', url: '/orders', data: { a: 1 }, ...config } as never),
  );
  return { ...outcome, server, keys: keysOf(server) };
}

function keysOf({ sent }: ScriptedAdapter, header = 'idempotency-key'): readonly (string | undefined)[] {
  return sent.map(({ headers }) => headers[header]);
}

describe("an 'auto' key", () => {
  test.each(['post', 'POST', 'patch', 'Patch'])(
    'makes a %s repeatable and stays the same',
    async (method) => {
      const { status, keys } = await run({ policy: { idempotencyKey: 'auto' } }, { method });
      expect(status).toBe(201);
      expect(keys).toEqual([expect.stringMatching(UUID), keys[0]]);
    },
  );

  test.each(['get', 'head', 'put', 'delete', undefined])('is not given to %s', async (method) => {
    const { keys } = await run({ policy: { idempotencyKey: 'auto' } }, { method: method as never });
    expect(keys).toEqual([undefined, undefined]);
  });

  test('is another for each operation', async () => {
    const { api, server, ended } = scriptedClient([CREATED], { ...EXACT, idempotencyKey: 'auto' });
    await ended(Promise.all([api.post('/orders'), api.post('/orders')]));
    expect(new Set(keysOf(server)).size).toBe(2);
  });

  test('comes from getRandomValues where there is no randomUUID', async () => {
    const { crypto } = globalThis;
    const getRandomValues = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);
    jest.replaceProperty(globalThis, 'crypto', { getRandomValues } as never);
    const { keys } = await run({ policy: { idempotencyKey: 'auto' } });
    expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]]);
  });

  test.each([undefined, {}])(
    'is refused where the platform has no crypto (%j), and nothing is sent',
    async (none) => {
      jest.replaceProperty(globalThis, 'crypto', none as never);
      const { server, error } = await run({ policy: { idempotencyKey: 'auto' } });
      expect(server.sent).toEqual([]);
      expect(error).toMatchObject({ isAxiosError: true, code: 'ERR_HEED_OPTIONS' });
      expect(error?.message).toMatch(/the platform to have `crypto`.* give a function/);
      expect(error?.config?.url).toBe('/orders');
    },
  );

  test('is never made from Math.random', async () => {
    const random = jest.spyOn(Math, 'random');
    const { api, server, ended } = scriptedClient([CREATED], { ...EXACT, idempotencyKey: 'auto' });
    random.mockClear();
    await ended(api.post('/orders'));
    expect([keysOf(server).length, random.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('a key of the caller', () => {
  test.each<[string, HeedConfig['idempotencyKey'], string]>([
    ['a text', 'k-4', 'k-4'],
    ['a function of the config', ({ url }) => `${String(url)}-1`, '/orders-1'],
    ['a text in terms', { key: 'k-4' }, 'k-4'],
    ['a quoted text', { key: 'k-4', quoted: true }, '"k-4"'],
    ['a text with quotes within, quoted', { key: 'a"b\\c', quoted: true }, '"a\\"b\\\\c"'],
    ['a text that comes quoted', { key: '"k-4"', quoted: true }, '"k-4"'],
  ])('may be %s', async (_, idempotencyKey, expected) => {
    const { status, keys } = await run({}, { heed: { idempotencyKey } });
    expect([status, keys]).toEqual([201, [expected, expected]]);
  });

  test('goes with any method', async () => {
    const { keys } = await run({}, { method: 'put', heed: { idempotencyKey: 'k-4' } });
    expect(keys).toEqual(['k-4', 'k-4']);
  });

  test('is asked for once an operation', async () => {
    const idempotencyKey = jest.fn(() => 'k-5');
    const { keys } = await run({ policy: { idempotencyKey } });
    expect(keys).toEqual(['k-5', 'k-5']);
    expect(idempotencyKey).toHaveBeenCalledTimes(1);
  });

  test('may be none', async () => {
    const { keys, error } = await run(
      { policy: { idempotencyKey: 'auto' } },
      { heed: { idempotencyKey: () => undefined } },
    );
    expect(keys).toEqual([undefined]);
    expect(error?.heed.reason).toBe('outcome-unknown');
  });

  test('stands in the header of the policy, with its quotes', async () => {
    const { api, server, ended } = scriptedClient([RESET, CREATED], {
      ...EXACT,
      idempotencyKey: { header: 'X-Request-Key', quoted: true },
    });
    expect((await ended(api.post('/orders', {}, { heed: { idempotencyKey: 'k-4' } }))).status).toBe(201);
    expect(keysOf(server, 'x-request-key')).toEqual(['"k-4"', '"k-4"']);
    expect(keysOf(server)).toEqual([undefined, undefined]);
  });

  test('in a header of another name makes repeating harmless only where the policy knows the name', async () => {
    const headers = { 'X-Request-Key': 'k-1' };
    const known = await run({ policy: { idempotencyKey: { header: 'x-request-key' } } }, { headers });
    expect([known.status, known.server.sent.length]).toEqual([201, 2]);
    const unknown = await run({}, { headers });
    expect(unknown.error?.heed.reason).toBe('outcome-unknown');
  });

  test.each(['', ' ', 'a\nb', 'ä', 5, null])('is refused when it is %j, and nothing is sent', async (key) => {
    const { server, error } = await run({ policy: { idempotencyKey: () => key as never } });
    expect(server.sent).toEqual([]);
    expect(error).toMatchObject({ isAxiosError: true, code: 'ERR_HEED_OPTIONS' });
    expect(error?.message).toMatch(/`idempotencyKey` to give a key/);
  });

  test('that throws rejects with what it threw, and nothing is sent', async () => {
    const thrown = new Error('no key today');
    const idempotencyKey = (): string => {
      throw thrown;
    };
    const { server, error } = await run({ policy: { idempotencyKey } });
    expect([server.sent, error]).toEqual([[], thrown]);
  });
});

describe('a key that the caller has set', () => {
  test('in a header of the request stays', async () => {
    const { keys } = await run(
      { policy: { idempotencyKey: 'auto' } },
      { headers: { 'idempotency-KEY': 'mine' } },
    );
    expect(keys).toEqual(['mine', 'mine']);
  });

  test('in a default header stays', async () => {
    const { api, server, ended } = scriptedClient([RESET, CREATED], { ...EXACT, idempotencyKey: 'auto' });
    api.defaults.headers.post['Idempotency-Key'] = 'default';
    await ended(api.post('/orders'));
    expect(keysOf(server)).toEqual(['default', 'default']);
  });

  test('by an interceptor that runs later stays', async () => {
    const server = scriptedClient([RESET, CREATED], { ...EXACT, idempotencyKey: 'auto' });
    server.api.interceptors.request.use((config) => {
      config.headers.set('Idempotency-Key', 'intercepted');
      return config;
    });
    await server.ended(server.api.post('/orders'));
    expect(keysOf(server.server)).toEqual(['intercepted', 'intercepted']);
  });

  test.each([{ 'Idempotency-Key': 'other' }, { 'idempotency-key': null }])(
    'is not changed by a hook (%j)',
    async (headers) => {
      const { keys } = await run({ policy: { idempotencyKey: 'auto', beforeExchange: () => ({ headers }) } });
      expect(keys).toEqual([expect.stringMatching(UUID), keys[0]]);
    },
  );
});

describe('where a key goes', () => {
  test('a config that is issued again keeps it', async () => {
    const { api, server, ended } = scriptedClient([RESET, RESET, CREATED], {
      ...EXACT,
      exchanges: 2,
      idempotencyKey: 'auto',
    });
    const { error } = await ended(api.post('/orders', { a: 1 }));
    expect((await ended(api.request(error?.config as never))).status).toBe(201);
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  test('the error tells it when the outcome is unknown', async () => {
    const { error, keys } = await run({ policy: { idempotencyKey: 'auto' }, script: [RESET] });
    expect(error?.heed).toMatchObject({
      reason: 'exchanges-spent',
      knowledge: 'unknown',
      idempotencyKey: keys[0],
    });
  });

  test('a later run may ask again with the key that the error told', async () => {
    const first = await run({ policy: { idempotencyKey: { quoted: true, key: 'auto' } }, script: [RESET] });
    const { idempotencyKey } = first.error!.heed;
    const second = await run(
      { policy: { idempotencyKey: { quoted: true } }, script: [CREATED] },
      { heed: { idempotencyKey } },
    );
    expect(second.keys).toEqual([first.keys[0]]);
  });

  test('the error does not tell it when the outcome is known', async () => {
    const { error } = await run({ policy: { idempotencyKey: 'auto' }, script: [{ status: 400 }] });
    expect(error?.heed).toMatchObject({ knowledge: 'answered' });
    expect(error?.heed).not.toHaveProperty('idempotencyKey');
  });

  test('no entry of the journal has it', async () => {
    const { error, keys } = await run({ policy: { idempotencyKey: 'auto' }, script: [RESET] });
    expect(keys[0]).toMatch(UUID);
    expect(JSON.stringify(journalOf(error))).not.toContain(keys[0]);
  });

  test('`heed: false` sends none of ours', async () => {
    const { keys } = await run({ policy: { idempotencyKey: 'auto' }, script: [CREATED] }, { heed: false });
    expect(keys).toEqual([undefined]);
  });

  test('observing sends none of ours, and judges as if it had', async () => {
    const { keys, journal } = await run({ policy: { idempotencyKey: 'auto', mode: 'observe' } });
    expect(keys).toEqual([undefined]);
    expect(journal).toContainEqual(
      expect.objectContaining({ event: 'permission-granted', grounds: 'idempotency-key' }),
    );
  });

  test('observing sends the key that the request itself asks for', async () => {
    const { keys } = await run({ policy: { mode: 'observe' } }, { heed: { idempotencyKey: 'k-4' } });
    expect(keys).toEqual(['k-4']);
  });
});

describe('a server that knows keys', () => {
  test('may be busy with the first exchange (409): it is asked again after the own backoff', async () => {
    const { status, server } = await run({
      policy: { idempotencyKey: 'auto' },
      script: [RESET, { status: 409 }, CREATED],
    });
    expect([status, server.times()]).toEqual([201, [0, 200, 600]]);
  });

  test('is waited for as long as its 409 asks, and no gate is closed by that', async () => {
    const policy: HeedPolicy = { ...EXACT, idempotencyKey: 'auto' };
    const busy = { status: 409, headers: { 'retry-after': '3' } };
    const { api, heeding, server, ended } = scriptedClient([RESET, busy, CREATED], policy);
    const call = ended(api.post('/orders'));
    expect((await call).status).toBe(201);
    expect(server.times()).toEqual([0, 200, 3200]);
    expect(heeding.snapshot().gates.map(({ state }) => state)).toEqual(['open', 'open']);
  });

  test('that says 409 at once means it', async () => {
    const { server, error } = await run({ policy: { idempotencyKey: 'auto' }, script: [{ status: 409 }] });
    expect([server.sent.length, error?.heed.reason]).toEqual([1, 'not-transient']);
  });

  test('that says 409 after a limit means it: the limit applied nothing', async () => {
    const { server, error } = await run({
      policy: { idempotencyKey: 'auto' },
      script: [{ status: 429, headers: { 'retry-after': '1' } }, { status: 409 }],
    });
    expect([server.sent.length, error?.heed.reason]).toEqual([2, 'not-transient']);
  });

  test('without a key a 409 is final', async () => {
    const { server, error } = await run({ script: [RESET, { status: 409 }] }, { method: 'put' });
    expect([server.sent.length, error?.heed.reason]).toEqual([2, 'not-transient']);
  });

  test('is not asked again after a 422, which is marked', async () => {
    const { server, error } = await run({
      policy: { idempotencyKey: 'auto' },
      script: [RESET, { status: 422 }, CREATED],
    });
    expect(server.sent).toHaveLength(2);
    expect(error?.heed).toMatchObject({ reason: 'not-transient', earlierOutcome: 'unknown' });
  });
});

test.each([
  [
    { idempotencyKey: 'order-7' },
    /`idempotencyKey` to be 'auto', a function, or \{ key, header, quoted \}, got a text/,
  ],
  [{ idempotencyKey: { key: 'order-7' } }, /got an object/],
  [{ idempotencyKey: { header: 'a b' } }, /got an object/],
  [{ idempotencyKey: { quoted: 1 } }, /got an object/],
  [{ idempotencyKey: { name: 'x' } }, /got an object/],
])('a policy with %j is refused: its key would be that of every operation', (policy, message) => {
  expect(() => heed(axios.create(), policy as never)).toThrow(message);
});

test.each(['', 'a\r\nb', 7])(
  'a request with the key %j is refused, and nothing is sent',
  async (idempotencyKey) => {
    const { server, error } = await run({}, { heed: { idempotencyKey } as never });
    expect([server.sent.length, error?.code]).toEqual([0, 'ERR_HEED_OPTIONS']);
  },
);
