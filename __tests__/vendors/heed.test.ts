import { describe, expect, test } from '@jest/globals';
import { byOrigin, byRoute, byToken, combine } from '../../lib/index';
import type { HeedPolicy, HintReader, JournalEntry, ObservationEvent } from '../../lib/index';
import * as vendors from '../../lib/vendors/index';
import { EXACT, scriptedClient, T0 } from '../support/scripted-client';
import type { Answer, Step } from '../support/scripted-server';

const { anthropic, discord, github, jira, linear, notion, openai, shopify, slack, stripe } = vendors;

const client = (script: readonly Step[], reader: HintReader, policy: HeedPolicy = {}) =>
  scriptedClient(script, { ...EXACT, hints: [reader], ...policy });

const observations = (journal: readonly JournalEntry[]): readonly ObservationEvent[] =>
  journal.filter((entry): entry is JournalEntry & ObservationEvent => entry.event === 'observation');

const OK: Answer = { status: 200 };

describe('the word of the server on sending again', () => {
  const no: readonly [string, HintReader, Answer][] = [
    ['OpenAI', openai(), { status: 503, headers: { 'x-should-retry': 'false' } }],
    ['Anthropic', anthropic(), { status: 429, headers: { 'x-should-retry': 'false', 'retry-after': '1' } }],
    ['Stripe', stripe(), { status: 409, headers: { 'Stripe-Should-Retry': 'false' } }],
    ['OpenAI', openai(), { status: 429, data: '{"error":{"code":"insufficient_quota"}}' }],
  ];

  test.each(no)('%s: stops with the reason server-said-no', async (_, reader, answer) => {
    const { server, get } = client([answer, OK], reader);
    const { error, journal } = await get();
    expect(server.times()).toEqual([0]);
    expect(error?.heed).toMatchObject({ reason: 'server-said-no', retryable: false });
    expect(error?.response?.status).toBe(answer.status);
    expect(observations(journal)[0]?.hint.said).toMatchObject([{ kind: 'verdict', verdict: 'final' }]);
  });

  test('counts for nothing unless asked for', async () => {
    const { server, get } = scriptedClient([{ status: 503, headers: { 'x-should-retry': 'false' } }, OK]);
    expect((await get()).status).toBe(200);
    expect(server.times()).toHaveLength(2);
  });

  test('makes a status transient for a GET', async () => {
    const { server, get } = client([{ status: 409, headers: { 'x-should-retry': 'true' } }, OK], openai());
    expect((await get()).status).toBe(200);
    expect(server.times()).toEqual([0, 200]);
  });

  test('grants a POST nothing', async () => {
    const { api, server, ended } = client(
      [{ status: 409, headers: { 'x-should-retry': 'true' } }, OK],
      openai(),
    );
    const { error } = await ended(api.post('/things', {}));
    expect(server.times()).toEqual([0]);
    expect(error?.heed).toMatchObject({ reason: 'answer-lost', knowledge: 'answered' });
  });

  test('on a success counts for nothing', async () => {
    const { get } = client([{ status: 200, headers: { 'x-should-retry': 'false' } }], openai());
    expect((await get()).status).toBe(200);
  });

  test.each([
    ['anthropic', anthropic()],
    ['notion', notion()],
  ])('a 529 may heal, by %s', async (_, reader) => {
    const { server, get } = client([{ status: 529 }, OK], reader);
    expect((await get()).status).toBe(200);
    expect(server.times()).toEqual([0, 200]);
    const held = client([{ status: 529, headers: { 'Retry-After': '7' } }, OK], reader);
    await held.get();
    expect(held.server.times()).toEqual([0, 7000]);
  });
});

