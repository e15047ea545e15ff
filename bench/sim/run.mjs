// The gate in simulated time, on quota servers, beside the published figures of others.
//   node bench/sim/run.mjs [--quick] [--n 300] [--seeds 8] [--rtt 80] [--server bucket-20-20,...]
//                          [--part table,headers,scale,rtt,clients,starts,fleet] [--gates other.mjs]
// Ends with code 1 if a row is behind the reference by more than the tolerance, beyond its bound, or does not drain.
import { parseArgs } from 'node:util';
import { drainMean, referenceFor } from './drains.mjs';
import { fleetTable } from './fleets.mjs';
import { loadGates } from './load-gates.mjs';
import { alternatives, published } from './published.mjs';
import { serverTable } from './servers.mjs';
import { starts } from './starts.mjs';
import { geometricMeans, isWithin, meansAreWithin } from './verdict.mjs';

const { values: options } = parseArgs({
  options: {
    n: { type: 'string' },
    seeds: { type: 'string' },
    rtt: { type: 'string' },
    server: { type: 'string' },
    part: { type: 'string' },
    quick: { type: 'boolean', default: false },
    gates: { type: 'string' },
  },
});

const seeds = Number(options.seeds ?? (options.quick ? 3 : 8));
const kit = await loadGates(options.gates);
const servers = Object.entries(serverTable(kit)).filter(
  ([name]) =>
    options.server === undefined || options.server.split(',').some((wanted) => name.includes(wanted)),
);
const misses = [];

const figure = (value, digits = 2) => value.toFixed(digits);

/** One group of rows: every server under the same load, and the geometric means. */
async function drainTable(title, { n, rttMs, only, runs = seeds, clients = 1, headers = false }) {
  const isPublished = n === 300 && rttMs === 80 && clients === 1 && !headers;
  const others = isPublished ? alternatives : [];
  console.log(`\n${title}\n`);
  console.log(`| ${['server', 'ours', 'reference', 'verdict', ...others].join(' | ')} |`);
  console.log(`|${'---|'.repeat(4 + others.length)}`);
  const rows = [];
  for (const [name, server] of servers) {
    if (only !== undefined && !only.includes(name)) continue;
    const row = await drainMean(kit, server, { n, rttMs, seeds: runs, clients, headers });
    const reference = clients === 1 ? referenceFor(name, { n, rttMs, headers }) : undefined;
    const verdict = judge(`${title}: ${name}`, row, { reference, n });
    if (reference !== undefined) rows.push({ row, reference });
    const cells = others.map((_, i) => published[name]?.[i] ?? '');
    const theirs = reference === undefined ? '' : tell(reference);
    console.log(`| ${[name, tell(row), theirs, verdict, ...cells].join(' | ')} |`);
  }
  if (rows.length > 1) tellMeans(title, rows, n);
}

function judge(name, row, { reference, n }) {
  const isGood = row.complete && (reference === undefined || isWithin(row, reference, n));
  if (!isGood) misses.push(name);
  if (!row.complete) return 'DOES NOT DRAIN';
  if (reference === undefined) return '';
  return isGood ? 'within' : 'BEHIND';
}

const tell = ({ rejections, drain, burst }) =>
  `${figure(rejections, 1)} / ${figure(drain)} / ${figure(burst, 0)}`;

function tellMeans(title, rows, n) {
  const ours = geometricMeans(
    rows.map(({ row }) => row),
    n,
  );
  const theirs = geometricMeans(
    rows.map(({ reference }) => reference),
    n,
  );
  const isGood = meansAreWithin(ours, theirs);
  if (!isGood) misses.push(`${title}: geometric means`);
  const words = ({ rejections, drain }) => `${figure(rejections * 100)} % / ${figure(drain, 3)}`;
  console.log(`| geometric means | ${words(ours)} | ${words(theirs)} | ${isGood ? 'within' : 'BEHIND'} |`);
}

async function startTable() {
  console.log(`\nOther starts\n\n| start | figures | bounds | verdict |\n|---|---|---|---|`);
  for (const [name, { run, bounds }] of Object.entries(starts)) {
    const runs = [];
    for (let seed = 1; seed <= seeds; seed += 1) runs.push(await run(kit, seed));
    const means = Object.keys(runs[0]).map((key) => [
      key,
      runs.reduce((sum, each) => sum + each[key], 0) / seeds,
    ]);
    const isGood = means.every(
      ([key, value]) => bounds[key] === undefined || Math.round(value * 100) / 100 <= bounds[key],
    );
    if (!isGood) misses.push(name);
    const words = (entries) => entries.map(([key, value]) => `${key} ${figure(value)}`).join(', ');
    console.log(
      `| ${name} | ${words(means)} | ${words(Object.entries(bounds))} | ${isGood ? 'within' : 'BEHIND'} |`,
    );
  }
}

const sizes = options.n?.split(',').map(Number) ?? (options.quick ? [300] : [300, 1000, 5000]);
const rtts = options.rtt?.split(',').map(Number) ?? [80];
const parts = {
  table: async () => {
    for (const n of sizes)
      for (const rttMs of rtts) await drainTable(`${n} queued, RTT ${rttMs} ms`, { n, rttMs });
  },
  scale: async () => {
    const only = ['bucket-20-20', 'bucket-500'];
    await drainTable('100000 queued, RTT 80 ms, one seed', { n: 100_000, rttMs: 80, only, runs: 1 });
  },
  headers: async () => {
    await drainTable('300 queued, RTT 80 ms, with quota headers', { n: 300, rttMs: 80, headers: true });
  },
  rtt: async () => {
    for (const rttMs of [20, 500, 2000]) await drainTable(`300 queued, RTT ${rttMs} ms`, { n: 300, rttMs });
  },
  clients: async () => {
    const only = ['bucket-20-20', 'window-100-10', 'collapse-250'];
    for (const clients of [10, 100, 1000]) {
      const title = `1000 queued in ${clients} clients that know nothing of each other, RTT 80 ms`;
      await drainTable(title, { n: 1000, rttMs: 80, only, clients });
    }
  },
  starts: startTable,
  fleet: async () => {
    misses.push(...(await fleetTable(kit, { sizes: [1, 8, 100, 1000, 10_000] })));
  },
};

const wanted = options.part?.split(',') ?? (options.quick || options.n ? ['table'] : Object.keys(parts));
const startMs = performance.now();
for (const part of wanted) await parts[part]();
console.log(
  `\n${figure((performance.now() - startMs) / 1000, 1)} s; drain is a multiple of N / capacity, the third figure the most sends in 50 ms.`,
);
if (misses.length > 0) console.log(`\nBehind:\n${misses.map((miss) => `- ${miss}`).join('\n')}`);
process.exit(misses.length > 0 ? 1 : 0);
