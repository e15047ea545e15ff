import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import type { LoopbackStep } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { openStage, sleep } from './support/stage';
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

function slowly(step: LoopbackStep, ms: number): LoopbackStep {
  return (response, request) => {
    setTimeout(() => {
      step(response, request);
    }, ms);
  };
}

/** So many pages on a channel of the test's own, introduced to each other. */
async function tabs(channel: string, count: number): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (let i = 0; i < count; i += 1) {
    visits.push(await stage.page({ adapter: 'fetch', channel }));
  }
  await sleep(100);
  return visits;
}

function pair(visits: readonly Visit[]): readonly [Visit, Visit] {
  const [one, two] = visits;
  if (one === undefined || two === undefined) throw new Error('two tabs were asked for');
  return [one, two];
}

/** Until the probe is under way, which is never answered: timers of a hidden page come up to a second late. */
async function probing(path: string): Promise<void> {
  const endMs = performance.now() + 5000;
  while (stage.api.requests(path).length < 2 && performance.now() < endMs) await sleep(20);
  expect(stage.api.requests(path)).toHaveLength(2);
}

describe('tabs that share their gates', () => {
  test('MPR-01: wait for a limit that another has met, and ask nobody again', async () => {
    const path = '/shared-hold';
    const url = stage.api.script(path, limitedFor(2), fine);
    const [one, two] = pair(await tabs('hold', 2));
    await one.start('first', { url });
    await one.held();
    await sleep(200);
    const ended = await two.run({ url });
    expect(ended.status).toBe(200);
    expect(ended.journal.map(({ event }) => event)).toContain('hold-entered');
    expect((await one.ended('first')).status).toBe(200);
    const [first, second] = stage.api.requests(path);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1999);
    expect(stage.api.requests(path)).toHaveLength(3);
  });

  test('send one probe in all when the hold ends', async () => {
    const path = '/shared-probe';
    const url = stage.api.script(path, limitedFor(1), slowly(fine, 400), fine);
    const visits = await tabs('probe', 3);
    const [one] = pair(visits);
    await one.start('first', { url });
    await one.held();
    await sleep(200);
    const calls = visits.flatMap((visit, at) =>
      ['a', 'b'].map(async (name) => {
        await visit.start(`${at}${name}`, { url });
        return visit.ended(`${at}${name}`);
      }),
    );
    const ends = await Promise.all([...calls, one.ended('first')]);
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 200));
    const [, probe, ...others] = stage.api.requests(path);
    // Nobody else goes before the probe's answer.
    expect(others).toHaveLength(6);
    expect((others[0]?.atMs ?? 0) - (probe?.atMs ?? 0)).toBeGreaterThanOrEqual(390);
  });

  test('learn of a hold that began before they were opened', async () => {
    const path = '/shared-late';
    const url = stage.api.script(path, limitedFor(2), fine);
    const [one] = await tabs('late', 1);
    await one?.start('first', { url });
    await one?.held();
    const [late] = await tabs('late', 1);
    expect((await late?.run({ url }))?.status).toBe(200);
    const [first, second] = stage.api.requests(path);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1999);
  });

  test('MPR-03: go by themselves, within 300 ms, where another takes five seconds to answer', async () => {
    const url = stage.api.script('/slow-other', fine);
    const [one, busy] = pair(await tabs('slow-other', 2));
    await busy.page.evaluate(() => {
      const posts: unknown[] = [];
      new BroadcastChannel('slow-other').addEventListener('message', ({ data }) => posts.push(data));
      Object.assign(window, { posts });
      setTimeout(() => {
        const endMs = performance.now() + 5000;
        while (performance.now() < endMs);
      });
    });
    // Timers of a hidden page come up to a second late, that of the store's time limit too.
    await one.page.bringToFront();
    await sleep(100);
    const tookMs = await one.page.evaluate(async (given) => {
      const fromMs = performance.now();
      await window.kit.run('api', { url: given, heed: { budget: 1000 } });
      return performance.now() - fromMs;
    }, url);
    expect(tookMs).toBeLessThan(300);
    expect(stage.api.requests('/slow-other')).toHaveLength(1);
    // It was asked, and reads that only when it has ended.
    const posts = await busy.page.evaluate(() => (window as unknown as { posts: unknown[] }).posts.length);
    expect(posts).toBeGreaterThan(0);
  });

  test('MPR-07: keep to the longer of two holds, the first, when another is told a shorter one later', async () => {
    const path = '/shorter-later';
    const url = stage.api.script(path, slowly(limitedFor(1), 500), limitedFor(4), fine);
    const [one, two] = pair(await tabs('shorter-later', 2));
    await two.start('shorter', { url: `${url}?shorter` });
    await sleep(100);
    await one.start('longer', { url: `${url}?longer` });
    const ends = await Promise.all([two.ended('shorter'), one.ended('longer')]);
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    const later = await Promise.all([one.run({ url: `${url}?1` }), two.run({ url: `${url}?2` })]);
    expect(later.map(({ status }) => status)).toEqual([200, 200]);
    const [, longer, ...others] = stage.api.requests(path);
    expect(others).toHaveLength(4);
    expect((others[0]?.atMs ?? 0) - (longer?.atMs ?? 0)).toBeGreaterThanOrEqual(3999);
  });

  test('do not mix what is on another channel', async () => {
    const path = '/other-channel';
    const url = stage.api.script(path, limitedFor(2), fine);
    const [one] = await tabs('this', 1);
    const [other] = await tabs('that', 1);
    await one?.start('first', { url });
    await one?.held();
    await other?.run({ url });
    const [first, second] = stage.api.requests(path);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(1500);
    await one?.ended('first');
  });
});

