import { describe, expect, jest, test } from '@jest/globals';
import { Readable } from 'node:stream';
import type { HeedConfig, HeedPolicy } from '../../lib/index';
import type { Script, ScriptedAdapter } from '../support/scripted-adapter';
import { EXACT, scriptedClient } from '../support/scripted-client';
import type { Ended } from '../support/scripted-client';

const ONCE_MORE: Script = [{ status: 503 }, { status: 200 }];
const LIMITED = { status: 429, headers: { 'retry-after': '1' } } as const;

interface Run extends Ended {
  readonly server: ScriptedAdapter;
  readonly bodies: readonly unknown[];
}

async function put(
  heed: HeedConfig,
  {
    script = ONCE_MORE,
    policy = {},
    config = {},
  }: { script?: Script; policy?: HeedPolicy; config?: object } = {},
): Promise<Run> {
  const { api, server, ended } = scriptedClient(script, { ...EXACT, ...policy });
  const outcome = await ended(api.put('/things', undefined, { ...config, heed }));
  return { ...outcome, server, bodies: server.sent.map(({ data }) => data) };
}

describe('a body factory', () => {
  test('is asked before each exchange, the first included', async () => {
    let made = 0;
    const { status, bodies } = await put({ body: () => `body ${(made += 1)}` });
    expect([status, bodies]).toEqual([200, ['body 1', 'body 2']]);
  });

  test('may be asynchronous', async () => {
    const { bodies } = await put({ body: () => Promise.resolve('later') });
    expect(bodies).toEqual(['later', 'later']);
  });

  test('makes streams repeatable, one for each exchange', async () => {
    const { status, bodies } = await put({ body: () => Readable.from(['ten bytes!']) });
    expect(status).toBe(200);
    expect(new Set(bodies).size).toBe(2);
    expect(bodies.every((body) => (body as Readable).destroyed)).toBe(true);
  });

  test('gives what goes over the wire: no transform sees it', async () => {
    const transformRequest = jest.fn((data: unknown) => data);
    const { bodies } = await put({ body: () => '{"a":1}' }, { config: { transformRequest } });
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
    expect(transformRequest.mock.calls.map(([data]) => data)).toEqual([undefined]);
  });

  test('takes the place of what a hook gave', async () => {
    const { bodies } = await put(
      { body: () => 'made' },
      { policy: { beforeExchange: () => ({ data: 'hook' }) } },
    );
    expect(bodies).toEqual(['made', 'made']);
  });

  test('gives the body of the one exchange when only observing', async () => {
    const { bodies } = await put({ body: () => 'made' }, { policy: { mode: 'observe' } });
    expect(bodies).toEqual(['made']);
  });

  test('gives the body of a call that came too late for heed()', async () => {
    const { api, heeding, server, ended } = scriptedClient([{ status: 200 }]);
    api.interceptors.request.use((config) => Promise.resolve(config));
    const call = ended(api.put('/things', undefined, { heed: { body: () => 'made' } }));
    heeding.detach();
    await call;
    expect(server.sent.map(({ data }) => data)).toEqual(['made']);
  });

  test('takes away a length that is not that of the body, and leaves that of a stream', async () => {
    const headers = { 'Content-Length': '3' };
    const text = await put({ body: () => 'longer' }, { config: { headers } });
    expect(text.server.sent.map((sent) => sent.headers['content-length'])).toEqual([undefined, undefined]);
    const stream = await put({ body: () => Readable.from(['abc']) }, { config: { headers } });
    expect(stream.server.sent.map((sent) => sent.headers['content-length'])).toEqual(['3', '3']);
  });

  test('is not asked for an operation that is refused', async () => {
    const body = jest.fn(() => 'made');
    const { api, heeding, clock, ended } = scriptedClient([{ status: 200 }], {
      ...EXACT,
      scopes: [() => 'all'],
    });
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 60_000, 'closed for the test');
    const { error } = await ended(api.put('/things', undefined, { heed: { body, budget: 1000 } }));
    expect([error?.heed.reason, body.mock.calls.length]).toEqual(['deadline-too-near', 0]);
  });

  test('that throws rejects with what it threw and gives the pass back', async () => {
    const thrown = new Error('no body today');
    const { api, heeding, server, ended } = scriptedClient([{ status: 200 }]);
    const heed = { body: () => Promise.reject(thrown) };
    const { error } = await ended(api.put('/things', undefined, { heed }));
    expect([error, server.sent]).toEqual([thrown, []]);
    expect(heeding.snapshot().gates.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  test('that hangs ends the operation after ten seconds', async () => {
    const { error, server, atMonoMs } = await put({ body: () => new Promise(() => undefined) });
    expect([error?.heed.reason, error?.code]).toEqual(['hook-timed-out', 'ERR_HEED_HOOK_TIMED_OUT']);
    expect([server.sent.length, atMonoMs]).toEqual([0, 10_000]);
  });

  test('that comes too late has its stream closed', async () => {
    const { api, clock, ended } = scriptedClient([{ status: 200 }]);
    const late = Readable.from(['late']);
    const body = (): Promise<Readable> =>
      new Promise((resolve) => {
        clock.setTimer(12_000, () => resolve(late));
      });
    await ended(api.put('/things', undefined, { heed: { body } }));
    expect(late.destroyed).toBe(false);
    await clock.advance(2000);
    expect(late.destroyed).toBe(true);
  });

  test('that is at work when the caller cancels ends at once', async () => {
    const { api, clock, server, ended } = scriptedClient([{ status: 200 }]);
    const controller = new AbortController();
    clock.setTimer(50, () => controller.abort());
    const heed = { body: () => new Promise(() => undefined) };
    const { error, atMonoMs } = await ended(api.put('/', undefined, { heed, signal: controller.signal }));
    expect([error?.code, atMonoMs, server.sent.length]).toEqual(['ERR_CANCELED', 50, 0]);
  });
});

describe('a factory is checked, not trusted', () => {
  test('a stream that comes twice is not sent twice, and the status is kept', async () => {
    const shared = Readable.from(['ten bytes!']);
    const { error, server } = await put({ body: () => shared });
    expect(server.sent).toHaveLength(1);
    expect(error).toMatchObject({ response: { status: 503 }, heed: { reason: 'body-not-replayable' } });
  });

  test('the same stream given to another operation is not sent either', async () => {
    const shared = new Blob(['ten bytes!']).stream();
    await put({ body: () => shared }, { script: [{ status: 200 }] });
    const { error, server } = await put({ body: () => shared }, { script: [{ status: 200 }] });
    expect([server.sent.length, error?.heed.reason, error?.code]).toEqual([
      0,
      'body-not-replayable',
      'ERR_HEED_BODY',
    ]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'read of',
      async () => {
        const stream = Readable.from(['a', 'b']);
        for await (const chunk of stream) if (chunk === 'a') break;
        return stream;
      },
    ],
    ['destroyed', () => Promise.resolve(Readable.from(['a']).destroy())],
    [
      'locked',
      () => {
        const stream = new Blob(['a']).stream();
        stream.getReader();
        return Promise.resolve(stream);
      },
    ],
  ])('a stream that is %s is not sent', async (_, body) => {
    const { error, server } = await put({ body });
    expect([server.sent.length, error?.heed.reason]).toEqual([0, 'body-not-replayable']);
  });
});

describe('with a key the bytes stay the same', () => {
  const keyed = { idempotencyKey: 'k-1' } as const;
  let made = 0;
  const counted = (): string => `body ${(made += 1)}`;

  test.each<[string, () => unknown]>([
    ['a text', counted],
    ['bytes', () => Buffer.from(counted())],
    ['an array buffer', () => Uint8Array.from(Buffer.from(counted())).buffer],
    ['URLSearchParams', () => new URLSearchParams({ a: counted() })],
    ['a blob of another size', () => new Blob(['x'.repeat((made += 1))])],
    [
      'a form',
      () => {
        const form = new FormData();
        form.set('a', counted());
        return form;
      },
    ],
    ['no body, then one', () => ((made += 1) % 2 === 0 ? undefined : 'body')],
  ])('%s that changes is not sent again', async (_, body) => {
    const { error, server } = await put({ ...keyed, body });
    expect(server.sent).toHaveLength(1);
    expect(error).toMatchObject({
      response: { status: 503 },
      heed: { reason: 'body-changed', retryable: false },
    });
  });

  test.each<[string, () => unknown]>([
    ['a text', () => 'same'],
    ['bytes', () => Buffer.from('same')],
    ['URLSearchParams', () => new URLSearchParams({ a: '1' })],
    ['a stream, which nobody can look into', () => Readable.from(['same'])],
    ['nothing', () => undefined],
  ])('%s that stays the same is', async (_, body) => {
    expect((await put({ ...keyed, body })).status).toBe(200);
  });

  test('what a hook changes is not sent again', async () => {
    const { error, server } = await put(keyed, { policy: { beforeExchange: () => ({ data: 'changed' }) } });
    expect([server.sent.length, error?.heed.reason]).toEqual([1, 'body-changed']);
  });

  test('bytes that somebody writes into meanwhile are not sent again', async () => {
    const bytes = Buffer.from('first');
    const { api, clock, server, ended } = scriptedClient([LIMITED, { status: 200 }]);
    clock.setTimer(500, () => bytes.write('other'));
    const { error } = await ended(api.put('/things', bytes, { heed: keyed }));
    expect([server.sent.length, error?.heed.reason]).toEqual([1, 'body-changed']);
  });

  test('without a key a body may change', async () => {
    expect((await put({ body: counted })).status).toBe(200);
  });
});

describe('a stream of an operation that is refused is closed', () => {
  const closed = { ...EXACT, scopes: [() => 'all'] };

  test.each([
    ['because the queue is full', { maxQueued: 0 }, {}, 'queue-full'],
    ['because its deadline is too near', {}, { heed: { budget: 1000 } }, 'deadline-too-near'],
  ])('%s', async (_, policy, config, reason) => {
    const { api, heeding, clock, ended } = scriptedClient([{ status: 200 }], { ...closed, ...policy });
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 60_000, 'closed for the test');
    const node = Readable.from(['ten bytes!']);
    const { error } = await ended(api.put('/things', node, config));
    expect([error?.heed.reason, node.destroyed]).toEqual([reason, true]);
    const cancel = jest.fn(() => undefined);
    await ended(api.put('/things', new ReadableStream({ cancel }), config));
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  test('because the server asks for too long a wait', async () => {
    const { api, ended } = scriptedClient([{ status: 429, headers: { 'retry-after': '9' } }], {
      ...closed,
      maxHint: 1000,
    });
    await ended(api.get('/things'));
    const stream = Readable.from(['ten bytes!']);
    const { error } = await ended(api.put('/things', stream));
    expect([error?.heed.reason, stream.destroyed]).toEqual(['hint-too-long', true]);
  });

  test('because the caller cancels while it is held', async () => {
    const { api, heeding, clock, ended } = scriptedClient([{ status: 200 }], closed);
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 60_000, 'closed for the test');
    const controller = new AbortController();
    clock.setTimer(50, () => controller.abort());
    const stream = Readable.from(['ten bytes!']);
    const { error } = await ended(api.put('/things', stream, { signal: controller.signal }));
    expect([error?.code, stream.destroyed]).toEqual(['ERR_CANCELED', true]);
  });

  test('because its options are refused', async () => {
    const stream = Readable.from(['ten bytes!']);
    const { api, ended } = scriptedClient([{ status: 200 }]);
    const { error } = await ended(api.put('/things', stream, { heed: { exchanges: 0 } }));
    expect([error?.code, stream.destroyed]).toEqual(['ERR_HEED_OPTIONS', true]);
  });

  test('because a hook threw', async () => {
    const beforeExchange = (): never => {
      throw new Error('no');
    };
    const policy = { ...closed, beforeExchange };
    const { api, heeding, clock, ended } = scriptedClient([{ status: 200 }], policy);
    heeding.hold({ by: 'own', value: 'all' }, clock.wallEpochMs() + 1000, 'closed for the test');
    const stream = Readable.from(['ten bytes!']);
    await ended(api.put('/things', stream));
    expect(stream.destroyed).toBe(true);
  });

  test('a body that is no stream stays as it is', async () => {
    const { api, ended } = scriptedClient([{ status: 200 }], { ...closed, maxQueued: 0 });
    const bytes = Object.assign(Buffer.from('abc'), { destroy: jest.fn() });
    await ended(api.put('/things', bytes, { heed: { budget: 0 } }));
    expect(bytes.destroy).not.toHaveBeenCalled();
  });

  test('a stream that was sent stays with its adapter', async () => {
    const stream = Readable.from(['ten bytes!']);
    const { api, ended } = scriptedClient([{ status: 200 }]);
    await ended(api.put('/things', stream));
    expect(stream.destroyed).toBe(false);
  });
});
