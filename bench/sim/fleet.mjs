// Many processes and one quota, in simulated time: each for itself, sharing their gates through a store, and
// sharing until the store is lost half-way. All operations are there at once and no gate knows anything.
//   node bench/sim/fleet.mjs [--processes 1,8,100] [--n 200] [--seeds 3] [--server bucket-20-20]
import { parseArgs } from 'node:util';
import { importSource } from '../source.mjs';
import { fleetStore } from './fleet-store.mjs';
import { serverTable } from './servers.mjs';
import { World } from './world.mjs';

const LIMIT_MS = 40_000_000;
const RTT_MS = 80;

const { values: options } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,8,100,1000,10000' },
    n: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '3' },
    server: { type: 'string', default: 'bucket' },
    way: { type: 'string', default: '' },
  },
});

const kit = await importSource(`
  export { Gates } from './lib/gate/gates.ts'; export { sharedStore } from './lib/store/index.ts';
  export { entered } from './lib/store/ledger.ts';
  export * from './lib/testing/index.ts';
  export { Timeline } from './lib/testing/timeline.ts';
  export { backoffMs } from './lib/policy/backoff.ts';`);

/** Every server as it is before anybody comes: its quota is whole. */
const servers = {
  bucket: { capacityPerSec: 20, make: () => kit.tokenBucket({ perSecond: 20, capacity: 20 }) },
  ...serverTable(kit),
};

const ways = {
  'each for itself': () => undefined,
  shared: (world) => fleetStore(kit, world),
  'shared, store lost half-way': (world, n) => {
    const store = fleetStore(kit, world);
    world.whenAccepted(n / 2, store.lose);
    return store;
  },
};

class FleetWorld extends World {
  whenAccepted(count, act) {
    this.mark = { count, act };
  }

  receive(kind, spoken) {
    const answer = super.receive(kind, spoken);
    if (kind === 'rejected') this.firstLimitMs ??= this.nowMs;
    if (this.mark !== undefined && this.stats.accepted >= this.mark.count) {
      this.mark.act();
      this.mark = undefined;
    }
    return answer;
  }
}

async function run(server, way, { n, processes, seed }) {
  const world = new FleetWorld(kit, server, { rttMs: RTT_MS, seed });
  const store = ways[way](world, n);
  const clients = Array.from({ length: processes }, (_, index) =>
    world.client(index, store === undefined ? {} : { store: kit.sharedStore(store.join(String(index))) }),
  );
  const operations = Array.from({ length: n }, (_, i) => world.operation(clients[i % processes]));
  const complete = await world.runUntil(Promise.all(operations), LIMIT_MS);
  const { accepted, rejected, lastAcceptedMs } = world.stats;
  return {
    complete: complete && accepted === n,
    rejections: rejected,
    drain: lastAcceptedMs / ((n / server.capacityPerSec) * 1000),
    commands: store?.commands ?? 0,
    perSecond: (store?.commands ?? 0) / (lastAcceptedMs / 1000),
  };
}

const sizes = options.processes.split(',').map(Number);
const server = servers[options.server];
const startMs = performance.now();
console.log(`Server: ${options.server}; RTT ${RTT_MS} ms; drain as a multiple of N / capacity.\n`);
console.log('| processes | operations | way | rejections per operation | drain | commands | commands/s |');
console.log('|---|---|---|---|---|---|---|');
let isGood = true;
for (const processes of sizes) {
  const n = Math.max(Number(options.n), processes);
  const seeds = processes > 10 ? 1 : Number(options.seeds);
  for (const way of Object.keys(ways).filter((name) => name.startsWith(options.way))) {
    const runs = [];
    for (let seed = 1; seed <= seeds; seed += 1) runs.push(await run(server, way, { n, processes, seed }));
    const mean = (key) => runs.reduce((sum, one) => sum + one[key], 0) / runs.length;
    const complete = runs.every((one) => one.complete);
    isGood &&= complete;
    const cells = [
      (mean('rejections') / n).toFixed(3),
      complete ? mean('drain').toFixed(2) : 'DOES NOT DRAIN',
      mean('commands').toFixed(0),
      mean('perSecond').toFixed(1),
    ];
    console.log(`| ${[processes, n, way, ...cells].join(' | ')} |`);
  }
}
console.log(`\n${((performance.now() - startMs) / 1000).toFixed(1)} s`);
process.exit(isGood ? 0 : 1);
