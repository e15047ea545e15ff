import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import type { LoopbackStep } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { openStage, sleep, until } from './support/stage';
import type { Stage, Visit } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const fine = answers(200, OPEN, '{"a":1}');
const limited = answers(429, { ...EXPOSING, 'retry-after': '1' });

/** Leaves for another page of the site, stays there, and comes back to the page as it was left. */
async function awayAndBack({ page }: Visit, stayMs: number): Promise<void> {
  await page.goto(`${stage.site.url}/elsewhere`);
  await sleep(stayMs);
  // Out of the cache a page does not load, so that there is no `load` to wait for.
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForFunction(() => window.shown.length === 2, undefined, { polling: 20 });
  expect(await page.evaluate(() => window.shown)).toEqual([false, true]);
}

describe.each(['xhr', 'fetch'] as const)('the back/forward cache, by %s', (adapter) => {
  test('keeps a hold: nothing is sent meanwhile, and the call goes on when its page is back', async () => {
    const path = `/kept-${adapter}`;
    const url = stage.api.script(path, limited, fine);
    const visit = await stage.page({ adapter });
    await visit.start('one', { url });
    await visit.held();
    const going = awayAndBack(visit, 1500);
    await sleep(1400);
    expect(stage.api.requests(path)).toHaveLength(1);
    await going;
    expect(await visit.ended('one')).toMatchObject({ status: 200, data: { a: 1 } });
    expect(stage.api.requests(path)).toHaveLength(2);
    expect(await visit.page.evaluate(() => window.pendingTimers())).toBe(0);
  });

  test('is no excuse for a deadline: a call whose time has passed meanwhile ends unsent', async () => {
    const path = `/passed-${adapter}`;
    const url = stage.api.script(path, limited, fine);
    const visit = await stage.page({ adapter });
    await visit.start('one', { url, heed: { budget: 1800 } });
    await visit.held();
    await awayAndBack(visit, 2000);
    expect((await visit.ended('one')).heed).toMatchObject({ reason: 'deadline-passed', exchanges: 1 });
    await sleep(200);
    expect(stage.api.requests(path)).toHaveLength(1);
  });

  test('lets an exchange that was in flight end as it may, and a GET ends well', async () => {
    const path = `/in-flight-${adapter}`;
    const slow: LoopbackStep = (response, request) => {
      setTimeout(() => fine(response, request), 300);
    };
    const url = stage.api.script(path, slow, fine);
    const visit = await stage.page({ adapter });
    await visit.start('one', { url });
    await until(() => stage.api.requests(path).length === 1);
    await awayAndBack(visit, 600);
    expect(await visit.ended('one')).toMatchObject({ status: 200, data: { a: 1 } });
    expect(stage.api.requests(path).length).toBeLessThanOrEqual(2);
  });
});
