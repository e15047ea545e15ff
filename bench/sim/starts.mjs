// Starts that are no drain behind a hold. Their bounds are this bench's own; each says what it comes from.
import { World } from './world.mjs';

const LIMIT_MS = 40_000_000;
const RTT_MS = 80;
const HOUR_MS = 3_600_000;

/** name -> { run(kit, seed) -> figures, bounds: what each figure may be at most } */
export const starts = {
  // The bounds of an open gate are the aims of the real-time bench's bucket.
  '200 at once, open gate, bucket 20 + 20/s': {
    run: (kit, seed) => burstAtOnce(kit, bucket(kit, 20), seed),
    bounds: { requestsPerOp: 1.17, drain: 1.6 },
  },
  '200 at once, open gate, bucket 20 + 40/s': {
    run: (kit, seed) => burstAtOnce(kit, bucket(kit, 40), seed),
    bounds: { requestsPerOp: 1.17, drain: 1.6 },
  },
  '200 at once after a quiet hour, bucket 20 + 20/s': {
    run: (kit, seed) => burstAfterQuietHour(kit, bucket(kit, 20), seed),
    bounds: { requestsPerOp: 1.17, drain: 1.6 },
  },
  // One in a hundred, and nobody waits as long as one more rejection would cost.
  'steady 10/s for 60 s after a drain, bucket 20 + 20/s': {
    run: (kit, seed) => steadyAfterDrain(kit, bucket(kit, 20), { seed, perSecond: 10 }),
    bounds: { requestsPerOp: 1.01, p95WaitMs: 1000 },
  },
  // What a queue of the same length may cost: 1,000 queued took 17 rejections and 1.07.
  'steady 30/s for 60 s after a drain, bucket 20 + 20/s': {
    run: (kit, seed) => steadyAfterDrain(kit, bucket(kit, 20), { seed, perSecond: 30 }),
    bounds: { requestsPerOp: 1.03, drain: 1.15 },
  },
  // 5 ms times its place.
  'one call behind 33 long polls, no limit': {
    run: (kit, seed) => callBehindLongPolls(kit, seed),
    bounds: { p95WaitMs: 33 * 5 },
  },
};

const bucket = ({ tokenBucket }, perSecond) => ({
  capacityPerSec: perSecond,
  capacity: 20,
  make: () => tokenBucket({ capacity: 20, perSecond }),
});

async function burstAtOnce(kit, server, seed) {
  const world = new World(kit, server, { rttMs: RTT_MS, seed });
  return await burst(world, world.client(), server);
}

async function burstAfterQuietHour(kit, server, seed) {
  const world = new World(kit, server, { rttMs: RTT_MS, seed });
  const client = world.client();
  await burst(world, client, server);
  await passTime(world, HOUR_MS);
  return await burst(world, client, server);
}

async function burst(world, client, server) {
  const n = 200;
  const startMs = world.nowMs;
  const sentBefore = world.sends.length;
  await world.runUntil(Promise.all(Array.from({ length: n }, () => world.operation(client))), LIMIT_MS);
  const idealMs = ((n - server.capacity) / server.capacityPerSec) * 1000;
  return {
    requestsPerOp: (world.sends.length - sentBefore) / n,
    drain: (world.stats.lastAcceptedMs - startMs) / idealMs,
  };
}

async function steadyAfterDrain(kit, server, { seed, perSecond }) {
  const world = new World(kit, server, { rttMs: RTT_MS, seed });
  const client = world.client();
  await burst(world, client, server);
  const n = 60 * perSecond;
  const startMs = world.nowMs;
  const sentBefore = world.sends.length;
  const waits = [];
  let arrivalMs = startMs;
  const arrivals = Array.from({ length: n }, async () => {
    arrivalMs += (-Math.log(1 - world.roll()) * 1000) / perSecond;
    waits.push(await timed(world, client, arrivalMs));
  });
  await world.runUntil(Promise.all(arrivals), LIMIT_MS);
  return {
    requestsPerOp: (world.sends.length - sentBefore) / n,
    drain: (world.stats.lastAcceptedMs - startMs) / ((n / Math.min(perSecond, server.capacityPerSec)) * 1000),
    p95WaitMs: percentile95(waits),
  };
}

async function callBehindLongPolls({ noLimit, ...kit }, seed) {
  const world = new World({ noLimit, ...kit }, { make: noLimit }, { rttMs: RTT_MS, seed });
  const client = world.client();
  const longPoll = noLimit({ serviceMs: 30_000 });
  const polls = Array.from({ length: 33 }, () => world.operation(client, longPoll));
  const call = world.operation(client);
  await world.runUntil(call, LIMIT_MS);
  const waitMs = world.nowMs - RTT_MS;
  await world.runUntil(Promise.all(polls), LIMIT_MS);
  return { p95WaitMs: waitMs };
}

/** One operation at its instant; what it waited beyond the time of its answer. */
async function timed(world, client, startMs) {
  await new Promise((resolve) => world.at(startMs, resolve));
  await world.operation(client);
  return world.nowMs - startMs - RTT_MS;
}

async function passTime(world, ms) {
  await world.runUntil(new Promise((resolve) => world.at(world.nowMs + ms, resolve)), LIMIT_MS);
}

function percentile95(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
}
