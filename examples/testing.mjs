// node examples/testing.mjs: a minute of waiting in some milliseconds, the same way every time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import axios from 'axios';
import { heed, isHeedError } from 'axios-heed';
import { alwaysSays, outage, quotaServer, tokenBucket, virtualClock } from 'axios-heed/testing';

test('a hundred orders fit through a quota of twenty a second, with few refusals', async () => {
  const clock = virtualClock();
  const server = quotaServer({ clock, rttMs: 20, model: tokenBucket({ capacity: 20, perSecond: 20 }) });
  const api = axios.create({ adapter: server.adapter });
  heed(api, { clock });

  const orders = Array.from({ length: 100 }, (_, id) => api.get(`/orders/${id}`));
  await clock.until(Promise.all(orders));

  assert.equal(server.accepted, 100);
  assert.ok(server.rejections <= 20, `${server.rejections} refusals`);
  clock.assertIdle();
});

test('a call with two seconds left does not wait for a minute', async () => {
  const clock = virtualClock();
  const model = outage({ forMs: 60_000, then: tokenBucket({ capacity: 10, perSecond: 5 }) });
  const server = quotaServer({ clock, model, hint: alwaysSays('60') });
  const api = axios.create({ adapter: server.adapter });
  heed(api, { clock });

  const told = await clock.until(api.get('/orders/7', { heed: { budget: { seconds: 2 } } }).catch((e) => e));

  assert.ok(isHeedError(told));
  assert.equal(told.heed.reason, 'deadline-too-near');
  assert.ok(clock.monoMs() < 100, 'it is told at once');
});