describe('limits that are no 429', () => {
  const throttled = JSON.stringify({
    errors: [{ extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: { requestedQueryCost: 252, throttleStatus: { currentlyAvailable: 2, restoreRate: 50 } },
    },
  });
  const inAMinute = String(T0 / 1000 + 60);
  const used = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAMinute };
  const limits: readonly [string, HintReader, Answer, number][] = [
    ['Shopify, GraphQL', shopify(), { status: 200, data: throttled }, 5000],
    ['Shopify, REST', shopify(), { status: 429, headers: { 'Retry-After': '2.0' } }, 2000],
    [
      'Slack',
      slack(),
      { status: 200, data: '{"ok":false,"error":"ratelimited"}', headers: { 'Retry-After': '3' } },
      3000,
    ],
    ['GitHub', github(), { status: 403, headers: used }, 60_000],
    ['GitHub, secondary', github(), { status: 403, headers: { 'retry-after': '9' } }, 9000],
    [
      'GitHub, GraphQL',
      github(),
      { status: 200, headers: used, data: '{"errors":[{"type":"RATE_LIMITED"}]}' },
      60_000,
    ],
    [
      'Linear',
      linear(),
      {
        status: 400,
        headers: { 'x-ratelimit-requests-reset': String(T0 + 4321), 'x-ratelimit-requests-remaining': '0' },
        data: '{"errors":[{"extensions":{"code":"RATELIMITED"}}]}',
      },
      4321,
    ],
  ];

  test.each(limits)('%s: waits as long as told, also with a POST', async (_, reader, answer, waitMs) => {
    const { api, server, ended, entries } = client([answer, OK], reader);
    expect((await ended(api.post('/graphql', {}))).status).toBe(200);
    expect(server.times()).toEqual([0, waitMs]);
    expect(observations(entries)[0]).toMatchObject({ verdict: 'limit', knowledge: 'not-applied' });
    expect(entries.map(({ event }) => event)).toContain('gate-hold-began');
  });

  test('a 200 that stays one is what the caller gets in the end', async () => {
    const { get, server } = client([{ status: 200, data: throttled }], shopify());
    expect(await get()).toMatchObject({
      status: 200,
      data: { errors: [{ extensions: { code: 'THROTTLED' } }] },
    });
    expect(server.times()).toEqual([0, 5000, 10_000]);
  });

  const answers: readonly [string, HintReader, Answer][] = [
    [
      'a 200 with data beside an error',
      shopify(),
      { status: 200, data: throttled.replace('{', '{"data":{},') },
    ],
    [
      'a 200 that only quotes the word',
      shopify(),
      { status: 200, data: '{"data":{"note":"\\"THROTTLED\\""}}' },
    ],
    [
      'another error',
      slack(),
      { status: 200, data: '{"ok":false,"error":"not_in_channel","x":"ratelimited"}' },
    ],
    ['a success with nothing left', github(), { status: 200, headers: used, data: '{"data":1}' }],
  ];

  test.each(answers)('%s is no limit', async (_, reader, answer) => {
    const { get, server } = client([answer], reader);
    expect((await get()).error).toBeUndefined();
    expect(server.times()).toEqual([0]);
  });

  test('a 403 for want of rights is none', async () => {
    const headers = { 'x-ratelimit-remaining': '4987', 'x-ratelimit-reset': inAMinute };
    const { get, server } = client(
      [{ status: 403, headers, data: '{"message":"Must have admin rights"}' }],
      github(),
    );
    expect((await get()).error?.heed.reason).toBe('not-transient');
    expect(server.times()).toEqual([0]);
  });
});

