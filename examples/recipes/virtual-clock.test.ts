// Testing your own code with axios-heed/testing: a server with a quota, and minutes in milliseconds.
// To change: the code under test, the quota, and what you hold it to. Works with any test runner.
import { expect, test } from '@jest/globals';
import { outage, quotaServer, tokenBucket, virtualClock } from 'axios-heed/testing';
import type { QuotaModel, QuotaServer, VirtualClock } from 'axios-heed/testing';
import { drainOrders, ordersApi } from './drain-list.js';
import type { Drained } from './drain-list.js';

interface World {
  readonly clock: VirtualClock;
  readonly server: QuotaServer;
  readonly drain: (count: number) => Promise<Drained>;
}

function world(model: QuotaModel): World {
  const clock = virtualClock();
  const server = quotaServer({ clock, rttMs: 80, model });
  const api = ordersApi({ adapter: server.adapter }, clock);
  const ids = (count: number) => Array.from({ length: count }, (_, id) => id);
  return { clock, server, drain: (count) => clock.until(drainOrders(api, ids(count))) };
}

test('a quota of ten a second is used, with at most 12 rejections', async () => {
  const { clock, server, drain } = world(tokenBucket({ capacity: 10, perSecond: 10 }));

  const { done } = await drain(200);

  expect(done).toBe(200);
  expect(server.rejections).toBeLessThanOrEqual(12);
  expect(clock.monoMs()).toBeLessThan(30_000); // nineteen seconds are the least that the quota allows
  clock.assertIdle();
});

test('after an outage one request asks, and the others do not come back at once', async () => {
  const model = outage({ forMs: 60_000, then: tokenBucket({ capacity: 10, perSecond: 10 }) });
  const { server, drain } = world(model);

  const { done } = await drain(100);

  expect(done).toBe(100);
  expect(server.mostWithin(100, 60_000)).toBeLessThanOrEqual(10);
});

test('what does not fit into the budget is for later, with a time', async () => {
  const model = outage({ forMs: 600_000, then: tokenBucket({ capacity: 10, perSecond: 10 }) });
  const { clock, server, drain } = world(model);

  const { done, later } = await drain(50);

  expect(done).toBe(0);
  expect(later).toHaveLength(50);
  expect(later[0]?.report).toMatchObject({ reason: 'deadline-too-near', retryable: true });
  expect(server.log.length).toBeLessThanOrEqual(10); // the others are not even sent
  expect(clock.monoMs()).toBeLessThan(1000); // and nobody waits for what cannot be
});
