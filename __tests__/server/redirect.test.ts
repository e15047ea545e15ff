import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { Readable } from 'node:stream';
import { heed, journalOf } from '../../lib/index';
import type { HeedPolicy } from '../../lib/index';
import { systemClock } from '../../lib/time/clock';
import type { Clock } from '../../lib/time/clock';
import { loopbacks } from '../support/loopback';
import type { Answerer, Arrival, Loopback } from '../support/loopback';
import { settled } from '../support/world';

/** Its seconds are a twentieth of those on the wall: what is sent does not depend on how long it waited. */
const hurried: Clock = {
  ...systemClock,
  monoMs: () => 20 * systemClock.monoMs(),
  setTimer: (delayMs, fire) => systemClock.setTimer(delayMs / 20, fire),
};

const POLICY: HeedPolicy = { exchanges: 3, backoff: { first: 20, factor: 2 }, jitter: 0 };
const serve = loopbacks();

function client(policy: HeedPolicy = POLICY): AxiosInstance {
  const api = axios.create({ adapter: 'http' });
  heed(api, policy);
  return api;
}

const ok: Answerer = (_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('there');

/** A server that sends everything elsewhere, and what it says about when. */
function redirects(
  status: number,
  location: string,
  headers: Record<string, string> = {},
): Promise<Loopback> {
  return serve((_, response) => response.writeHead(status, { Location: location, ...headers }).end());
}

/** What a request was, less what belongs to its connection. */
function sentTo({ arrivals }: Loopback): readonly object[] {
  return arrivals.map(({ method, url, headers, body }: Arrival) => {
    const ofRequest = Object.entries(headers).filter(([name]) => name !== 'host' && name !== 'connection');
    return { method, url, headers: Object.fromEntries(ofRequest), body: body.toString() };
  });
}

const IN_ONE_SECOND = { 'Retry-After': '1' };

describe('a redirect that says when to follow it', () => {
  test('is waited for, and then followed', async () => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, IN_ONE_SECOND);
    const { value } = await settled(client().get(`${first.url}/here`));
    expect([value?.status, value?.data]).toEqual([200, 'there']);
    const waitedMs = target.arrivals[0]!.atMs - first.arrivals[0]!.atMs;
    expect(waitedMs).toBeGreaterThanOrEqual(1000);
    expect(waitedMs).toBeLessThan(1300);
    expect(first.arrivals).toHaveLength(1);
  });

  test('is an exchange of its own in the journal, and closes no gate', async () => {
    const target = await serve(ok);
    const first = await redirects(307, `${target.url}/there`, IN_ONE_SECOND);
    const api = axios.create({ adapter: 'http' });
    const heeding = heed(api, POLICY);
    const { value } = await settled(api.post(`${first.url}/here`, { a: 1 }));
    const journal = journalOf(value);
    expect(journal).toContainEqual(
      expect.objectContaining({ event: 'observation', end: 'redirect', status: 307, verdict: 'redirect' }),
    );
    expect(journal).toContainEqual(
      expect.objectContaining({ event: 'permission-granted', grounds: 'not-sent' }),
    );
    expect(journal[0]).toMatchObject({ event: 'operation-opened', method: 'POST', origin: first.url });
    expect(journal.at(-1)).toMatchObject({ outcome: 'succeeded', exchanges: 2 });
    expect(heeding.snapshot().gates.every(({ state }) => state === 'open')).toBe(true);
  });

  const secret = { Authorization: 'Bearer t', Cookie: 'a=1', 'X-Own': 'mine' };
  const body = { data: { a: 1 } };
  const cases: readonly (readonly [string, number, AxiosRequestConfig])[] = [
    ['GET', 301, { method: 'get', headers: secret, params: { q: 'a b' } }],
    ['GET', 308, { method: 'get', auth: { username: 'u', password: 'p:w' } }],
    ['HEAD', 302, { method: 'head' }],
    ['POST', 301, { method: 'post', headers: secret, ...body }],
    ['POST', 302, { method: 'post', ...body }],
    ['POST', 303, { method: 'post', ...body }],
    ['POST', 307, { method: 'post', headers: secret, ...body }],
    ['POST', 308, { method: 'post', ...body }],
    ['PUT', 302, { method: 'put', ...body }],
    ['PUT', 303, { method: 'put', ...body }],
    ['PATCH', 307, { method: 'patch', ...body }],
    ['DELETE', 308, { method: 'delete' }],
  ];

  describe.each(['the same host', 'another host'])('to %s', (where) => {
    test.each(cases)('sends what axios would have sent: %s after %d', async (_, status, config) => {
      const run = async (
        send: (url: string) => Promise<unknown>,
        headers: object,
      ): Promise<readonly object[]> => {
        const elsewhere = await serve(ok);
        const first = await serve((arrival, response) => {
          if (arrival.url.startsWith('/there')) {
            ok(arrival, response);
            return;
          }
          const location = where === 'another host' ? `${elsewhere.url}/there?x=1` : '/there?x=1';
          return response.writeHead(status, { Location: location, ...headers }).end();
        });
        await send(`${first.url}/here`);
        return sentTo(where === 'another host' ? elsewhere : first);
      };
      const plain = await run((url) => axios.request({ adapter: 'http', ...config, url }), {});
      const held = await run(
        (url) => client({ ...POLICY, clock: hurried }).request({ ...config, url }),
        IN_ONE_SECOND,
      );
      expect(held).toEqual(plain);
    });
  });

  test('is asked of the `beforeRedirect` of the caller, whose changes are sent', async () => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, IN_ONE_SECOND);
    const beforeRedirect: AxiosRequestConfig['beforeRedirect'] = (options) => {
      options['headers']['x-added'] = 'here';
    };
    await client().get(first.url, { beforeRedirect });
    expect(target.arrivals.map(({ headers }) => headers['x-added'])).toEqual(['here']);
  });

  test('goes through the gates of the host that it leads to', async () => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, IN_ONE_SECOND);
    const api = axios.create({ adapter: 'http' });
    const heeding = heed(api, POLICY);
    heeding.hold({ url: `${target.url}/there` }, Date.now() + 1500, 'for the test');
    await api.get(first.url);
    expect(target.arrivals[0]!.atMs - first.arrivals[0]!.atMs).toBeGreaterThanOrEqual(1400);
  });

  test('with a body factory has a body made for it, unless the method has changed', async () => {
    const target = await serve(ok);
    for (const status of [307, 303]) {
      const first = await redirects(status, `${target.url}/there`, IN_ONE_SECOND);
      await client({ ...POLICY, clock: hurried }).put(first.url, undefined, {
        heed: { body: () => Readable.from(['ten bytes!']), idempotencyKey: 'k-1' },
      });
    }
    expect(target.arrivals.map(({ method, body: { length } }) => [method, length])).toEqual([
      ['PUT', 10],
      ['GET', 0],
    ]);
  });
});