describe('a page that shares its gates', () => {
  test('hears nothing of garbage and of later versions on its channel', async () => {
    const url = stage.api.script('/garbage', fine);
    const [one, noisy] = pair([...(await tabs('garbage', 1)), ...(await tabs('elsewhere', 1))]);
    await noisy.page.evaluate(() => {
      const channel = new BroadcastChannel('garbage');
      const names = new Set<string>();
      channel.addEventListener('message', ({ data }: MessageEvent<{ name?: string }>) => {
        if (data.name !== undefined) names.add(data.name);
      });
      Object.assign(window, { channel, names });
    });
    await one.run({ url });
    // A hold of its gates, by their names: of this version it is believed, as the last call shows.
    const holding = (v: number): Promise<number> =>
      noisy.page.evaluate((version) => {
        const { channel, names } = window as unknown as { channel: BroadcastChannel; names: Set<string> };
        const message = { kind: 'held', forMs: 1500, hintMs: 1500, memberMs: 0, accepted: 0 };
        for (const post of [undefined, 'text', 7, { v: 1 }, { v: 1, from: 'x', kind: 'told' }])
          channel.postMessage(post);
        for (const name of names) channel.postMessage({ v: version, from: 'x', kind: 'told', name, message });
        return names.size;
      }, v);
    const tookMs = async (): Promise<number> => {
      await sleep(100);
      const fromMs = performance.now();
      expect((await one.run({ url })).status).toBe(200);
      return performance.now() - fromMs;
    };
    expect(await holding(2)).toBeGreaterThan(0);
    expect(await tookMs()).toBeLessThan(1000);
    await holding(1);
    expect(await tookMs()).toBeGreaterThan(1000);
  });

  test('goes by itself where there are no locks', async () => {
    const path = '/no-locks';
    const url = stage.api.script(path, limitedFor(1), fine);
    const without = (): void => {
      Object.defineProperty(navigator, 'locks', { value: undefined });
    };
    const one = await stage.page({ adapter: 'fetch', channel: 'no-locks', before: without });
    expect((await one.run({ url })).status).toBe(200);
    const [first, second] = stage.api.requests(path);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(999);
  });

  test('is silent on its channel, and holds no lock, once it is detached', async () => {
    const path = '/detached';
    const url = stage.api.script(path, limitedFor(1), fine);
    const [one, other] = pair(await tabs('detached', 2));
    expect((await one.run({ url })).status).toBe(200);
    await one.page.evaluate(() => {
      window.kit.heeding('api').detach();
    });
    const posts = await other.page.evaluate(async () => {
      const heard: unknown[] = [];
      const channel = new BroadcastChannel('detached');
      channel.addEventListener('message', ({ data }) => heard.push(data));
      channel.postMessage({ v: 1, from: 'stranger', kind: 'hello' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      return heard.length;
    });
    // The other tab alone says that it is there.
    expect(posts).toBe(1);
    const held = await other.page.evaluate(async () => (await navigator.locks.query()).held?.length);
    expect(held).toBe(0);
  });
});

describe('a tab that has the right to probe', () => {
  test('MPR-05: and is closed, costs the others one lease at the most', async () => {
    const path = '/closed-prober';
    const silent: LoopbackStep = () => undefined;
    const url = stage.api.script(path, limitedFor(1), silent, fine);
    const [one, two] = pair(await tabs('closed', 2));
    await one.start('first', { url });
    await one.held();
    await probing(path);
    await two.start('second', { url });
    await one.page.close();
    const closedMs = performance.now();
    expect((await two.ended('second')).status).toBe(200);
    expect(performance.now() - closedMs).toBeLessThan(5500);
  });

  test('and crashes, costs the others one lease at the most', async () => {
    const path = '/crashed-prober';
    const silent: LoopbackStep = () => undefined;
    const url = stage.api.script(path, limitedFor(1), silent, fine);
    const [one, two] = pair(await tabs('crashed', 2));
    await one.start('first', { url });
    await one.held();
    await probing(path);
    await two.start('second', { url: `${url}?second` });
    const session = await one.cdp();
    // Never answered: whoever would is gone.
    void session.send('Page.crash').catch(() => undefined);
    const crashedMs = performance.now();
    expect((await two.ended('second')).status).toBe(200);
    expect(performance.now() - crashedMs).toBeLessThan(5500);
  });

  test('and is frozen, costs the others one lease at the most', async () => {
    const path = '/frozen-prober';
    const silent: LoopbackStep = () => undefined;
    const url = stage.api.script(path, limitedFor(1), silent, fine);
    const [one, two] = pair(await tabs('frozen', 2));
    await one.start('first', { url });
    await one.held();
    await probing(path);
    // Chromium lets the same URL wait for itself, for its cache.
    await two.start('second', { url: `${url}?second` });
    const session = await one.cdp();
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    const frozenMs = performance.now();
    expect((await two.ended('second')).status).toBe(200);
    expect(performance.now() - frozenMs).toBeLessThan(5500);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
  });
});
