import { describe, expect, jest, test } from '@jest/globals';
import { journalOf } from '../../lib/index';
import type { ExchangeContext, HeedPolicy, JournalEntry, ReadinessCheck } from '../../lib/index';
import type { Script } from '../support/scripted-adapter';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';

const LIMITED = { status: 429, headers: { 'retry-after': '2' } } as const;
const ONCE_MORE: Script = [LIMITED, { status: 200 }];

type Check = ReadinessCheck['check'];

function clientWith(check: Check, policy: HeedPolicy = {}, script: Script = ONCE_MORE): ScriptedClient {
  return scriptedClient(script, { ...EXACT, readiness: [{ name: 'db', check }], ...policy });
}

function hooksIn(journal: readonly JournalEntry[]): readonly object[] {
  return journal.flatMap((entry) => {
    if (entry.event !== 'hook-ended') return [];
    const { hook, how, notBeforeEpochMs, why } = entry;
    return [{ hook, how, ...(notBeforeEpochMs && { notBeforeEpochMs }), ...(why && { why }) }];
  });
}

describe('readiness checks', () => {
  test('are asked before an exchange that is not the first, and journalled', async () => {
    const check = jest.fn<Check>(() => 'ready');
    const { server, get } = clientWith(check);
    const { status, journal } = await get();
    expect([status, server.times()]).toEqual([200, [0, 2000]]);
    expect(check).toHaveBeenCalledTimes(1);
    expect(hooksIn(journal)).toEqual([{ hook: 'readiness: db', how: 'ready' }]);
  });

  test('are not asked before a first exchange that did not wait', async () => {
    const check = jest.fn<Check>(() => 'ready');
    await clientWith(check, {}, [{ status: 200 }]).get();
    expect(check).not.toHaveBeenCalled();
  });

  test('are asked before a first exchange that was held', async () => {
    const seen: ExchangeContext[] = [];
    const check: Check = (context) => {
      seen.push(context);
      return 'ready';
    };
    const { heeding, clock, get } = clientWith(check, { scopes: [() => 'all'] }, [{ status: 200 }]);
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 5000, 'closed for the test');
    await get();
    expect(seen).toEqual([
      expect.objectContaining({
        exchange: 1,
        waitedMs: 5000,
        method: 'GET',
        url: 'https://api.example.com/things',
      }),
    ]);
  });

  test('are asked in order, and then the hook, whose facts are the freshest', async () => {
    const order: string[] = [];
    const named = (name: string): ReadinessCheck => ({
      name,
      check: () => {
        order.push(name);
        return 'ready';
      },
    });
    const beforeExchange = (): undefined => {
      order.push('hook');
      return undefined;
    };
    const policy = { ...EXACT, readiness: [named('a'), named('b')], beforeExchange };
    const { get } = scriptedClient(ONCE_MORE, policy);
    const { journal } = await get();
    expect(order).toEqual(['a', 'b', 'hook']);
    expect(hooksIn(journal)).toEqual([
      { hook: 'readiness: a', how: 'ready' },
      { hook: 'readiness: b', how: 'ready' },
      { hook: 'beforeExchange', how: 'done' },
    ]);
  });
});

describe('a check that says not before', () => {
  const until = (atMs: number): Check => {
    return () => ({ notBefore: T0 + atMs });
  };

  test.each([
    ['ms since 1970', T0 + 6000],
    ['a Date', new Date(T0 + 6000)],
  ])('puts the exchange off until then, as %s', async (_, notBefore) => {
    const answers: Check = jest.fn<Check>().mockReturnValueOnce({ notBefore }).mockResolvedValue('ready');
    const { server, get } = clientWith(answers);
    const { status, journal } = await get();
    expect([status, server.times()]).toEqual([200, [0, 6000]]);
    expect(hooksIn(journal)).toEqual([
      { hook: 'readiness: db', how: 'not-before', notBeforeEpochMs: T0 + 6000 },
      { hook: 'readiness: db', how: 'ready' },
    ]);
  });

  test('gives the pass back: another call goes meanwhile', async () => {
    const check: Check = ({ url }) => (url.endsWith('/first') ? { notBefore: T0 + 9000 } : 'ready');
    const { api, clock, server } = clientWith(check, { concurrency: 1, scopes: [() => 'all'] }, [
      LIMITED,
      { status: 200 },
    ]);
    const calls = [api.get('/first'), api.get('/second')];
    await clock.until(Promise.all(calls));
    const sent = server.sent.map(({ url, atMonoMs }) => [url.slice(-6), atMonoMs]);
    expect(sent.filter(([url]) => url === 'second').at(-1)).toEqual(['second', 2000]);
    expect(sent.at(-1)).toEqual(['/first', 9000]);
  });

  test('an instant that has come is no reason to wait, however often it is named', async () => {
    const { server, get } = clientWith(until(-1000));
    expect((await get()).status).toBe(200);
    expect(server.times()).toEqual([0, 2000]);
  });

  test('is not waited for past the deadline', async () => {
    const { server, get } = clientWith(until(6000), { budget: 5000 });
    const { error, atMonoMs } = await get();
    expect([error?.heed.reason, server.sent.length, atMonoMs]).toEqual(['deadline-too-near', 1, 2000]);
  });

  test('is not waited for longer than a server would be, and the error says until when', async () => {
    const { server, get } = clientWith(until(70_000), { maxHint: 60_000 });
    const { error, atMonoMs } = await get();
    expect(error?.heed).toMatchObject({ reason: 'not-ready', releaseAt: T0 + 70_000 });
    expect([error?.response?.status, server.sent.length, atMonoMs]).toEqual([429, 1, 2000]);
  });

  test('cannot put an exchange off for ever', async () => {
    const { clock, server, get } = clientWith(() => ({ notBefore: clock.wallEpochMs() + 1000 }));
    const { error, atMonoMs } = await get();
    expect([error?.heed.reason, server.sent.length]).toEqual(['not-ready', 1]);
    expect(atMonoMs).toBeLessThanOrEqual(62_000);
  });

  test('has no code of the server to give when nothing was sent', async () => {
    const policy: HeedPolicy = { scopes: [() => 'all'] };
    const { heeding, clock, get } = clientWith(() => ({ stop: 'closed' }), policy);
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 1000, 'closed for the test');
    const { error } = await get();
    expect(error).toMatchObject({ isAxiosError: true, code: 'ERR_HEED_NOT_READY', heed: { exchanges: 0 } });
  });
});

