import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { EXACT, eventsOf, observationsOf, openStage, sleep } from './support/stage';
import type { Stage, Visit } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await offline(false);
  await stage.clear();
});
afterAll(() => stage.close());

const fine = answers(200, OPEN, '{"a":1}');
const policy = { ...EXACT, waitForOnline: true };
const post = { method: 'post', data: 'text', headers: { 'content-type': 'text/plain' } };

function offline(is: boolean): Promise<void> {
  return stage.chromium.context.setOffline(is);
}

async function listening({ page }: Visit): Promise<number> {
  return page.evaluate(() => window.listening('online'));
}

describe.each(['xhr', 'fetch'] as const)('a browser that is offline, by %s', (adapter) => {
  test('with waitForOnline nothing is sent until there is a network', async () => {
    const path = `/wait-${adapter}`;
    const url = stage.api.script(path, fine);
    const visit = await stage.page({ adapter, policy });
    await offline(true);
    await visit.start('one', { url });
    await sleep(300);
    expect(stage.api.requests(path)).toEqual([]);
    expect(await listening(visit)).toBe(1);
    await offline(false);
    const ended = await visit.ended('one');
    expect(ended.status).toBe(200);
    expect(eventsOf(ended).slice(0, 4)).toEqual([
      'operation-opened',
      'pause-entered',
      'wait-ended',
      'exchange-sent',
    ]);
    expect(ended.journal[1]).toMatchObject({ because: 'offline' });
    expect(ended.journal[2]).toMatchObject({ how: 'pass' });
    expect(await listening(visit)).toBe(0);
  });

  test('without it exchanges fail at once, and their count is soon spent', async () => {
    const url = stage.api.script(`/no-wait-${adapter}`, fine);
    const visit = await stage.page({ adapter });
    await offline(true);
    const ended = await visit.run({ url });
    expect(ended.heed).toMatchObject({ reason: 'exchanges-spent', exchanges: 3 });
    expect(observationsOf(ended).map(({ code }) => code)).toEqual(Array(3).fill('ERR_NETWORK'));
  });
});

describe('waitForOnline', () => {
  test('ends with the deadline, and nothing is sent later', async () => {
    const url = stage.api.script('/deadline', fine);
    const visit = await stage.page({ adapter: 'xhr', policy });
    await offline(true);
    const ended = await visit.run({ url, heed: { budget: 300 } });
    expect(ended.error?.code).toBe('ERR_HEED_DEADLINE');
    expect(ended.heed).toMatchObject({ reason: 'deadline-passed', knowledge: 'not-sent', exchanges: 0 });
    expect(await listening(visit)).toBe(0);
    await offline(false);
    await sleep(300);
    expect(stage.api.requests('/deadline')).toEqual([]);
  });

  test('ends when the caller aborts', async () => {
    const url = stage.api.script('/abort', fine);
    const visit = await stage.page({ adapter: 'fetch', policy });
    await offline(true);
    await visit.start('one', { url });
    await visit.abort('one');
    expect((await visit.ended('one')).error?.code).toBe('ERR_CANCELED');
    expect(await listening(visit)).toBe(0);
  });

  test('holds back an exchange whose hold ends while there is no network', async () => {
    const path = '/between';
    const url = stage.api.script(path, answers(429, { ...EXPOSING, 'retry-after': '1' }), fine);
    const visit = await stage.page({ adapter: 'xhr', policy });
    await visit.start('one', { url });
    await visit.held();
    await offline(true);
    await sleep(1300);
    expect(stage.api.requests(path)).toHaveLength(1);
    await offline(false);
    expect((await visit.ended('one')).status).toBe(200);
    expect(stage.api.requests(path)).toHaveLength(2);
  });

  test('lets a write go that nobody may repeat, so that its caller knows at once', async () => {
    const url = stage.api.script('/post', fine);
    const visit = await stage.page({ adapter: 'xhr', policy });
    await offline(true);
    expect((await visit.run({ ...post, url })).heed).toMatchObject({
      reason: 'outcome-unknown',
      exchanges: 1,
    });
    await visit.start('declared', { ...post, url, heed: { idempotent: true } });
    await sleep(200);
    await offline(false);
    expect(await visit.ended('declared')).toMatchObject({ status: 200 });
    expect(stage.api.requests('/post')).toHaveLength(1);
  });

  test('goes on after a tab was frozen while the network came back', async () => {
    const path = '/frozen';
    const url = stage.api.script(path, fine);
    const visit = await stage.page({ adapter: 'fetch', policy });
    const session = await visit.cdp();
    await offline(true);
    await visit.start('one', { url });
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await offline(false);
    await sleep(400);
    expect(stage.api.requests(path)).toEqual([]);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await session.send('Page.bringToFront');
    expect((await visit.ended('one')).status).toBe(200);
  });
});
