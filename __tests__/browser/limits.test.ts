import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { EXACT, observationsOf, openStage } from './support/stage';
import type { Stage } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const fine = answers(200, OPEN, '{"a":1}');
const TEXT = { 'content-type': 'text/plain' } as const;

describe.each(['xhr', 'fetch'] as const)('limits of another origin, by %s', (adapter) => {
  test('are waited for as long as the server asks, where it shows its header', async () => {
    const url = stage.api.script(
      `/limited-${adapter}`,
      answers(429, { ...EXPOSING, 'retry-after': '1' }),
      fine,
    );
    const { run } = await stage.page({ adapter });
    const ended = await run({ url });
    expect(ended).toMatchObject({ status: 200, data: { a: 1 } });
    const [gap] = stage.api.gaps(`/limited-${adapter}`);
    expect(gap).toBeGreaterThanOrEqual(999);
    expect(gap).toBeLessThan(4000);
    expect(observationsOf(ended)[0]).toMatchObject({ status: 429, hint: { kind: 'hint', delayMs: 1000 } });
  });

  test('BRW-01: a header that the page may not see is not visible, and the own backoff paces', async () => {
    const path = `/hidden-${adapter}`;
    const hidden = answers(429, { ...OPEN, 'retry-after': '1' });
    const url = stage.api.script(path, hidden, hidden, fine);
    const { run } = await stage.page({ adapter });
    const ended = await run({ url });
    const [first, second] = stage.api.gaps(path);
    expect(ended.status).toBe(200);
    expect(first).toBeGreaterThanOrEqual(199);
    expect(second).toBeGreaterThanOrEqual(399);
    expect(observationsOf(ended).map(({ hint }) => hint)).toEqual([
      { kind: 'silent', because: 'not-visible' },
      { kind: 'silent', because: 'not-visible' },
      expect.anything(),
    ]);
  });

  test('a server that shows its Date and sends no Retry-After has sent none', async () => {
    const url = stage.api.script(`/none-${adapter}`, answers(503, EXPOSING), fine);
    const { run } = await stage.page({ adapter });
    expect(observationsOf(await run({ url }))[0]?.hint).toEqual({ kind: 'silent', because: 'missing' });
  });

  test('BRW-05: no header of our own goes out, so a simple request stays without preflight', async () => {
    const path = `/simple-${adapter}`;
    const url = stage.api.script(path, answers(503, OPEN), fine);
    const { run } = await stage.page({ adapter });
    await run({ url });
    const [first, second] = stage.api.requests(path);
    expect(second?.headers).toEqual(first?.headers);
    expect(stage.api.preflights(path)).toEqual([]);
  });

  test('BRW-05: a request that needs a preflight asks for no more than it does under plain axios', async () => {
    const [ours, plain] = [`/preflight-${adapter}`, `/preflight-plain-${adapter}`];
    const url = stage.api.script(ours, answers(429, { ...EXPOSING, 'retry-after': '0' }), fine);
    const plainUrl = stage.api.script(plain, fine);
    const { run, page } = await stage.page({ adapter });
    await run({ url, method: 'post', data: { a: 1 } });
    await page.evaluate(
      async ([target, by]) => {
        const bare = window.kit.axios.create({ adapter: by });
        await bare.post(target, { a: 1 });
        await bare.post(target, { a: 1 });
      },
      [plainUrl, adapter] as const,
    );
    const asked = (path: string): unknown =>
      stage.api.preflights(path).map(({ headers }) => headers['access-control-request-headers']);
    expect(asked(ours)).toEqual(asked(plain));
    expect(asked(ours)).toEqual(['content-type', 'content-type']);
  });

  test('a key for repeating is a header that the server has to allow', async () => {
    const path = `/keyed-${adapter}`;
    const url = stage.api.script(path, answers(503, OPEN), fine);
    const { run } = await stage.page({ adapter });
    const post = { url, method: 'post', data: 'text', headers: TEXT, heed: { idempotencyKey: 'key-1' } };
    expect(await run(post)).toMatchObject({ status: 200 });
    const asked = stage.api.preflights(path).map(({ headers }) => headers['access-control-request-headers']);
    expect(asked).toEqual(['idempotency-key', 'idempotency-key']);
    expect(stage.api.requests(path).map(({ headers }) => headers['idempotency-key'])).toEqual([
      'key-1',
      'key-1',
    ]);
  });
});

describe('limits of another origin', () => {
  test('with a hidden header are left alone for seconds by the default policy', async () => {
    const path = '/hidden-default';
    const url = stage.api.script(path, answers(429, { ...OPEN, 'retry-after': '1' }));
    const { run } = await stage.page({ adapter: 'xhr', policy: {} });
    const { heed } = await run({ url, heed: { exchanges: 3 } });
    expect(heed).toMatchObject({ reason: 'exchanges-spent', exchanges: 3 });
    const [first = 0, second = 0] = stage.api.gaps(path);
    expect(first).toBeGreaterThanOrEqual(499);
    expect(second).toBeGreaterThanOrEqual(999);
  });

  test('a date is read by the clock of the server, where it shows its Date', async () => {
    const path = '/date';
    const url = stage.api.script(
      path,
      (response, request) => {
        const hourAheadMs = Date.now() + 3_600_000;
        const date = new Date(hourAheadMs).toUTCString();
        const retryAfter = new Date(hourAheadMs + 1000).toUTCString();
        answers(429, { ...EXPOSING, date, 'retry-after': retryAfter })(response, request);
      },
      fine,
    );
    const { run } = await stage.page({ adapter: 'fetch' });
    expect((await run({ url })).status).toBe(200);
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
  });
});

describe.each(['xhr', 'fetch'] as const)('a gateway that answers without CORS, by %s', (adapter) => {
  const gateway = answers(502, { 'retry-after': '1' }, 'bad gateway');

  test('is a network failure to the page: a GET is sent again', async () => {
    const path = `/gateway-get-${adapter}`;
    const url = stage.api.script(path, gateway, fine);
    const { run } = await stage.page({ adapter });
    const ended = await run({ url });
    expect(ended.status).toBe(200);
    const [failed] = observationsOf(ended);
    expect(failed).toMatchObject({ end: 'network-failure', code: 'ERR_NETWORK', knowledge: 'unknown' });
    expect(failed).not.toHaveProperty('status');
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(199);
  });

  test('is asked again only as far as the allowance goes', async () => {
    const path = `/gateway-allowance-${adapter}`;
    const url = stage.api.script(path, gateway);
    const allowance = { start: 1, perExchange: 0, perSecond: 0 };
    const { run } = await stage.page({ adapter, policy: { ...EXACT, allowance } });
    const ended = await run({ url });
    expect(ended.heed).toMatchObject({ reason: 'allowance-empty', exchanges: 2 });
    expect(stage.api.requests(path)).toHaveLength(2);
  });

  test('leaves a POST in doubt, which is not sent again', async () => {
    const path = `/gateway-post-${adapter}`;
    const url = stage.api.script(path, gateway, fine);
    const { run } = await stage.page({ adapter });
    const ended = await run({ url, method: 'post', data: 'text', headers: TEXT });
    expect(ended.heed).toMatchObject({ reason: 'outcome-unknown', knowledge: 'unknown', exchanges: 1 });
    expect(ended.error?.code).toBe('ERR_NETWORK');
    expect(stage.api.requests(path)).toHaveLength(1);
  });
});
