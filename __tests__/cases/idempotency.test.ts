import { describe, expect, test } from '@jest/globals';
import type { AxiosRequestConfig } from 'axios';
import { journalOf } from '../../lib/index';
import type { Script } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { Ended, ScriptedClient } from '../support/scripted-client';

/** The server has read the request, and the connection broke before an answer. */
const RESET = { code: 'ECONNRESET', message: 'socket hang up' } as const;
const REFUSED = { code: 'ECONNREFUSED' } as const;
const KEYED = { headers: { 'Idempotency-Key': 'k-1' } };

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

async function run(
  script: Script,
  method: Method,
  config: object = {},
): Promise<Ended & Pick<ScriptedClient, 'server'>> {
  const { api, server, ended } = scriptedClient(script);
  return { server, ...(await ended(api.request({ method, url: '/orders', data: { a: 1 }, ...config }))) };
}

test('IDM-01: a POST whose answer is missing is not sent again', async () => {
  const { server, error } = await run([RESET, { status: 201 }], 'post');
  expect(server.sent).toHaveLength(1);
  expect(error?.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', retryable: false });
  expect(error?.code).toBe('ECONNRESET');
});

test.each([
  ['http', REFUSED],
  ['fetch', { code: 'ERR_NETWORK', causeCode: 'ECONNREFUSED' }],
])('IDM-02: a refused connection proves that nothing was sent, as %s tells it', async (_, refusal) => {
  const { server, status, journal } = await run([refusal, { status: 201 }], 'post');
  expect([status, server.times()]).toEqual([201, [0, 200]]);
  expect(journal).toContainEqual(
    expect.objectContaining({ event: 'permission-granted', grounds: 'not-sent' }),
  );
});

test('IDM-03: a limit says that the POST was not carried out', async () => {
  const { server, status, journal } = await run(
    [{ status: 429, headers: { 'retry-after': '2' } }, { status: 201 }],
    'post',
  );
  expect([status, server.times()]).toEqual([201, [0, 2000]]);
  expect(journal).toContainEqual(
    expect.objectContaining({ event: 'permission-granted', grounds: 'not-applied' }),
  );
});

test.each([
  ['http', undefined, 'ECONNABORTED'],
  ['fetch', { clarifyTimeoutError: true }, 'ETIMEDOUT'],
])('IDM-06: a timeout after connecting proves nothing, as %s tells it', async (_, transitional, code) => {
  const config = { timeout: 100, ...(transitional === undefined ? {} : { transitional }) };
  const { server, error, atMonoMs } = await run([{ silent: true }], 'post', config);
  expect(server.sent).toHaveLength(1);
  expect([error?.code, error?.heed.reason, atMonoMs]).toEqual([code, 'outcome-unknown', 100]);
});

test('IDM-07: a key makes a POST repeatable, and every exchange carries it', async () => {
  const { server, status } = await run([RESET, { status: 201 }], 'post', KEYED);
  expect(status).toBe(201);
  expect(server.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-1', 'k-1']);
});

test('IDM-07: the name of the key header counts in any case', async () => {
  const { server } = await run([RESET, { status: 201 }], 'post', { headers: { 'idempotency-key': 'k-1' } });
  expect(server.sent).toHaveLength(2);
});

test('IDM-11: a body with the present time in it is made once for all exchanges', async () => {
  const { api, clock, server, ended } = scriptedClient([
    { status: 429, headers: { 'retry-after': '5' } },
    { status: 201 },
  ]);
  const config = {
    ...KEYED,
    transformRequest: (data: object) => JSON.stringify({ ...data, t: clock.wallEpochMs() }),
  };
  expect((await ended(api.post('/orders', { n: 1 }, config))).status).toBe(201);
  const [first, second] = server.sent.map(({ data }) => data);
  expect(second).toBe(first);
});

test('IDM-12: a key that is given by option is the one that the server sees, on every exchange', async () => {
  const { server, status } = await run(
    [{ status: 429, headers: { 'retry-after': '1' } }, { status: 201 }],
    'post',
    { heed: { idempotencyKey: 'k-4' } },
  );
  expect([status, server.times()]).toEqual([201, [0, 1000]]);
  expect(server.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['k-4', 'k-4']);
});

test('IDM-12: an option that does not exist is refused, by the types and when it runs', async () => {
  // @ts-expect-error -- the option has another name
  const config: AxiosRequestConfig = { heed: { idempotenceKey: 'k-4' } };
  const { server, error } = await run([{ status: 201 }], 'post', config);
  expect([server.sent.length, error?.code]).toEqual([0, 'ERR_HEED_OPTIONS']);
});

test('IDM-13: a PATCH may be relative, a PUT is not', async () => {
  const patch = await run([RESET, { status: 200 }], 'patch');
  expect(patch.server.sent).toHaveLength(1);
  expect(patch.error?.heed.reason).toBe('outcome-unknown');
  const put = await run([RESET, { status: 200 }], 'put');
  expect([put.server.sent.length, put.status]).toEqual([2, 200]);
});

test('IDM-15: a 412 after an exchange of unknown outcome bears the mark of it', async () => {
  const { server, error } = await run([RESET, { status: 412 }], 'put', { headers: { 'If-None-Match': '*' } });
  expect(server.sent).toHaveLength(2);
  expect([error?.response?.status, error?.heed.reason]).toEqual([412, 'not-transient']);
  expect(error?.heed).toMatchObject({ knowledge: 'unknown', earlierOutcome: 'unknown' });
});

test('IDM-15: a success after an exchange of unknown outcome bears it in the journal', async () => {
  const { journal } = await run([RESET, { status: 200 }], 'put');
  expect(journal.at(-1)).toMatchObject({ outcome: 'succeeded', knowledge: 'unknown' });
});

describe('IDM-16: the method counts in any case', () => {
  test.each([
    ['delete', 2],
    ['DELETE', 2],
    ['Put', 2],
    [undefined, 2],
    ['post', 1],
    ['POST', 1],
    ['pAtCh', 1],
  ])('%s: %d exchanges', async (method, expected) => {
    const { api, server, ended } = scriptedClient([{ status: 503 }, { status: 200 }]);
    await ended(api.request({ url: '/orders', ...(method === undefined ? {} : { method }) }));
    expect(server.sent).toHaveLength(expected);
  });
});

test.each(['ERR_FR_MAX_BODY_LENGTH_EXCEEDED', 'ERR_INVALID_URL', 'ERR_BAD_OPTION'])(
  'IDM-19: a failure that cannot heal (%s) is not repeated and keeps its code',
  async (code) => {
    const { server, error, atMonoMs } = await run([{ code }], 'put');
    expect(server.sent).toHaveLength(1);
    expect([error?.code, error?.heed.reason, atMonoMs]).toEqual([code, 'not-transient', 0]);
  },
);

test("IDM-20: the caller's own word on repeating overrules the method, both ways", async () => {
  const query = await run([RESET, { status: 200 }], 'post', { heed: { idempotent: true } });
  expect([query.server.sent.length, query.status]).toEqual([2, 200]);
  const mutation = await run([RESET, { status: 200 }], 'post');
  expect([mutation.server.sent.length, mutation.error?.heed.reason]).toEqual([1, 'outcome-unknown']);
  const counting = await run([RESET, { status: 200 }], 'get', { heed: { idempotent: false } });
  expect([counting.server.sent.length, counting.error?.heed.reason]).toEqual([1, 'outcome-unknown']);
});

test('IDM-22: a success whose body broke off is a lost answer: a GET is sent again', async () => {
  const { server, status, error } = await run(
    [
      { status: 200, cut: true },
      { status: 200, data: 'all' },
    ],
    'get',
  );
  expect([server.sent.length, status, error]).toEqual([2, 200, undefined]);
});

test.each([
  ['http', { status: 200, cut: true }, 'answer-lost', 'answered'],
  ['fetch', { code: undefined as never, message: 'terminated' }, 'outcome-unknown', 'unknown'],
])('IDM-22: a POST whose answer broke off says so, as %s tells it', async (_, cut, reason, knowledge) => {
  const { server, error } = await run([cut, { status: 200 }], 'post');
  expect(server.sent).toHaveLength(1);
  expect(error?.heed).toMatchObject({ reason, knowledge });
});

test('IDM-23: error and journal name the reason in a field', async () => {
  const { error } = await run([RESET, { status: 200 }], 'post');
  expect(error?.heed.reason).toBe('outcome-unknown');
  const journal = journalOf(error);
  expect(journal).toContainEqual(
    expect.objectContaining({ event: 'permission-denied', because: 'outcome-unknown', knowledge: 'unknown' }),
  );
  expect(journal.at(-1)).toMatchObject({ event: 'operation-closed', because: 'outcome-unknown' });
});

test("a policy that knows that a server's 503 applied nothing lets a POST be sent again", async () => {
  const { api, server, ended } = scriptedClient([{ status: 503 }, { status: 201 }], {
    ...EXACT,
    notApplied: [503],
  });
  expect((await ended(api.post('/orders', {}))).status).toBe(201);
  expect(server.sent).toHaveLength(2);
});
