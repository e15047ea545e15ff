import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answers, saysNothing } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { EXACT, openStage } from './support/stage';
import type { Stage } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.clear());

test('after all calls have ended, no timer and no listener is left in the page', async () => {
  const { api } = stage;
  const limited = answers(429, { ...EXPOSING, 'retry-after': '1' });
  const fine = answers(200, OPEN, '{}');
  const policy = { ...EXACT, waitForOnline: true };
  const { run, start, abort, ended, page } = await stage.page({ adapter: 'fetch', policy });
  const calls = [
    run({ url: api.script('/waits', limited, fine) }),
    run({ url: api.script('/fails', answers(500, OPEN)) }),
    run({ url: api.script('/too-near', limited), heed: { budget: 500 } }),
    run({ url: api.script('/silent', saysNothing), timeout: 200, heed: { exchanges: 2, budget: 2000 } }),
    run({ url: api.script('/cut', saysNothing), heed: { budget: 300 } }),
    run({ url: api.script('/xhr', answers(503, OPEN), fine), adapter: 'xhr' }),
  ];
  await start('aborted', { url: api.script('/aborted', limited, fine) });
  await abort('aborted');
  await Promise.all([...calls, ended('aborted')]);
  expect(await page.evaluate(() => [window.pendingTimers(), window.listening('online')])).toEqual([0, 0]);
});

test('detach() lets go of all who wait', async () => {
  const { api } = stage;
  const url = api.script('/detached', answers(429, { ...EXPOSING, 'retry-after': '30' }));
  const policy = { ...EXACT, waitForOnline: true };
  const { start, ended, held, page } = await stage.page({ adapter: 'xhr', policy });
  await start('held', { url });
  await held();
  await stage.chromium.context.setOffline(true);
  await start('offline', { url: `${url}/other` });
  await page.evaluate(() => {
    window.kit.heeding('api').detach();
  });
  await stage.chromium.context.setOffline(false);
  expect((await ended('held')).heed?.reason).toBe('detached');
  expect((await ended('offline')).error?.code).toBe('ERR_HEED_DETACHED');
  expect(await page.evaluate(() => [window.pendingTimers(), window.listening('online')])).toEqual([0, 0]);
});

test('when the browser is closed, none of its processes is left', async () => {
  const processes = familyOf(stage.chromium.pid);
  expect(processes.length).toBeGreaterThan(1);
  await stage.close();
  expect(processes.filter(isAlive)).toEqual([]);
});

/** A process and all that it has started, directly or not. */
function familyOf(pid: number): readonly number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): readonly number[] =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...childrenOf(child)] : []));
  return [pid, ...childrenOf(pid)];
}

function isAlive(pid: number): boolean {
  const [state = ''] = execFileSync('ps', ['-eo', 'stat=,pid='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.trim().endsWith(` ${pid}`));
  // One that has ended, and that nobody has asked about yet, is a zombie.
  return state !== '' && !state.trim().startsWith('Z');
}
