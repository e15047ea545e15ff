import { describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { heed } from '../../lib/index.js';
import { outage, quotaServer, tokenBucket, virtualClock, workQueue } from '../../lib/testing/index.js';

// What a user of the kit writes: the README shows the first of these.
describe('an application behind a quota', () => {
  test('300 orders behind a limit cost at most 12 rejections more', async () => {
    const clock = virtualClock();
    const server = quotaServer({ clock, model: tokenBucket({ capacity: 20, perSecond: 20, tokens: 0 }) });
    const api = axios.create({ baseURL: 'https://api.example.com', adapter: server.adapter });
    heed(api, { clock, budget: { minutes: 2 } });

    const first = api.get('/orders/0');
    await clock.advance(100); // the limit is in, the hold has begun
    const orders = Array.from({ length: 300 }, (_, i) => api.get(`/orders/${i}`));
    await clock.until(Promise.all([first, ...orders]));

    expect(server.accepted).toBe(301);
    expect(server.rejections).toBeLessThanOrEqual(1 + 12);
    expect(clock.monoMs()).toBeLessThan(20_000);
    clock.assertIdle();
  });

  test('an outage is not prolonged by its end', async () => {
    const clock = virtualClock();
    const queue = workQueue({ perSecond: 50, breaks: { abovePerSecond: 100, downMs: 1000 } });
    const server = quotaServer({ clock, model: outage({ forMs: 20_000, then: queue }) });
    const api = axios.create({ baseURL: 'https://api.example.com', adapter: server.adapter });
    heed(api, { clock, budget: { minutes: 2 } });

    await clock.until(Promise.all(Array.from({ length: 200 }, (_, i) => api.get(`/orders/${i}`))));

    expect([server.accepted, queue.collapses]).toEqual([200, 0]);
    expect(server.mostWithin(100, 20_000)).toBeLessThanOrEqual(10);
    clock.assertIdle();
  });

  test('the same seed gives the same story to the millisecond', async () => {
    const story = async (): Promise<unknown> => {
      const clock = virtualClock({ seed: 4 });
      const model = tokenBucket({ capacity: 5, perSecond: 10 });
      const server = quotaServer({ clock, model, rttSpread: 0.2, seed: 4 });
      const api = axios.create({ baseURL: 'https://api.example.com', adapter: server.adapter });
      heed(api, { clock });
      await clock.until(Promise.all(Array.from({ length: 50 }, () => api.get('/orders'))));
      return server.log;
    };
    expect(await story()).toEqual(await story());
  });
});