describe('a redirect that may not be waited for', () => {
  test.each<[string, HeedPolicy, string]>([
    ['longer than maxHint', { maxHint: 500 }, 'hint-too-long'],
    ['past the deadline', { budget: 500 }, 'deadline-too-near'],
    ['with its exchanges spent', { exchanges: 1 }, 'exchanges-spent'],
  ])('%s ends the call at once, and is not followed', async (_, policy, reason) => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, IN_ONE_SECOND);
    const startMs = performance.now();
    const { error } = await settled(client({ ...POLICY, ...policy }).get(first.url));
    expect(error.heed.reason).toBe(reason);
    expect(error.heed.message).toContain('last status 302');
    expect(performance.now() - startMs).toBeLessThan(400);
    expect(target.arrivals).toEqual([]);
  });

  test('because its body has been read ends the call', async () => {
    const target = await serve(ok);
    const first = await redirects(307, `${target.url}/there`, IN_ONE_SECOND);
    const { error } = await settled(client().put(first.url, Readable.from(['ten bytes!'])));
    expect([error.heed.reason, target.arrivals.length]).toEqual(['body-not-replayable', 0]);
  });
});

describe('a redirect that stays with axios', () => {
  test.each<[string, Record<string, string>]>([
    ['without a hint', {}],
    ['with a hint of zero', { 'Retry-After': '0' }],
    ['with a malformed hint', { 'Retry-After': 'soon' }],
  ])('%s is followed at once, in the same exchange', async (_, headers) => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, headers);
    const { value } = await settled(client().get(first.url));
    expect(value?.status).toBe(200);
    expect(target.arrivals[0]!.atMs - first.arrivals[0]!.atMs).toBeLessThan(400);
    expect(journalOf(value).at(-1)).toMatchObject({ exchanges: 1 });
  });

  test('is followed at once with `heed: false` and when only observing', async () => {
    const target = await serve(ok);
    const first = await redirects(302, `${target.url}/there`, IN_ONE_SECOND);
    const startMs = performance.now();
    await client().get(first.url, { heed: false });
    await client({ ...POLICY, mode: 'observe' }).get(first.url);
    expect(performance.now() - startMs).toBeLessThan(900);
    expect(target.arrivals).toHaveLength(2);
  });

  test('with `maxRedirects: 0` is the answer', async () => {
    const first = await redirects(302, '/there', IN_ONE_SECOND);
    const { error } = await settled(client().get(first.url, { maxRedirects: 0 }));
    expect([error.response.status, error.heed.reason]).toEqual([302, 'not-transient']);
  });

  test('more of them than axios follows are an error of axios, not a redirect that is held', async () => {
    const first = await redirects(302, '/there');
    const { error } = await settled(client().get(first.url, { maxRedirects: 2 }));
    expect([error.code, error.heed.reason]).toEqual(['ERR_FR_TOO_MANY_REDIRECTS', 'not-transient']);
  });
});

