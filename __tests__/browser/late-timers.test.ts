import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { CDPSession } from 'playwright-core';
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

function limitedFor(seconds: number): LoopbackStep {
  return answers(429, { ...EXPOSING, 'retry-after': String(seconds) });
}

/** Stops the page as a browser stops a tab that has been in the background for long. */
async function freeze(visit: Visit): Promise<{ thaw: () => Promise<void> }> {
  const session = await visit.cdp();
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  return { thaw: () => thaw(session) };
}

async function thaw(session: CDPSession): Promise<void> {
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await session.send('Page.bringToFront');
}

describe('a tab that is frozen', () => {
  test('BRW-03: finds its deadlines passed when it thaws, and sends nothing', async () => {
    const path = '/frozen-deadline';
    const limited = limitedFor(1);
    const url = stage.api.script(path, limited, limited, limited, limited, limited, fine);
    const visit = await stage.page({ adapter: 'xhr' });
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => visit.start(name, { url, heed: { budget: 1800 } })));
    await visit.held();
    const sent = stage.api.requests(path).length;
    const { thaw: wake } = await freeze(visit);
    await sleep(2000);
    await wake();
    const ends = await Promise.all(names.map((name) => visit.ended(name)));
    const reasons = ends.map(({ heed }) => heed?.reason);
    expect(reasons.filter((reason) => reason === 'deadline-passed')).toHaveLength(names.length);
    await sleep(500);
    expect(stage.api.requests(path)).toHaveLength(sent);
  });

  test('sends nothing early when it thaws before the hold ends', async () => {
    const path = '/frozen-short';
    const url = stage.api.script(path, limitedFor(2), fine);
    const visit = await stage.page({ adapter: 'fetch' });
    await visit.start('one', { url });
    await visit.held();
    const { thaw: wake } = await freeze(visit);
    await sleep(800);
    await wake();
    expect((await visit.ended('one')).status).toBe(200);
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(1999);
  });

  test('asks with one request first when it thaws after the hold, however many wait', async () => {
    const path = '/frozen-long';
    const slow: LoopbackStep = (response, request) => {
      setTimeout(() => fine(response, request), 200);
    };
    const url = stage.api.script(path, limitedFor(1), slow, fine);
    const visit = await stage.page({ adapter: 'xhr' });
    await visit.start('first', { url });
    await visit.held();
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => visit.start(name, { url })));
    const { thaw: wake } = await freeze(visit);
    await sleep(1500);
    expect(stage.api.requests(path)).toHaveLength(1);
    await wake();
    const ends = await Promise.all(['first', ...names].map((name) => visit.ended(name)));
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 200));
    const [, probe, second] = stage.api.requests(path);
    expect(second?.atMs).toBeGreaterThanOrEqual(probe?.closedAtMs ?? Infinity);
  });

  test('does not take an answer that came meanwhile for a failure', async () => {
    const path = '/frozen-answer';
    const url = stage.api.script(path, (response, request) => {
      setTimeout(() => fine(response, request), 300);
    });
    const visit = await stage.page({ adapter: 'fetch' });
    await visit.start('one', { url, timeout: 5000 });
    await until(() => stage.api.requests(path).length === 1);
    const { thaw: wake } = await freeze(visit);
    await sleep(800);
    await wake();
    expect(await visit.ended('one')).toMatchObject({ status: 200, data: { a: 1 } });
    expect(stage.api.requests(path)).toHaveLength(1);
  });
});

describe('timers that come late', () => {
  test('in a tab in the background end a hold later, never earlier', async () => {
    const path = '/background';
    const url = stage.api.script(path, limitedFor(1), fine);
    const visit = await stage.page({ adapter: 'xhr' });
    await stage.page({ adapter: 'xhr' }); // in front of it
    await visit.start('one', { url });
    expect((await visit.ended('one')).status).toBe(200);
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
    expect(stage.api.gaps(path)[0]).toBeLessThan(3000);
  });

  test('BRW-03: because the page was busy find the deadline passed, and send nothing', async () => {
    const path = '/busy';
    const url = stage.api.script(path, limitedFor(1), fine);
    const visit = await stage.page({ adapter: 'xhr' });
    await visit.start('one', { url, heed: { budget: 1800 } });
    await visit.held();
    await visit.page.evaluate(() => {
      const endMs = performance.now() + 2000;
      while (performance.now() < endMs);
    });
    expect((await visit.ended('one')).heed).toMatchObject({ reason: 'deadline-passed', exchanges: 1 });
    await sleep(300);
    expect(stage.api.requests(path)).toHaveLength(1);
  });

  test('on a slow processor end holds of many later, never earlier', async () => {
    const path = '/slow-processor';
    const url = stage.api.script(path, limitedFor(1), fine);
    const visit = await stage.page({ adapter: 'fetch' });
    const session = await visit.cdp();
    await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    await visit.start('first', { url });
    await visit.held();
    const names = Array.from({ length: 20 }, (_, at) => `call ${at}`);
    await Promise.all(names.map((name) => visit.start(name, { url })));
    const ends = await Promise.all(names.map((name) => visit.ended(name)));
    expect(ends.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
  });
});
