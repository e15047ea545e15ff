import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers, saysNothing } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { openStage, sleep, until } from './support/stage';
import type { Stage } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const limited = answers(429, { ...EXPOSING, 'retry-after': '1' });
const fine = answers(200, OPEN, '{"a":1}');

describe.each(['xhr', 'fetch'] as const)('a caller who aborts, by %s', (adapter) => {
  test('ends a hold at once, and nothing is sent when it would have ended', async () => {
    const path = `/abort-hold-${adapter}`;
    const url = stage.api.script(path, limited, fine);
    const { start, abort, ended, held, page } = await stage.page({ adapter });
    await start('one', { url });
    await held();
    const abortedMs = performance.now();
    await abort('one');
    const { error, journal } = await ended('one');
    expect(performance.now() - abortedMs).toBeLessThan(900);
    expect(error).toMatchObject({ name: 'CanceledError', code: 'ERR_CANCELED' });
    expect(journal.at(-1)).toMatchObject({ event: 'operation-closed', outcome: 'cancelled', exchanges: 1 });
    expect(await page.evaluate(() => window.pendingTimers())).toBe(0);
    await sleep(1100);
    expect(stage.api.requests(path)).toHaveLength(1);
  });

  test('ends an exchange in flight, and the server sees it go', async () => {
    const path = `/abort-flight-${adapter}`;
    const url = stage.api.script(path, saysNothing);
    const { start, abort, ended } = await stage.page({ adapter });
    await start('one', { url });
    await until(() => stage.api.requests(path).length === 1);
    await abort('one');
    expect((await ended('one')).error).toMatchObject({ code: 'ERR_CANCELED' });
    await until(() => stage.api.requests(path)[0]?.wasCut === true);
    await sleep(300);
    expect(stage.api.requests(path)).toHaveLength(1);
  });

  test('leaves the others of the same gate alone', async () => {
    const path = `/abort-one-${adapter}`;
    const url = stage.api.script(path, limited, fine);
    const { start, abort, ended, held } = await stage.page({ adapter });
    await start('one', { url });
    await held();
    await start('two', { url });
    await abort('one');
    expect((await ended('two')).status).toBe(200);
    expect(stage.api.requests(path)).toHaveLength(2);
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
  });

  test('a deadline cuts an exchange in flight, and the server sees it go', async () => {
    const path = `/deadline-flight-${adapter}`;
    const url = stage.api.script(path, saysNothing);
    const { run } = await stage.page({ adapter });
    const { error, heed } = await run({ url, heed: { budget: 700 } });
    expect(error?.code).toBe('ERR_HEED_DEADLINE');
    expect(heed?.reason).toBe('deadline-passed');
    await until(() => stage.api.requests(path)[0]?.wasCut === true);
    expect(stage.api.requests(path)).toHaveLength(1);
  });
});

describe.each(['xhr', 'fetch'] as const)('a page that is left for another site, by %s', (adapter) => {
  test('takes its exchanges along, and repeats none of them', async () => {
    const path = `/left-flight-${adapter}`;
    const url = stage.api.script(path, saysNothing, fine);
    const { start, page } = await stage.page({ adapter });
    // A listener for `unload` keeps a page out of the back/forward cache.
    await page.evaluate(() => {
      window.addEventListener('unload', () => undefined);
    });
    await start('one', { url });
    await until(() => stage.api.requests(path).length === 1);
    await page.goto(`${stage.site.url}/elsewhere`);
    await until(() => stage.api.requests(path)[0]?.wasCut === true);
    await sleep(400);
    expect(stage.api.requests(path)).toHaveLength(1);
  });

  test('may be stopped from loading: a GET that this ended is sent again, and a POST is not', async () => {
    const [got, posted] = [`/stopped-get-${adapter}`, `/stopped-post-${adapter}`];
    const url = stage.api.script(got, saysNothing, fine);
    const post = { url: stage.api.script(posted, saysNothing, fine), method: 'post', data: 'text' };
    const { start, ended, page } = await stage.page({ adapter });
    await start('get', { url });
    await start('post', { ...post, headers: { 'content-type': 'text/plain' } });
    await until(() => stage.api.requests(got).length + stage.api.requests(posted).length === 2);
    await page.evaluate(() => {
      window.stop();
    });
    expect((await ended('get')).status).toBe(200);
    expect((await ended('post')).heed).toMatchObject({ reason: 'outcome-unknown', exchanges: 1 });
    expect(stage.api.requests(posted)).toHaveLength(1);
  });
});

test('a page that is left takes its holds along: no request comes from a page that is gone', async () => {
  const left = async (adapter: 'xhr' | 'fetch'): Promise<number> => {
    const path = `/left-hold-${adapter}`;
    const url = stage.api.script(path, limited, fine);
    const { start, held, page } = await stage.page({ adapter });
    await start('one', { url });
    await held();
    await page.goto('about:blank');
    await sleep(1200);
    return stage.api.requests(path).length;
  };
  expect(await Promise.all([left('xhr'), left('fetch')])).toEqual([1, 1]);
});
