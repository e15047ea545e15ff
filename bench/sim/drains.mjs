// The drain behind a hold: N operations wait, the limit's answer is in, how do they get through?
import { readFileSync } from 'node:fs';
import { World } from './world.mjs';

const LIMIT_MS = 40_000_000;
const reference = JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8'));

/** What the algorithm's first form did on that server; undefined where it was not run. */
export function referenceFor(server, { n, rttMs, headers = false }) {
  return reference.find(
    (row) =>
      row.server === server && row.n === n && row.rttMs === rttMs && (row.headers ?? false) === headers,
  );
}

/** The mean over seeds 1 to `seeds`. */
export async function drainMean(kit, server, { n, rttMs, seeds, clients = 1, headers = false }) {
  const runs = [];
  for (let seed = 1; seed <= seeds; seed += 1)
    runs.push(await drain(kit, server, { n, rttMs, seed, clients, headers }));
  const mean = (value) => runs.reduce((sum, run) => sum + value(run), 0) / runs.length;
  return {
    rejections: mean((run) => run.rejections),
    drain: mean((run) => run.drainMs) / ((n / server.capacityPerSec) * 1000),
    burst: mean((run) => run.burst),
    complete: runs.every((run) => run.complete),
  };
}

async function drain(kit, server, { n, rttMs, seed, clients, headers }) {
  const world = new World(kit, server, { rttMs, seed, headers });
  const processes = Array.from({ length: clients }, (_, index) => world.client(index));
  for (const process of processes) await world.limitAtOnce(process);
  const operations = Array.from({ length: n }, (_, i) => world.operation(processes[i % clients]));
  const complete = await world.runUntil(Promise.all(operations), LIMIT_MS);
  const { accepted, rejected, lastAcceptedMs } = world.stats;
  return {
    complete: complete && accepted === n,
    rejections: rejected,
    drainMs: lastAcceptedMs,
    burst: world.mostIn50Ms,
  };
}
