// The clients side by side in real time on loopback, one process per client and scenario.
//   node bench/real/run.mjs [--scenario bucket,...] [--client axios-heed,...] [--runs 3] [--quick] [--json file]
// Each figure is the median of its runs; --quick is one run.
// Drain is a multiple of the oracle's in the same run; * where not every feasible operation succeeded.
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { clients } from './clients.mjs';
import { median } from './figures.mjs';
import { scenarios } from './scenarios.mjs';

const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: Object.keys(scenarios).join(',') },
    client: { type: 'string', default: 'oracle,axios-heed,axios-heed-10,axios-retry,bottleneck-10,judged' },
    runs: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const execute = promisify(execFile);
const script = fileURLToPath(new URL('one-run.mjs', import.meta.url));
const runCount = Number(options.runs ?? (options.quick ? 1 : 3));

/** `judged` is whom the scenario's aims are for. */
function namesFor(scenario) {
  const names = options.client === 'all' ? Object.keys(clients) : options.client.split(',');
  return [...new Set(names.map((name) => (name === 'judged' ? judgedIn(scenario) : name)))];
}

const judgedIn = (scenario) => scenarios[scenario].judged ?? 'axios-heed';
const misses = [];

async function medianRun(client, scenario) {
  const runs = [];
  for (let i = 0; i < runCount; i += 1) {
    const { stdout } = await execute(process.execPath, [script, client, scenario], { timeout: 60_000 });
    const figures = JSON.parse(stdout);
    if (options.json !== undefined) appendFileSync(options.json, stdout);
    runs.push(figures);
  }
  const valuesOf = (key) => runs.map((run) => run[key]).filter((value) => typeof value === 'number');
  const keys = [...new Set(runs.flatMap(Object.keys))].filter((key) => valuesOf(key).length > 0);
  return { ...runs[0], ...Object.fromEntries(keys.map((key) => [key, median(valuesOf(key))])) };
}

const columns = {
  client: ({ client }) => client,
  ok: ({ ok, operations }) => `${ok} of ${operations}`,
  'early / at / late / hung': ({ early, atDeadline, late, hung }) =>
    [early, atDeadline, late, hung].join(' / '),
  'requests per op': ({ requestsPerOp }) => requestsPerOp.toFixed(2),
  'drain / oracle': ({ drain, ok, feasible }) =>
    drain === undefined ? '' : `${drain.toFixed(2)}${ok < feasible ? ' *' : ''}`,
  'peak 100 ms': ({ peak100ms }) => peak100ms.toFixed(1),
  'peak 1 s': ({ peak1s }) => peak1s.toFixed(1),
  'first ok after hold, ms': ({ firstOkMs }) => firstOkMs?.toFixed(0) ?? '',
  'told after, ms': ({ toldMs }) => toldMs?.toFixed(0) ?? '',
  collapses: ({ collapses }) => String(collapses),
  'light p95 / alone': ({ light }) => light?.toFixed(1) ?? '',
};

/** A client that fails is a miss, and no reason to lose the figures of the others. */
function noteFailure(error) {
  const [line] = /^\w*Error: .*$/m.exec(error.stderr ?? '') ?? [error.message];
  misses.push(`${error.cmd?.split(' ').slice(-2).join(' in ')}: ${line}`);
}

async function measure(name) {
  console.log(
    `\n### ${name}\n\n| ${Object.keys(columns).join(' | ')} |\n|${'---|'.repeat(Object.keys(columns).length)}`,
  );
  let oracle;
  const rows = new Map();
  for (const client of namesFor(name)) {
    const figures = await medianRun(client, name).catch(noteFailure);
    if (figures === undefined) continue;
    if (client === 'oracle') oracle = figures;
    const row = { ...figures, feasible: oracle?.ok ?? figures.operations };
    if (oracle?.drainMs > 0) row.drainOfOracleMs = oracle.drainMs;
    if (oracle?.drainMs > 0 && figures.drainMs > 0) row.drain = figures.drainMs / oracle.drainMs;
    console.log(
      `| ${Object.values(columns)
        .map((tell) => tell(row))
        .join(' | ')} |`,
    );
    rows.set(client, row);
    if (client === judgedIn(name)) judge(name, row);
  }
  judgeBeside(name, rows.get('axios-heed-10'), rows.get('bottleneck-10'));
  console.log(
    `\naim: ${Object.entries(scenarios[name].aims)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')}`,
  );
}

/** `ok` is a least, everything else a most; two decimals, as the aims are given. */
function judge(name, row) {
  const rounded = (value) => Math.round(value * 100) / 100;
  for (const [key, aim] of Object.entries(scenarios[name].aims)) {
    const value = row[key];
    if (key === 'drain' && row.drainOfOracleMs === undefined) continue; // nothing to measure it by
    if (value === undefined) {
      misses.push(`${row.client} in ${name}: no ${key}, aim ${aim}`);
      continue;
    }
    const isGood = key === 'ok' ? value >= aim : rounded(value) <= aim;
    if (!isGood) misses.push(`${row.client} in ${name}: ${key} ${rounded(value)}, aim ${aim}`);
  }
  if (scenarios[name].aims.drain !== undefined && row.ok < row.feasible) {
    misses.push(`${row.client} in ${name}: ${row.ok} of ${row.feasible} feasible operations succeeded`);
  }
}

/** Ahead with the same concurrency: as many through, 0.03 requests per operation and 5 % of drain at the most. */
function judgeBeside(name, ours, theirs) {
  if (ours === undefined || theirs === undefined) return;
  const behind = (key, digits) =>
    misses.push(
      `${ours.client} in ${name}: ${key} ${ours[key].toFixed(digits)}, ${theirs.client} ${theirs[key].toFixed(digits)}`,
    );
  if (ours.ok < theirs.ok) behind('ok', 0);
  if (ours.requestsPerOp > theirs.requestsPerOp + 0.03) behind('requestsPerOp', 3);
  // Who gets more through needs longer for it.
  if (ours.ok <= theirs.ok && ours.drainMs > theirs.drainMs * 1.05) behind('drainMs', 0);
}

for (const name of options.scenario.split(',')) await measure(name);
if (misses.length > 0) console.log(`\nMissed:\n${misses.map((miss) => `- ${miss}`).join('\n')}`);
process.exit(misses.length > 0 ? 1 : 0);
