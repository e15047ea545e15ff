import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answers } from '../support/loopback-server';
import { EXPOSING, OPEN } from './support/api-server';
import { EXACT, openStage, until } from './support/stage';
import type { Stage } from './support/stage';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const limited = answers(429, { ...EXPOSING, 'retry-after': '1' });
const fine = answers(200, OPEN, '{"a":1}');
const posted = { method: 'post', data: 'text', headers: { 'content-type': 'text/plain' } };

/** What React Native (Hermes) and web views of some years ago do not have; runs in the page. */
function takeAway(): void {
  const remove = (from: object, ...names: readonly string[]): void => {
    for (const name of names) Reflect.deleteProperty(from, name);
  };
  remove(AbortSignal, 'any', 'timeout', 'abort');
  remove(AbortSignal.prototype, 'reason', 'throwIfAborted');
  remove(Crypto.prototype, 'randomUUID', 'subtle');
  remove(window, 'performance', 'structuredClone', 'queueMicrotask', 'BroadcastChannel', 'WeakRef');
  remove(Array.prototype, 'at', 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'with');
  remove(String.prototype, 'at', 'replaceAll');
  remove(Object, 'hasOwn', 'groupBy');
  remove(Promise, 'withResolvers', 'try', 'any');
  // React Native's form cannot be read.
  remove(FormData.prototype, Symbol.iterator as never, 'entries', 'keys', 'values', 'forEach');
}

describe.each(['xhr', 'fetch'] as const)(
  'a platform without what came in the last years, by %s',
  (adapter) => {
    test('waits for a limit and gets its answer, on a budget', async () => {
      const path = `/old-${adapter}`;
      const url = stage.api.script(path, limited, fine);
      const { run, page } = await stage.page({ adapter, before: takeAway });
      const missing = await page.evaluate(() => [
        typeof window.performance,
        'any' in AbortSignal,
        'reason' in AbortSignal.prototype,
        'at' in Array.prototype,
      ]);
      expect(missing).toEqual(['undefined', false, false, false]);
      expect(await run({ url, heed: { budget: 5000 } })).toMatchObject({ status: 200, data: { a: 1 } });
      expect(stage.api.gaps(path)[0]).toBeGreaterThanOrEqual(999);
    });

    test('obeys an abort that has no reason', async () => {
      const path = `/old-abort-${adapter}`;
      const url = stage.api.script(path, limited, fine);
      const { start, abort, ended, held } = await stage.page({ adapter, before: takeAway });
      await start('one', { url, heed: { budget: 5000 } });
      await held();
      await abort('one');
      expect((await ended('one')).error?.code).toBe('ERR_CANCELED');
      await until(() => stage.api.requests(path).length === 1);
    });

    test('makes keys without randomUUID', async () => {
      const path = `/old-key-${adapter}`;
      const url = stage.api.script(path, answers(503, OPEN), fine);
      const { run } = await stage.page({ adapter, before: takeAway });
      expect((await run({ ...posted, url, heed: { idempotencyKey: 'auto' } })).status).toBe(200);
      const [first, second] = stage.api.requests(path).map(({ headers }) => headers['idempotency-key']);
      expect(first).toMatch(/^[\da-f]{32}$/);
      expect(second).toBe(first);
    });

    test('sends a form that cannot be read again under its key', async () => {
      const path = `/old-form-${adapter}`;
      const url = stage.api.script(path, answers(503, OPEN), fine);
      const { page } = await stage.page({ adapter, before: takeAway });
      const status = await page.evaluate(async (target) => {
        const form = new FormData();
        form.append('a', '1');
        const terms = { heed: { idempotencyKey: 'key-1' } };
        return (await window.kit.api('api').post(target, form, terms)).status;
      }, url);
      expect(status).toBe(200);
    });

    test('is told so where it has no source of random numbers: no key is made of Math.random', async () => {
      const path = `/old-random-${adapter}`;
      const url = stage.api.script(path, fine);
      const { run } = await stage.page({
        adapter,
        policy: { ...EXACT, idempotencyKey: 'auto' },
        before: () => {
          Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
          Reflect.deleteProperty(Crypto.prototype, 'getRandomValues');
        },
      });
      const { error } = await run({ ...posted, url });
      expect(error).toMatchObject({ code: 'ERR_HEED_OPTIONS' });
      expect(error?.message).toContain('crypto');
      expect(stage.api.requests(path)).toEqual([]);
      expect((await run({ url })).status).toBe(200);
    });
  },
);
