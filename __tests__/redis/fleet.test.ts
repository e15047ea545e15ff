import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { figuresOf, fleetProgram, quotaApi } from './fleet';
import type { FleetOptions, QuotaApi } from './fleet';
import { redisServer } from './redis-server';
import type { RedisServer } from './redis-server';

const PROCESSES = 8;
const OPERATIONS = 25;
const ALL = PROCESSES * OPERATIONS;

describe('eight processes, 25 operations each, and one bucket of 20/s', () => {
  let program: ReturnType<typeof fleetProgram>;
  let redis: RedisServer;
  let api: QuotaApi;

  beforeAll(() => {
    program = fleetProgram();
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    redis = await redisServer();
    api = await quotaApi();
  });
  afterEach(async () => {
    await api.close();
    await redis.close();
  });

  const start = (more: Partial<FleetOptions> = {}): ReturnType<typeof program.start> =>
    program.start({ api, redisUrl: redis.url, processes: PROCESSES, operations: OPERATIONS, ...more });
  const sum = <Key extends string>(reports: readonly Record<Key, unknown>[], key: Key): number =>
    reports.reduce((total, one) => total + Number(one[key]), 0);

  test.each([
    ['have the same time', () => 0],
    ['have clocks an hour apart', (index: number) => index * 3_600_000],
  ])(
    'that %s all succeed, with few rejections after the first, and one probe a hold at the most',
    async (_, wallAheadMs) => {
      const done = await (await start({ wallAheadMs })).done;
      const figures = figuresOf(api, ALL);
      expect(done).toHaveLength(PROCESSES);
      expect(sum(done, 'succeeded')).toBe(ALL);
      expect(figures.furtherPerUnserved).toBeLessThanOrEqual(0.15);
      expect(sum(done, 'probes')).toBeLessThanOrEqual(figures.holds);
    },
    60_000,
  );

  test('lose one lease time at the most when the process that probes is killed', async () => {
    // So slow that its bucket runs over even when a busy machine takes seconds to send them all.
    const slow = await quotaApi(4);
    let killedAtMs = 0;
    const fleet = await start({ api: slow, operations: 5 });
    slow.onHang = (name) => {
      killedAtMs = slow.seen.at(-1)?.atMs ?? 0;
      fleet.kill(name);
    };
    const done = await fleet.done;
    await slow.close();
    const next = slow.seen.find(({ atMs }) => atMs > killedAtMs);
    expect(killedAtMs).toBeGreaterThan(0);
    expect((next?.atMs ?? 0) - killedAtMs).toBeLessThanOrEqual(5000 + 500);
    expect(done).toHaveLength(PROCESSES - 1);
    expect(sum(done, 'succeeded')).toBe(5 * (PROCESSES - 1));
  }, 60_000);

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'lose nothing when Redis gets a %s in the middle of a hold, and are rejected no more than without it',
    async (signal) => {
      let limits = 0;
      api.onLimit = () => {
        limits += 1;
        if (limits === 1) setTimeout(() => redis.signal(signal), 400);
      };
      const operations = 10;
      const done = await (await start({ operations })).done;
      const { rejections } = figuresOf(api, ALL);
      await api.close();
      api = await quotaApi();
      const alone = await (await program.start({ api, processes: PROCESSES, operations })).done;
      const all = PROCESSES * operations;
      expect([sum(done, 'succeeded'), sum(alone, 'succeeded')]).toEqual([all, all]);
      expect(rejections).toBeLessThanOrEqual(figuresOf(api, ALL).rejections);
      // Once for each time that it was lost.
      const notedAgain = done.filter((one) => one.storeFailures > one.storeRecoveries + 1);
      expect(notedAgain).toEqual([]);
    },
    90_000,
  );
});