describe('a check that says stop', () => {
  test('ends the call with the last answer of the server, and says why in the journal', async () => {
    const { server, get } = clientWith(() => ({ stop: 'maintenance\nuntil Monday' }));
    const { error } = await get();
    expect(error).toMatchObject({
      response: { status: 429 },
      heed: { reason: 'not-ready', retryable: false },
    });
    expect(server.sent).toHaveLength(1);
    expect(hooksIn(journalOf(error))).toEqual([
      { hook: 'readiness: db', how: 'stop', why: 'maintenance\\u{a}until Monday' },
    ]);
  });

  test('spares the checks after it and the hook', async () => {
    const never = jest.fn<() => undefined>();
    const { get } = clientWith(() => ({ stop: '' }), { beforeExchange: never });
    expect((await get()).error?.heed.reason).toBe('not-ready');
    expect(never).not.toHaveBeenCalled();
  });
});

describe('a check that fails never blocks for ever', () => {
  test('one that throws rejects with what it threw, is journalled, and gives the pass back', async () => {
    const thrown = new Error('no database');
    const { heeding, entries, get } = clientWith(() => Promise.reject(thrown));
    const { error } = await get();
    expect(error).toBe(thrown);
    expect(hooksIn(entries)).toEqual([{ hook: 'readiness: db', how: 'failed' }]);
    expect(entries.at(-1)).toMatchObject({ event: 'operation-closed', because: 'hook-failed' });
    expect(journalOf(error).at(-1)).toMatchObject({ because: 'hook-failed' });
    expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  test('one that hangs ends the call after ten seconds', async () => {
    const { heeding, entries, get } = clientWith(() => new Promise(() => undefined));
    const { error, atMonoMs } = await get();
    expect([error?.heed.reason, atMonoMs]).toEqual(['hook-timed-out', 12_000]);
    expect(hooksIn(entries)).toEqual([{ hook: 'readiness: db', how: 'hook-timed-out' }]);
    expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  test('one that hangs does not outlive the deadline', async () => {
    const { get } = clientWith(() => new Promise(() => undefined), { budget: 3000 });
    const { error, atMonoMs } = await get();
    expect([error?.heed.reason, atMonoMs]).toEqual(['deadline-passed', 3000]);
  });

  test.each([
    undefined,
    null,
    true,
    'yes',
    {},
    { notBefore: 'soon' },
    { notBefore: new Date(NaN) },
    { stop: 1 },
  ])('one that answers %j rejects with a TypeError that names it', async (answer) => {
    const { get, server } = clientWith(() => answer as never);
    const { error } = await get();
    expect(error).toBeInstanceOf(TypeError);
    expect(error?.message).toMatch(/Expected `readiness: db` to return 'ready'/);
    expect(server.sent).toHaveLength(1);
  });

  test('one that asks through the same client does not wait for itself', async () => {
    const { api, server, clock } = scriptedClient(
      ({ url, number }) => {
        if (url.endsWith('/health')) return { status: 200 };
        return number === 1 ? LIMITED : { status: 200 };
      },
      {
        ...EXACT,
        scopes: [() => 'all'],
        concurrency: 1,
        readiness: [
          {
            name: 'health',
            check: async ({ bare }) =>
              (await api.get('/health', bare)).status === 200 ? 'ready' : { stop: 'ill' },
          },
        ],
      },
    );
    expect((await clock.until(api.get('/things'))).status).toBe(200);
    expect(server.sent.map(({ url }) => url.replace('https://api.example.com', ''))).toEqual([
      '/things',
      '/health',
      '/things',
    ]);
  });
});