describe('an idempotency key', () => {
  const keyed = { heed: { idempotencyKey: 'k-1' } };
  const keysOf = ({ arrivals }: Loopback): readonly unknown[] =>
    arrivals.map(({ headers }) => headers['idempotency-key']);

  test.each([{}, IN_ONE_SECOND])('goes to no other host after a redirect (%j)', async (headers) => {
    const target = await serve(ok);
    const first = await redirects(307, `${target.url}/there`, headers);
    await client().post(first.url, { a: 1 }, keyed);
    expect([keysOf(first), keysOf(target)]).toEqual([['k-1'], [undefined]]);
  });

  test.each([{}, IN_ONE_SECOND])('stays on the way within one host (%j)', async (headers) => {
    const first = await serve((arrival, response) => {
      if (arrival.url === '/there') {
        ok(arrival, response);
        return;
      }
      return response.writeHead(307, { Location: '/there', ...headers }).end();
    });
    await client().post(`${first.url}/here`, { a: 1 }, keyed);
    expect(keysOf(first)).toEqual(['k-1', 'k-1']);
  });

  test('does not come back when a second redirect leads home', async () => {
    const home = await serve((arrival, response) => {
      if (arrival.url === '/end') {
        ok(arrival, response);
        return;
      }
      return response.writeHead(307, { Location: `${away.url}/away` }).end();
    });
    const away: Loopback = await serve((_, response) =>
      response.writeHead(307, { Location: `${home.url}/end` }).end(),
    );
    await client().post(`${home.url}/start`, { a: 1 }, keyed);
    expect([keysOf(home), keysOf(away)]).toEqual([['k-1', undefined], [undefined]]);
  });

  test('under another name goes to no other host either', async () => {
    const target = await serve(ok);
    const first = await redirects(307, `${target.url}/there`);
    const policy = { ...POLICY, idempotencyKey: { key: 'auto', header: 'X-Key' } } as const;
    await client(policy).post(first.url, { a: 1 });
    expect(first.arrivals[0]?.headers['x-key']).toMatch(/^[\da-f-]{36}$/);
    expect(target.arrivals[0]?.headers['x-key']).toBeUndefined();
  });
});

test.each([
  ['http', 'another host', 'open'],
  ['http', 'the same host', 'held'],
] as const)(
  'through %s a limit to which a redirect led, at %s, leaves the gate of who was asked %s',
  async (adapter, where, state) => {
    const limit: Answerer = (_, response) => response.writeHead(429, { 'Retry-After': '5' }).end();
    const other = await serve(limit);
    const first = await serve((arrival, response) => {
      if (arrival.url === '/there') limit(arrival, response);
      // `localhost` is another host than 127.0.0.1.
      else
        response
          .writeHead(302, {
            Location: where === 'another host' ? `http://localhost:${other.port}/` : '/there',
          })
          .end();
    });
    const api = axios.create({ adapter });
    const heeding = heed(api, POLICY);
    const { error } = await settled(api.get(`${first.url}/here`, { heed: { budget: 1000 } }));
    expect(error.heed).toMatchObject({ reason: 'deadline-too-near', exchanges: 1 });
    expect(heeding.snapshot().gates.map((gate) => gate.state)).toContain(state);
    expect(heeding.snapshot().gates.some((gate) => gate.state === 'held')).toBe(state === 'held');
    const seen = journalOf(error).find(({ event }) => event === 'observation');
    const answeredBy = where === 'another host' ? { answeredBy: `http://localhost:${other.port}` } : {};
    expect(seen).toMatchObject({ status: 429, ...answeredBy });
    expect(seen).toHaveProperty(where === 'another host' ? 'answeredBy' : 'status');
  },
);
