// The part `fleet` of run.mjs with words of its own.
//   node bench/sim/fleet.mjs [--processes 1,8,100] [--n 200] [--seeds 3] [--server bucket-20-20] [--way shared]
import { parseArgs } from 'node:util';
import { fleetTable } from './fleets.mjs';
import { loadGates } from './load-gates.mjs';

const { values: options } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,8,100,1000,10000' },
    n: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '3' },
    server: { type: 'string', default: 'bucket' },
    way: { type: 'string', default: '' },
  },
});

const misses = await fleetTable(await loadGates(), {
  sizes: options.processes.split(',').map(Number),
  least: Number(options.n),
  seeds: Number(options.seeds),
  serverName: options.server,
  only: options.way,
});
if (misses.length > 0) console.log(`\nBehind:\n${misses.map((miss) => `- ${miss}`).join('\n')}`);
process.exit(misses.length > 0 ? 1 : 0);
