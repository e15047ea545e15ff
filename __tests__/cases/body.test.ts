import { describe, expect, test } from '@jest/globals';
import FormDataPackage from 'form-data';
import { Readable } from 'node:stream';
import { EXACT, scriptedClient } from '../support/scripted-client';

const ONCE_MORE = [{ status: 503 }, { status: 200 }] as const;

test('BOD-01: a transformed body is sent twice with the same bytes', async () => {
  const { api, server, ended } = scriptedClient(ONCE_MORE);
  let runs = 0;
  const transformRequest = (data: unknown): string => {
    runs += 1;
    return JSON.stringify({ w: data });
  };
  await ended(api.put('/things', { a: 1 }, { transformRequest }));
  expect(server.sent.map(({ data }) => data)).toEqual(['{"w":{"a":1}}', '{"w":{"a":1}}']);
  expect(runs).toBe(1);
});

describe('BOD-03: a body that is read by being sent is sent once, and the status is kept', () => {
  const bytes = 'ten bytes!';
  test.each([
    ['a Readable', () => Readable.from([bytes])],
    ['a web stream', () => new Blob([bytes]).stream()],
    ['a generator', () => chunks(bytes)],
    [
      'form-data, the package',
      () => {
        const form = new FormDataPackage();
        form.append('k', 'v');
        return form;
      },
    ],
  ])('%s', async (_, make) => {
    const { api, server, ended } = scriptedClient(ONCE_MORE);
    const { error } = await ended(
      api.put('/things', make(), { transformRequest: (data) => data as unknown }),
    );
    expect(server.sent).toHaveLength(1);
    expect(error).toMatchObject({ response: { status: 503 }, heed: { reason: 'body-not-replayable' } });
  });

  test('a factory instead of a stream sends it twice, whole', async () => {
    const { api, server, ended } = scriptedClient(ONCE_MORE);
    const body = (): Readable => Readable.from([bytes]);
    expect((await ended(api.put('/things', undefined, { heed: { body } }))).status).toBe(200);
    expect(server.sent).toHaveLength(2);
    expect(server.sent[1]?.data).not.toBe(server.sent[0]?.data);
  });

  test('also when the limit says that nothing was applied', async () => {
    const { api, server, ended } = scriptedClient([
      { status: 429, headers: { 'retry-after': '1' } },
      { status: 200 },
    ]);
    const { error } = await ended(api.put('/things', Readable.from([bytes])));
    expect(server.sent).toHaveLength(1);
    expect(error).toMatchObject({ response: { status: 429 }, heed: { reason: 'body-not-replayable' } });
  });
});

describe('BOD-06: bytes and Content-Type are the same on both exchanges', () => {
  test.each([
    ['a Buffer', Buffer.from([0x00, 0xff, 0x7b, 0x22]), 'application/octet-stream'],
    ['a Uint8Array', new Uint8Array([0x00, 0xff, 0x7b, 0x22]), 'application/octet-stream'],
    ['an ArrayBuffer', new Uint8Array([0x00, 0xff]).buffer, 'application/octet-stream'],
    ['URLSearchParams', new URLSearchParams({ a: '1' }), 'application/x-www-form-urlencoded;charset=utf-8'],
    ['a text', 'plain', 'text/plain'],
    ['no body', undefined, 'application/x-www-form-urlencoded'],
  ])('%s', async (_, data, type) => {
    const { api, server, ended } = scriptedClient(ONCE_MORE);
    const headers = data instanceof URLSearchParams ? {} : { 'Content-Type': type };
    expect((await ended(api.put('/things', data, { headers }))).status).toBe(200);
    const [first, second] = server.sent;
    expect(second?.data).toEqual(first?.data);
    expect(server.sent.map((exchange) => exchange.headers['content-type'])).toEqual([type, type]);
  });
});

test('BOD-05: native FormData is handed to the adapter as it is, both times', async () => {
  const { api, server, ended } = scriptedClient(ONCE_MORE);
  const form = new FormData();
  form.set('k', 'v');
  form.set('file', new Blob(['ten bytes!']), 'f');
  expect((await ended(api.put('/things', form))).status).toBe(200);
  expect(server.sent.map(({ data }) => data)).toEqual([form, form]);
});

describe('BOD-08: an answer that nobody will read is released before the wait', () => {
  test('a Node stream is destroyed', async () => {
    const body = Readable.from(['slow down']);
    const { api, clock, ended } = scriptedClient([
      { status: 429, headers: { 'retry-after': '1' }, data: body },
      { status: 200, data: 'ok' },
    ]);
    const call = ended(api.get('/things', { responseType: 'stream' }));
    expect(body.destroyed).toBe(false);
    expect((await call).data).toBe('ok');
    expect([body.destroyed, clock.monoMs()]).toEqual([true, 1000]);
  });

  test('a web stream is cancelled', async () => {
    const cancelled: unknown[] = [];
    const body = new ReadableStream({ cancel: (reason) => void cancelled.push(reason) });
    const { api, ended } = scriptedClient([
      { status: 429, headers: { 'retry-after': '1' }, data: body },
      { status: 200 },
    ]);
    await ended(api.get('/things', { responseType: 'stream' }));
    expect(cancelled).toHaveLength(1);
  });

  test('a web stream that is locked stays with its reader', async () => {
    const body = new ReadableStream();
    body.getReader();
    const { api, ended } = scriptedClient([
      { status: 429, headers: { 'retry-after': '1' }, data: body },
      { status: 200 },
    ]);
    expect((await ended(api.get('/things', { responseType: 'stream' }))).status).toBe(200);
  });

  test('the last answer stays whole: it is the caller who reads it', async () => {
    const body = Readable.from(['sorry']);
    const { api, ended } = scriptedClient([{ status: 503, data: body }], { ...EXACT, exchanges: 1 });
    const { error } = await ended(api.get('/things', { responseType: 'stream' }));
    expect(body.destroyed).toBe(false);
    expect(error?.response?.data).toBe(body);
  });

  test('the last answer stays whole also when a later exchange is refused before it is sent', async () => {
    const body = Readable.from(['sorry']);
    const { api, ended } = scriptedClient([{ status: 429, headers: { 'retry-after': '90' }, data: body }]);
    const { error } = await ended(api.get('/things', { responseType: 'stream', heed: { maxHint: 1000 } }));
    expect(error?.response?.data).toBe(body);
    expect(body.destroyed).toBe(false);
  });
});

test('BOD-12: a factory that returns the same half-read stream again does not have it sent', async () => {
  const { api, server, ended } = scriptedClient(ONCE_MORE);
  const shared = Readable.from(['ten bytes!']);
  const { error } = await ended(api.put('/things', undefined, { heed: { body: () => shared } }));
  expect(server.sent).toHaveLength(1);
  expect(error).toMatchObject({ response: { status: 503 }, heed: { reason: 'body-not-replayable' } });
});

test.each(['text', 'arraybuffer'] as const)(
  'BOD-10: an answer that broke off leaves nothing behind in the next (%s)',
  async (responseType) => {
    const { api, server, ended } = scriptedClient([
      { status: 200, data: 'H', cut: true },
      { status: 200, data: 'Hello World' },
    ]);
    expect((await ended(api.get('/things', { responseType }))).data).toBe('Hello World');
    expect(server.sent).toHaveLength(2);
  },
);

function* chunks(bytes: string): Generator<string> {
  yield bytes;
}
