import { afterEach, describe, expect, test } from '@jest/globals';
import { AxiosError } from 'axios';
import type { InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { isHeedError, journalOf } from '../../lib/index';
import type { HeedConfig, HeedPolicy, HintReading } from '../../lib/index';
import { sentenceOf } from '../../lib/journal/index';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import type { ScriptedClient } from '../support/scripted-client';
import type { Step } from '../support/scripted-server';
import { settled } from '../support/world';
import type { Settled } from '../support/world';

/** Planted one by one, so that a failure names the place. */
const planted: Set<string> = new Set();

function secret(place: string): string {
  const text = `Zq7${place.replace(/[^a-z]/gi, '')}0x`;
  planted.add(text);
  return text;
}

afterEach(() => {
  planted.clear();
});

interface Run {
  readonly method: 'get' | 'post' | 'delete';
  readonly body: 'text' | 'object' | 'form' | 'bytes' | 'stream' | 'fields';
  readonly ends: readonly End[];
  readonly mode: 'act' | 'observe';
  readonly heed: 'off' | 'plain' | 'timed';
  readonly hook: 'none' | 'changes' | 'throws' | 'check-throws' | 'classify-throws';
  readonly abort: boolean;
}
type End = 'limit' | 'refused' | 'down' | 'cut' | 'no-network' | 'foreign' | 'thrown' | 'ok';

const runs: fc.Arbitrary<Run> = fc.record({
  method: fc.constantFrom('get', 'post', 'delete'),
  body: fc.constantFrom('text', 'object', 'form', 'bytes', 'stream', 'fields'),
  ends: fc.array(
    fc.constantFrom<End>('limit', 'refused', 'down', 'cut', 'no-network', 'foreign', 'thrown', 'ok'),
    { minLength: 1, maxLength: 4 },
  ),
  mode: fc.constantFrom('act', 'observe'),
  heed: fc.constantFrom('off', 'plain', 'timed'),
  hook: fc.constantFrom('none', 'changes', 'throws', 'check-throws', 'classify-throws'),
  abort: fc.boolean(),
});

/** What the server, the network or the adapter does, with a secret in all that it says. */
function stepOf(end: End, config: InternalAxiosRequestConfig): Step {
  const headers = {
    'set-cookie': secret('set-cookie'),
    'x-trace': secret('answer header'),
    location: secret('location'),
  };
  const data = JSON.stringify({ token: secret('answer body') });
  switch (end) {
    case 'limit':
      return { status: 429, headers: { ...headers, 'retry-after': '1' }, data };
    case 'refused':
      return { status: 404, headers, data };
    case 'down':
      return { status: 503, headers, data };
    case 'cut':
      return { status: 200, headers, data, cut: true };
    case 'no-network':
      return { code: 'ECONNRESET', message: secret('message of the network') };
    case 'foreign':
      return {
        throws: Object.assign(new Error(secret('message of the adapter')), {
          [secret('member')]: secret('value'),
        }),
        how: 'rejecting',
      };
    case 'thrown':
      return {
        throws: new AxiosError(secret('message of axios'), 'ERR_NETWORK', config, { path: secret('path') }),
      };
    case 'ok':
      return { status: 200, headers, data };
  }
}

const bodies: Readonly<Record<Run['body'], () => unknown>> = {
  text: () => secret('text body'),
  object: () => ({ card: secret('object body'), [secret('object key')]: 1 }),
  form: () => {
    const form = new FormData();
    form.set('card', secret('form body'));
    return form;
  },
  bytes: () => Buffer.from(secret('bytes body')),
  stream: () => Readable.from([secret('stream body')]),
  fields: () => new URLSearchParams({ card: secret('fields body') }),
};

function policyOf({ mode, hook }: Run): HeedPolicy {
  const fail = (): never => {
    throw new Error(secret('message of a hook'));
  };
  const reading = (): HintReading => ({
    kind: 'silent',
    because: 'missing',
    [secret('reading key')]: secret('reading'),
  });
  return {
    ...EXACT,
    mode,
    maskPath: (path) => path.replace(secret('segment'), '*'),
    hints: [reading, fail],
    idempotencyKey: () => secret('idempotency key of the policy'),
    turn: () => secret('turn'),
    ...(hook === 'changes' && {
      beforeExchange: () => ({
        headers: { Authorization: secret('fresh token') },
        data: secret('fresh body'),
      }),
    }),
    ...(hook === 'throws' && { beforeExchange: fail }),
    ...(hook === 'check-throws' && { readiness: [{ name: 'database', check: fail }] }),
    ...(hook === 'classify-throws' && { classify: ({ status }) => (status === 404 ? fail() : undefined) }),
    reconcile: fail,
  };
}

function callOf(client: ScriptedClient, { method, body, heed, abort }: Run): Promise<Settled<unknown>> {
  const controller = new AbortController();
  const own: HeedConfig = {
    turn: secret('own turn'),
    idempotencyKey: secret('own key'),
    ...(heed === 'timed' && { budget: 1500 }),
  };
  const call = settled(
    client.api.request({
      method,
      url: `https://${secret('user')}:${secret('password of the URL')}@api.example.com/things/${secret('segment')}?q=${secret('query')}#${secret('fragment')}`,
      headers: {
        Authorization: `Bearer ${secret('authorization')}`,
        Cookie: secret('cookie'),
        'X-API-Key': secret('api key'),
        'X-Own': secret('own header'),
        'Proxy-Authorization': secret('proxy authorization'),
      },
      auth: { username: secret('auth user'), password: secret('auth password') },
      params: { [secret('param name')]: secret('param') },
      paramsSerializer: { serialize: () => secret('serialized') },
      proxy: {
        host: secret('proxy host'),
        port: 1,
        auth: { username: secret('proxy user'), password: secret('proxy password') },
      },
      socketPath: secret('socket'),
      xsrfCookieName: secret('xsrf cookie'),
      xsrfHeaderName: secret('xsrf header'),
      data: method === 'get' ? undefined : bodies[body](),
      signal: controller.signal,
      heed: heed === 'off' ? false : own,
    }),
  );
  if (abort) client.clock.setTimer(500, () => controller.abort(new Error(secret('reason of the abort'))));
  return call;
}

/** Where a secret stands in what may be shown, plain or as the platform would encode it. */
function leaksIn(shown: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(shown).flatMap(([where, part]) => {
    const text = `${JSON.stringify(part)} ${inspect(part, { depth: 20, showHidden: true })}`.toLowerCase();
    return [...planted]
      .filter(
        (one) => text.includes(one.toLowerCase()) || text.includes(btoa(one).slice(0, 10).toLowerCase()),
      )
      .map((one) => `${where}: ${one}`);
  });
}

describe('no secret of a request or an answer is shown', () => {
  test('in entries, reports, messages, snapshots and sentences, wherever it stood', async () => {
    const shownOf = async (run: Run): Promise<Readonly<Record<string, unknown>>> => {
      const client = scriptedClient(
        ({ number, config }) => stepOf(run.ends[number - 1] ?? 'ok', config),
        policyOf(run),
      );
      const { value, error } = await client.clock.until(callOf(client, run));
      const ended: unknown = value ?? error;
      // A key is no credential: whoever has to ask what became of a write needs it.
      const report = isHeedError(ended) ? { ...ended.heed, idempotencyKey: undefined } : {};
      const own = error instanceof AxiosError && error.code?.startsWith('ERR_HEED') ? error.message : '';
      return {
        ...{ entries: client.entries, journal: journalOf(ended), report, message: own },
        ...{ snapshot: client.heeding.snapshot(), sentences: client.entries.map(sentenceOf) },
      };
    };
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const shown = await shownOf(run);
        expect(planted.size).toBeGreaterThan(20);
        expect(leaksIn(shown)).toEqual([]);
      }),
      { numRuns: 300, seed: 20260601 },
    );
  });

  test('and a secret that is shown is found', () => {
    const text = secret('planted');
    expect(leaksIn({ here: { deep: [`a ${text} b`] } })).toEqual([`here: ${text}`]);
    expect(leaksIn({ here: `Basic ${btoa(text)}` })).toEqual([`here: ${text}`]);
  });
});

