import axios from 'axios';
import { describe, expect, test } from '@jest/globals';
import { heed } from '../../lib/index';
import { rateLimit } from '../../lib/rate-limit/index';
import {
  fixedWindow,
  quotaServer,
  saysNothing,
  seededDice,
  virtualClock,
  wholeSeconds,
} from '../../lib/testing/index';
import type { QuotaDialect, QuotaModel, SpokenHint } from '../../lib/testing/index';
import { xRateLimit } from '../../lib/vendors/index';

interface Run {
  readonly model: QuotaModel;
  /** How many go alone before. */
  readonly before: number;
  readonly count: number;
  readonly dialect: QuotaDialect;
  readonly hint: SpokenHint;
  readonly seed: number;
}

/** Calls that go alone, then all others at once, at one server that tells its quota. */
async function run({ model, before, count, dialect, hint, seed }: Run) {
  const clock = virtualClock({ startEpochMs: Date.UTC(2026, 0, 1), roll: seededDice(seed) });
  const server = quotaServer({ clock, model, rttMs: 80, rttSpread: 0.2, seed, dialect, hint });
  const api = axios.create({ adapter: server.adapter });
  heed(api, {
    clock,
    hints: [rateLimit(), xRateLimit({ reset: 'epoch-seconds' })],
    exchanges: 100,
    maxHint: 'none',
  });
  const one = { validateStatus: null, heed: { exchanges: 1 } };
  for (let sent = 0; sent < before; sent += 1) await clock.until(api.get('https://api.test/things', one));
  const calls = Array.from({ length: count }, () => api.get('https://api.test/things'));
  await clock.until(Promise.all(calls));
  return {
    rejections: server.rejections,
    perOperation: server.log.length / (before + count),
    tookMs: clock.monoMs(),
  };
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a quota that is told beforehand', () => {
  test.each<[string, Omit<Run, 'seed' | 'model'>, () => QuotaModel]>([
    [
      '300 calls, 100 in 10 s',
      { before: 0, count: 300, dialect: 'ratelimit', hint: wholeSeconds },
      () => fixedWindow({ quota: 100, windowMs: 10_000 }),
    ],
    [
      '300 calls behind one that met the limit, 100 in 10 s',
      { before: 1, count: 300, dialect: 'ratelimit', hint: wholeSeconds },
      () => fixedWindow({ quota: 100, windowMs: 10_000, used: 100, elapsedMs: 7000 }),
    ],
    [
      '200 calls, 50 in 2 s, one call before',
      { before: 1, count: 200, dialect: 'ratelimit', hint: wholeSeconds },
      () => fixedWindow({ quota: 50, windowMs: 2000 }),
    ],
    [
      '200 calls, 50 in 2 s',
      { before: 0, count: 200, dialect: 'ratelimit', hint: wholeSeconds },
      () => fixedWindow({ quota: 50, windowMs: 2000 }),
    ],
    [
      '200 calls, 50 in 2 s, no Retry-After',
      { before: 0, count: 200, dialect: 'ratelimit', hint: saysNothing },
      () => fixedWindow({ quota: 50, windowMs: 2000 }),
    ],
    [
      '200 calls, 50 in 2 s, by X-RateLimit fields',
      { before: 0, count: 200, dialect: 'x-ratelimit', hint: wholeSeconds },
      () => fixedWindow({ quota: 50, windowMs: 2000 }),
    ],
  ])('is not overrun: %s', async (_, load, model) => {
    const runs = [];
    for (const seed of seeds) runs.push(await run({ ...load, seed, model: model() }));
    expect(mean(runs.map(({ rejections }) => rejections))).toBeLessThanOrEqual(2);
    expect(mean(runs.map(({ perOperation }) => perOperation))).toBeLessThanOrEqual(1.04);
  });
});
