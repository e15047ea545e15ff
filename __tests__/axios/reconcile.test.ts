import { describe, expect, jest, test } from '@jest/globals';
import { journalOf } from '../../lib/index';
import type { DoubtfulOperation, HeedPolicy, Reconciliation } from '../../lib/index';
import type { Script } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { Ended, ScriptedClient } from '../support/scripted-client';

const RESET = { code: 'ECONNRESET' } as const;
const CREATED = { status: 201, data: 'made' } as const;

type Answer = Reconciliation<never> | Reconciliation<{ status: number }>;
type Asked = (operation: DoubtfulOperation) => Answer | Promise<Answer>;

interface Run extends Ended, Pick<ScriptedClient, 'server' | 'entries'> {}

async function post(
  asked: Asked,
  { script = [RESET, CREATED], policy = {} }: { script?: Script; policy?: HeedPolicy } = {},
): Promise<Run> {
  const client = scriptedClient(script, { ...EXACT, reconcile: asked as never, ...policy });
  const { server, entries } = client;
  return { server, entries, ...(await client.ended(client.api.post('/orders', { id: 7 }))) };
}

function reconciledIn({ entries }: Run): readonly unknown[] {
  return entries.flatMap((entry) => (entry.event === 'reconciled' ? [entry.outcome] : []));
}