describe('words that are meant for the journal', () => {
  const long = `first\r\nsecond \u001b[31m ${'y'.repeat(999)}`;

  function textsIn(value: unknown): readonly string[] {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  }

  test('are kept in one line of at most 128 characters, whoever says them', async () => {
    function reader(): never {
      throw new Error('unread');
    }
    Object.defineProperty(reader, 'name', { value: long });
    const { api, clock, entries, heeding } = scriptedClient(
      [{ status: 503, headers: { 'retry-after': long } }, { code: long, message: long }, { status: 200 }],
      {
        ...EXACT,
        hints: [reader, () => ({ kind: 'malformed', because: 'invalid', source: long, raw: long })],
        readiness: [{ name: long, check: ({ exchange }) => (exchange === 3 ? { stop: long } : 'ready') }],
      },
    );
    heeding.hold({ by: 'origin', value: 'https://api.example.com' }, T0 + 1000, long);
    const { error } = await clock.until(settled(api.get('/things')));
    heeding.conclude(error, { conclusion: long, detail: long });
    const snapshot = heeding.snapshot();
    const texts = textsIn([entries, snapshot, error.heed.reason]);
    expect(texts.filter((text) => text.includes('first')).length).toBeGreaterThan(8);
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(texts.filter((text) => text.length > 256 || /[\u0000-\u001f]/.test(text))).toEqual([]);
    expect(texts.filter((text) => text.includes('yyy') && text.length > 128)).toEqual([]);
  });
});

describe('what is journalled is left as it is', () => {
  function frozen<T>(value: T): T {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
    Object.values(Object.freeze(value)).forEach(frozen);
    return value;
  }

  test.each(['act', 'observe'] as const)(
    'a request whose parts are frozen goes through (%s)',
    async (mode) => {
      const { api, clock, entries } = scriptedClient(
        [{ status: 429, headers: { 'retry-after': '1' } }, { status: 200 }],
        frozen({ ...EXACT, mode, transient: [503], notApplied: [409] }),
      );
      const config = frozen({
        params: { a: 1 },
        data: { b: 2 },
        heed: { exchanges: 2, budget: { seconds: 5 }, idempotent: true },
      });
      const before = inspect(config, { depth: 9 });
      const ended = await clock.until(settled(api.post('/things', config.data, config)));
      journalOf(ended.value ?? ended.error);
      expect(inspect(config, { depth: 9 })).toBe(before);
      expect(entries.length).toBeGreaterThan(4);
    },
  );

  test('also the answer, whose headers and body nobody touches', async () => {
    const headers = frozen({ 'retry-after': '0', date: 'Thu, 01 Jan 2026 00:00:00 GMT', age: '3' });
    const { api, clock } = scriptedClient([{ status: 503, headers, data: frozen({ a: 1 }) }]);
    const { error } = await clock.until(settled(api.get('/things')));
    const before = inspect(error.response, { depth: 3 });
    expect(journalOf(error).length).toBeGreaterThan(5);
    expect(inspect(error.response, { depth: 3 })).toBe(before);
  });
});
