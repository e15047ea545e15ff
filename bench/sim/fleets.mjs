// Many processes and one quota, in simulated time: each for itself, sharing their gates through a store, and
// sharing until the store is lost half-way. All operations are there at once and no gate knows anything.
import { fleetStore } from './fleet-store.mjs';
import { serverTable } from './servers.mjs';
import { World } from './world.mjs';

const LIMIT_MS = 40_000_000;
const RTT_MS = 80;

const ALONE = 'each for itself';
const ways = {
  [ALONE]: { storeOf: () => undefined, bounds: {} },
  shared: {
    storeOf: (kit, world) => fleetStore(kit, world),
    // A rejection for the first request of each process and few more; five sixths of what the server serves.
    bounds: { rejections: 1.05, drain: 1.2, commands: 15 },
  },
  'shared, store lost half-way': {
    storeOf: (kit, world, n) => {
      const store = fleetStore(kit, world);
      world.whenAccepted(n / 2, store.lose);
      return store;
    },
    // The second half is each for itself again: two thirds of what the server serves.
    bounds: { rejections: 1.05, drain: 1.5, commands: 15 },
  },
};

class FleetWorld extends World {
  whenAccepted(count, act) {
    this.mark = { count, act };
  }

  receive(kind, spoken) {
    const answer = super.receive(kind, spoken);
    if (this.mark !== undefined && this.stats.accepted >= this.mark.count) {
      this.mark.act();
      this.mark = undefined;
    }
    return answer;
  }
}

/** Every server as it is before anybody comes: its quota is whole. */
function fleetServer(kit, name) {
  if (name !== 'bucket') return serverTable(kit)[name];
  return { capacityPerSec: 20, make: () => kit.tokenBucket({ perSecond: 20, capacity: 20 }) };
}

async function run(kit, way, { server, n, processes, seed }) {
  const world = new FleetWorld(kit, server, { rttMs: RTT_MS, seed });
  const store = ways[way].storeOf(kit, world, n);
  const clients = Array.from({ length: processes }, (_, index) =>
    world.client(index, store === undefined ? {} : { store: kit.sharedStore(store.join(String(index))) }),
  );
  const operations = Array.from({ length: n }, (_, i) => world.operation(clients[i % processes]));
  const complete = await world.runUntil(Promise.all(operations), LIMIT_MS);
  const { accepted, rejected, lastAcceptedMs } = world.stats;
  return {
    complete: complete && accepted === n,
    rejections: rejected / n,
    drain: lastAcceptedMs / ((n / server.capacityPerSec) * 1000),
    commands: (store?.commands ?? 0) / n,
    perSecond: (store?.commands ?? 0) / (lastAcceptedMs / 1000),
  };
}

async function meanRun(kit, way, { seeds, ...load }) {
  const runs = [];
  for (let seed = 1; seed <= seeds; seed += 1) runs.push(await run(kit, way, { ...load, seed }));
  const means = Object.keys(runs[0]).map((key) => [
    key,
    runs.reduce((sum, each) => sum + each[key], 0) / seeds,
  ]);
  return { ...Object.fromEntries(means), complete: runs.every(({ complete }) => complete) };
}

/** Beyond a bound, or sharing costs more rejections or more than 5 % of drain beside the same processes alone. */
function faultsOf(way, row, alone) {
  if (!row.complete) return ['does not drain'];
  const bounds = Object.entries(ways[way].bounds);
  const beyond = bounds.filter(([key, most]) => Math.round(row[key] * 100) / 100 > most).map(([key]) => key);
  if (way !== 'shared' || alone === undefined) return beyond;
  const isDearer = row.rejections > alone.rejections || row.drain > alone.drain * 1.05;
  return isDearer ? [...beyond, 'behind each for itself'] : beyond;
}

/**
 * Prints the table and returns what missed, one line each.
 * @param only the beginning of the ways that are run; '' for all
 */
export async function fleetTable(kit, { sizes, least = 200, seeds = 3, serverName = 'bucket', only = '' }) {
  const server = fleetServer(kit, serverName);
  const misses = [];
  console.log(
    `\nMany processes, one quota (${serverName}), all at once, RTT ${RTT_MS} ms; per operation: rejections, commands\n`,
  );
  console.log('| processes | operations | way | rejections | drain | commands | commands/s | verdict |');
  console.log(`|${'---|'.repeat(8)}`);
  for (const processes of sizes) {
    const n = Math.max(least, processes);
    let alone;
    for (const way of Object.keys(ways).filter((name) => name.startsWith(only))) {
      const row = await meanRun(kit, way, { server, n, processes, seeds: processes > 10 ? 1 : seeds });
      if (way === ALONE) alone = row;
      const faults = faultsOf(way, row, alone);
      misses.push(...faults.map((fault) => `${processes} processes, ${way}: ${fault}`));
      const cells = [row.rejections.toFixed(3), row.drain.toFixed(2), row.commands.toFixed(1)];
      const verdict = faults.length === 0 ? 'within' : faults.join(', ').toUpperCase();
      console.log(`| ${[processes, n, way, ...cells, row.perSecond.toFixed(1), verdict].join(' | ')} |`);
    }
  }
  return misses;
}