describe('reconcile', () => {
  test.each<[string, Script, string]>([
    ['a connection that broke', [RESET, CREATED], 'outcome-unknown'],
    ['an answer that broke off', [{ status: 201, cut: true }, CREATED], 'answer-lost'],
    ['a 500', [{ status: 500 }, CREATED], 'outcome-unknown'],
  ])('is asked about a write after %s, and told what was sent', async (_, script, reason) => {
    const asked = jest.fn<Asked>(() => ({ outcome: 'unknown' }));
    const { error, server } = await post(asked, { script });
    expect(server.sent).toHaveLength(1);
    expect(error?.heed.reason).toBe(reason);
    expect(asked.mock.calls).toEqual([
      [
        {
          operationId: error?.heed.operationId,
          reason,
          exchanges: 1,
          request: expect.objectContaining({ method: 'POST', url: 'https://api.example.com/orders' }),
          bare: { heed: false },
        },
      ],
    ]);
    expect(asked.mock.calls[0]?.[0].request.config.data).toBe('{"id":7}');
  });

  test.each<[string, Script, HeedPolicy]>([
    ['succeeded', [CREATED], {}],
    ['was refused for good', [{ status: 400 }], {}],
    ['was limited', [{ status: 429 }, CREATED], {}],
    ['has a key', [RESET, CREATED], { idempotencyKey: 'auto' }],
    ['is only observed', [RESET], { mode: 'observe' }],
  ])('is not asked about a write that %s', async (_, script, policy) => {
    const asked = jest.fn<Asked>(() => ({ outcome: 'unknown' }));
    await post(asked, { script, policy });
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('a write that was applied', () => {
  const response = { status: 200, data: { id: 7 }, headers: {}, config: {} };

  test('succeeds with the response that reconcile found, and is not sent again', async () => {
    const run = await post(() => ({ outcome: 'applied', response }));
    expect([run.status, run.data, run.server.sent.length]).toEqual([200, { id: 7 }, 1]);
    expect(reconciledIn(run)).toEqual(['applied']);
    expect(run.journal.at(-1)).toMatchObject({ outcome: 'succeeded', knowledge: 'answered' });
  });

  test('gives the config of the write with it, and leaves the given response as it is', async () => {
    const { api, clock } = scriptedClient([RESET], {
      ...EXACT,
      reconcile: () => ({ outcome: 'applied', response: Object.freeze({ ...response }) as never }),
    });
    const got = await clock.until(api.post('/orders', { id: 7 }));
    expect([got.config.url, response.config]).toEqual(['/orders', {}]);
  });

  test('without a response says that the answer is lost', async () => {
    const { error } = await post(() => Promise.resolve({ outcome: 'applied' }));
    expect(error).toMatchObject({
      code: 'ECONNRESET',
      heed: { reason: 'answer-lost', knowledge: 'answered', retryable: false },
    });
  });
});

describe('a write that was not applied', () => {
  test('goes again, after the own backoff', async () => {
    const run = await post(() => ({ outcome: 'not-applied' }));
    expect([run.status, run.server.times()]).toEqual([201, [0, 200]]);
    expect(reconciledIn(run)).toEqual(['not-applied']);
    expect(run.journal).toContainEqual(
      expect.objectContaining({ event: 'permission-granted', grounds: 'not-applied' }),
    );
    expect(run.journal.at(-1)).toMatchObject({ outcome: 'succeeded', knowledge: 'answered' });
  });

  test('goes no more often than exchanges allow', async () => {
    const run = await post(() => ({ outcome: 'not-applied' }), { script: [RESET] });
    expect(run.server.times()).toEqual([0, 200, 600]);
    expect(run.error?.heed).toMatchObject({ reason: 'exchanges-spent', knowledge: 'not-applied' });
    expect(reconciledIn(run)).toHaveLength(3);
  });

  test('goes no later than the deadline', async () => {
    const { server, error } = await post(() => ({ outcome: 'not-applied' }), { policy: { budget: 150 } });
    expect([server.sent.length, error?.heed.reason]).toEqual([1, 'deadline-too-near']);
  });

  test('takes from the allowance as any repeat after a failure does', async () => {
    const { server, error } = await post(() => ({ outcome: 'not-applied' }), {
      policy: { allowance: { start: 0, perExchange: 0, perSecond: 0 } },
    });
    expect([server.sent.length, error?.heed.reason]).toEqual([1, 'allowance-empty']);
  });

  test('is not sent again with a stream that has been read', async () => {
    const client = scriptedClient([RESET, CREATED], {
      ...EXACT,
      reconcile: () => ({ outcome: 'not-applied' }),
    });
    const { error } = await client.ended(client.api.post('/orders', new Blob(['x']).stream()));
    expect([client.server.sent.length, error?.heed.reason]).toEqual([1, 'body-not-replayable']);
  });
});

describe('a write that stays in doubt', () => {
  test('says so when reconcile does not know', async () => {
    const run = await post(() => ({ outcome: 'unknown' }));
    expect(run.error).toMatchObject({ code: 'ECONNRESET', heed: { reason: 'outcome-unknown' } });
    expect(reconciledIn(run)).toEqual(['unknown']);
  });

  test.each<[string, Asked]>([
    [
      'throws',
      () => {
        throw new Error('search is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('search is down'))],
  ])('says so when reconcile %s, whose error is the cause', async (_, asked) => {
    const run = await post(asked);
    expect(run.error).toMatchObject({
      code: 'ECONNRESET',
      cause: { message: 'search is down' },
      heed: { reason: 'outcome-unknown', knowledge: 'unknown' },
    });
    expect(run.entries).toContainEqual(
      expect.objectContaining({ event: 'hook-ended', hook: 'reconcile', how: 'failed' }),
    );
    expect(reconciledIn(run)).toEqual(['unknown']);
  });

  test.each([undefined, null, 'applied', {}, { outcome: 'yes' }])(
    'says so when reconcile gives %j, and the cause says what was expected',
    async (answer) => {
      const { error } = await post(() => answer as never);
      expect(error?.heed.reason).toBe('outcome-unknown');
      expect(error?.cause).toBeInstanceOf(TypeError);
      expect(error?.cause?.message).toMatch(/Expected `reconcile` to return/);
    },
  );

  test('says so when reconcile hangs for ten seconds', async () => {
    const run = await post(() => new Promise(() => undefined));
    expect([run.error?.heed.reason, run.atMonoMs]).toEqual(['outcome-unknown', 10_000]);
    expect(run.entries).toContainEqual(expect.objectContaining({ hook: 'reconcile', how: 'hook-timed-out' }));
  });

  test('says so when the deadline passes meanwhile', async () => {
    const run = await post(() => new Promise(() => undefined), { policy: { budget: 1000 } });
    expect([run.error?.heed.reason, run.atMonoMs]).toEqual(['outcome-unknown', 1000]);
  });

  test('is given up when the caller cancels meanwhile, and the outcome stays unknown', async () => {
    const { api, clock, ended } = scriptedClient([RESET], {
      ...EXACT,
      reconcile: () => new Promise(() => undefined),
    });
    const controller = new AbortController();
    clock.setTimer(50, () => controller.abort());
    const { error, atMonoMs } = await ended(api.post('/orders', {}, { signal: controller.signal }));
    expect([error?.code, atMonoMs]).toEqual(['ERR_CANCELED', 50]);
    expect(error?.heed).toMatchObject({ reason: 'cancelled', knowledge: 'unknown' });
  });
});

test('a request inside reconcile does not wait for the one that it is about', async () => {
  const client: ScriptedClient = scriptedClient(
    ({ method }) => (method === 'POST' ? { status: 503, headers: { 'retry-after': '5' } } : { status: 200 }),
    {
      ...EXACT,
      concurrency: 1,
      scopes: [() => 'all'],
      reconcile: async ({ bare }) => ({
        outcome: 'applied',
        response: await client.api.get('/orders/7', bare),
      }),
    },
  );
  const { status, atMonoMs } = await client.ended(client.api.post('/orders', {}));
  expect([status, atMonoMs]).toEqual([200, 0]);
});

describe('an answer that may be the trace of an earlier exchange', () => {
  test.each([
    ['delete', 404],
    ['delete', 410],
    ['put', 412],
    ['put', 409],
  ])('is marked: %s, then %d', async (method, status) => {
    const { api, ended } = scriptedClient([RESET, { status }], EXACT);
    const { error } = await ended(api.request({ method, url: '/things/7' }));
    expect(error?.heed).toMatchObject({ reason: 'not-transient', earlierOutcome: 'unknown' });
    expect(journalOf(error).at(-1)).toMatchObject({ event: 'operation-closed', earlierOutcome: 'unknown' });
  });

  test('is marked in the journal when `validateStatus` lets it pass', async () => {
    const { api, ended } = scriptedClient([RESET, { status: 404 }], EXACT);
    const { status, journal } = await ended(api.delete('/things/7', { validateStatus: () => true }));
    expect(status).toBe(404);
    expect(journal.at(-1)).toMatchObject({ outcome: 'succeeded', earlierOutcome: 'unknown' });
  });

  test.each<[string, string, Script]>([
    ['a first answer', 'delete', [{ status: 404 }]],
    [
      'an answer after a limit',
      'delete',
      [{ status: 429, headers: { 'retry-after': '1' } }, { status: 404 }],
    ],
    ['an answer to a read', 'get', [RESET, { status: 404 }]],
    ['a success', 'put', [RESET, { status: 200 }]],
    ['a failure', 'put', [RESET, { status: 503 }]],
  ])('%s is not', async (_, method, script) => {
    const { api, ended, entries } = scriptedClient(script, EXACT);
    const { error } = await ended(api.request({ method, url: '/things/7' }));
    expect(error?.heed ?? {}).not.toHaveProperty('earlierOutcome');
    expect(entries.at(-1)).not.toHaveProperty('earlierOutcome');
  });
});