describe('what a limit is counted by', () => {
  const scopes = [combine(byOrigin(), byToken(), byRoute()), combine(byOrigin(), byToken())];
  const heldGates = ({ heeding }: ReturnType<typeof client>) =>
    heeding.snapshot().gates.flatMap(({ state, gate }) => (state === 'held' ? [gate] : []));

  async function limitedOn(path: string, answer: Answer, reader: HintReader) {
    const limited = client([answer, OK], reader, { scopes, exchanges: 1 });
    await limited.ended(limited.api.get(path));
    return heldGates(limited);
  }

  test('where the server names nothing, it is the narrowest', async () => {
    const answer = { status: 429, headers: { 'Retry-After': '5' } };
    expect(await limitedOn('/things', answer, discord())).toEqual([expect.stringContaining('/things')]);
  });

  test('Discord: a bucket is the narrowest, `global` is everything of the token', async () => {
    const headers = { 'Retry-After': '5' };
    const bucket = { status: 429, headers: { ...headers, 'X-RateLimit-Bucket': 'zz' } };
    expect(await limitedOn('/things', bucket, discord())).toEqual([expect.stringContaining('/things')]);
    const global = { status: 429, headers: { ...headers, 'X-RateLimit-Global': 'true' } };
    expect(await limitedOn('/things', global, discord())).toEqual([expect.not.stringContaining('/things')]);
  });

  test('GitHub: `core` is everything of the token, `search` is not', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(T0 / 1000 + 30) };
    const on = (resource: string) => ({
      status: 403,
      headers: { ...headers, 'x-ratelimit-resource': resource },
    });
    expect(await limitedOn('/repos', on('core'), github())).toEqual([expect.not.stringContaining('/repos')]);
    expect(await limitedOn('/search', on('search'), github())).toEqual([expect.stringContaining('/search')]);
  });

  test('Jira: a limit on one issue stops this request and nobody else', async () => {
    const reason = 'jira-per-issue-on-write';
    const answer = { status: 429, headers: { 'Retry-After': '5', 'RateLimit-Reason': reason } };
    expect(await limitedOn('/issue/7', answer, jira())).toEqual([]);
    const waiting = client([answer, OK], jira(), { scopes });
    expect(await waiting.ended(waiting.api.put('/issue/7', {}))).toMatchObject({
      status: 200,
      atMonoMs: 5000,
    });
  });

  test('a scope rule that knows the part is met exactly', async () => {
    const resource = () => ({ by: 'resource', value: 'search', secret: false });
    const rules = [
      combine(byOrigin(), byToken(), byRoute()),
      combine(byOrigin(), byToken(), resource),
      combine(byOrigin(), byToken()),
    ];
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-resource': 'search',
      'x-ratelimit-reset': String(T0 / 1000 + 30),
    };
    const limited = client([{ status: 403, headers }], github(), { scopes: rules, exchanges: 1 });
    await limited.ended(limited.api.get('/search/code'));
    expect(heldGates(limited)).toEqual([expect.stringMatching(/search$/)]);
  });
});

describe('the journal', () => {
  test('names the source of what was read, with a bounded text', async () => {
    const headers = {
      'x-ratelimit-remaining': '41',
      'x-ratelimit-limit': '60',
      'x-ratelimit-reset': '1767225660',
    };
    const { get } = client([{ status: 200, headers }], github());
    const { journal } = await get();
    expect(observations(journal)[0]?.hint).toEqual({
      kind: 'silent',
      because: 'missing',
      quota: [
        {
          kind: 'quota',
          source: 'x-ratelimit-reset',
          raw: '1767225660',
          remaining: 41,
          limit: 60,
          resetMs: 60_000,
          clock: 'local',
        },
      ],
    });
  });

  test('tells of a reader that throws, which counts as silent', async () => {
    function own(): never {
      throw new Error('sk-SECRET');
    }
    const { get, server } = client([{ status: 429, headers: { 'Retry-After': '2' } }, OK], own);
    const { journal } = await get();
    expect(server.times()).toEqual([0, 2000]);
    expect(observations(journal)[0]?.hint).toMatchObject({
      kind: 'hint',
      passedOver: [{ kind: 'silent', because: 'reader-failed', source: 'own' }],
    });
    expect(JSON.stringify(journal)).not.toContain('SECRET');
  });

  test('keeps nothing of a body but what was read from it', async () => {
    const data = '{"retry_after":"sk-SECRET","message":"sk-SECRET","global":false}';
    const { get } = client([{ status: 429, data }, OK], discord());
    const { journal } = await get();
    expect(JSON.stringify(journal)).not.toContain('SECRET');
  });
});
