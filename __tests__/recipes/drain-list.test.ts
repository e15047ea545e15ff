import { afterEach, describe, expect, test } from '@jest/globals';
import { fixedWindow, quotaServer, tokenBucket, virtualClock } from 'axios-heed/testing';
import { drainOrders, ordersApi, summaryOf } from '../../examples/recipes/drain-list';
import { loopback } from '../support/loopback';
import type { Loopback } from '../support/loopback';
import { quotaLoopback } from './quota-loopback';

const servers: Loopback[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const idsUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('the recipe of a worker', () => {
  test('drains a list of 1,000 against a real server with a quota of 300 a second', async () => {
    const server = await quotaLoopback(tokenBucket({ capacity: 100, perSecond: 300 }));
    servers.push(server);
    const startMs = performance.now();
    const drained = await drainOrders(ordersApi({ baseURL: server.url }), idsUpTo(1000));
    const tookMs = performance.now() - startMs;
    expect(drained).toMatchObject({ done: 1000, later: [], failed: [] });
    expect(drained.exchanges).toBe(server.arrivals.length);
    expect(server.refused()).toBe(server.arrivals.length - 1000);
    expect(drained.exchanges).toBeLessThanOrEqual(1150);
    expect(summaryOf(drained)).toMatch(
      /^1000 of 1000 done, 0 for later, 0 failed; 1\.(0\d|1[0-5]) requests per item$/,
    );
    expect(tookMs).toBeGreaterThanOrEqual(2900); // 900 at 300 a second; less would be a broken server
  });

  test('takes of an endless list only what it has workers for', async () => {
    const clock = virtualClock();
    const server = quotaServer({ clock, model: fixedWindow({ quota: 20, windowMs: 60_000 }) });
    let taken = 0;
    const ids = function* (): Generator<number> {
      for (; taken < 500; taken += 1) yield taken;
    };
    void drainOrders(ordersApi({ adapter: server.adapter }, clock), ids());
    await clock.advance(30_000);
    expect(server.accepted).toBe(20);
    expect(taken).toBeLessThan(20 + 50);
  });

  test('a list of 1,000 may also be begun all at once: a queue takes 10,000', async () => {
    const clock = virtualClock();
    const server = quotaServer({ clock, model: tokenBucket({ capacity: 50, perSecond: 50 }) });
    const api = ordersApi({ adapter: server.adapter }, clock);
    const all = Promise.all(idsUpTo(1000).map((id) => api.get(`/orders/${id}`)));
    await clock.advance(1500);
    expect(server.log.length).toBeLessThan(150);
    await clock.until(all);
    expect(server.accepted).toBe(1000);
    clock.assertIdle();
  });

  test('keeps what must not be repeated apart from what may be', async () => {
    const server = await loopback(({ url }, response) => {
      if (url === '/orders/2') response.writeHead(404).end();
      else if (url === '/orders/3') response.writeHead(429, { 'retry-after': '600' }).end();
      else response.writeHead(200).end('{}');
    });
    servers.push(server);
    const drained = await drainOrders(ordersApi({ baseURL: server.url }), [1, 2, 3]);
    expect(drained.failed).toEqual([{ id: 2, error: expect.objectContaining({ status: 404 }) }]);
    expect(drained.later).toMatchObject([{ id: 3, report: { reason: 'deadline-too-near' } }]);
    expect(summaryOf(drained)).toBe('1 of 3 done, 1 for later, 1 failed; 1.00 requests per item');
  });
});
