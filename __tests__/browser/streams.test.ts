import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import type { LoopbackStep } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { EXACT, openStage, until } from './support/stage';
import type { Stage } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

/** One part at once, and another after a while. */
function inParts(afterMs: number): LoopbackStep {
  return (response) => {
    response.writeHead(200, OPEN).write('first ');
    setTimeout(() => response.end('second'), afterMs);
  };
}

/** One part, and then nothing more. */
const endless: LoopbackStep = (response) => {
  response.writeHead(200, OPEN).write('first ');
};

describe('a stream by the fetch adapter', () => {
  test('is handed over when its first part is there, after a limit that was waited for', async () => {
    const path = '/handed-over';
    const url = stage.api.script(path, answers(429, { ...EXPOSING, 'retry-after': '1' }, 'x'), inParts(300));
    const { page } = await stage.page({ adapter: 'fetch' });
    const seen = await page.evaluate(async (target) => {
      const response = await window.kit.api('api').get<ReadableStream>(target, { responseType: 'stream' });
      const last = window.kit.journalOf(response).at(-1);
      const closedMs = performance.now();
      const text = await new Response(response.data).text();
      return { last, text, bodyMs: performance.now() - closedMs, timers: window.pendingTimers() };
    }, url);
    expect(seen).toMatchObject({ text: 'first second', timers: 0 });
    expect(seen.last).toMatchObject({ event: 'operation-closed', outcome: 'succeeded', exchanges: 2 });
    expect(seen.bodyMs).toBeGreaterThan(150);
    expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
  });

  test('is bounded by the budget up to its hand-over, and no longer', async () => {
    const url = stage.api.script('/beyond', inParts(1200));
    const { page } = await stage.page({ adapter: 'fetch', policy: { ...EXACT, budget: 900 } });
    const text = await page.evaluate(async (target) => {
      const { data } = await window.kit.api('api').get<ReadableStream>(target, { responseType: 'stream' });
      return new Response(data).text();
    }, url);
    expect(text).toBe('first second');
  });

  test.each([
    ['without a budget', {}],
    ['with one', { budget: 5000 }],
  ])('obeys its caller after the hand-over %s, and the server sees it go', async (name, terms) => {
    const path = `/aborted-${name.length}`;
    const url = stage.api.script(path, endless);
    const { page } = await stage.page({ adapter: 'fetch', policy: { ...EXACT, ...terms } });
    const seen = await page.evaluate(async (target) => {
      const controller = new AbortController();
      const { signal } = controller;
      const { data } = await window.kit
        .api('api')
        .get<ReadableStream<Uint8Array>>(target, { responseType: 'stream', signal });
      const reader = data.getReader();
      const { value } = await reader.read();
      controller.abort();
      const end = await reader.read().then(
        () => 'more',
        (error: unknown) => (error as Error).name,
      );
      return { first: new TextDecoder().decode(value), end };
    }, url);
    expect(seen).toEqual({ first: 'first ', end: 'CanceledError' });
    await until(() => stage.api.requests(path)[0]?.wasCut === true);
    expect(stage.api.requests(path)).toHaveLength(1);
  });
});
