// The clients side by side in real time on loopback, one process per client and scenario.
//   node bench/real/run.mjs [--scenario bucket,...] [--client axios-heed,...] [--runs 3] [--json file]
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
    client: { type: 'string', default: 'oracle,axios-heed,axios-heed-headers,axios-retry,bottleneck-10' },
    runs: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const execute = promisify(execFile);
const script = fileURLToPath(new URL('one-run.mjs', import.meta.url));
const names = options.client === 'all' ? Object.keys(clients) : options.client.split(',');
const misses = [];

async function medianRun(client, scenario) {
  const runs = [];
  for (let i = 0; i < Number(options.runs); i += 1) {
    const { stdout } = await execute(process.execPath, [script, client, scenario], { timeout: 60_000 });
    const figures = JSON.parse(stdout);
    if (options.json !== undefined) appendFileSync(options.json, stdout);
    runs.push(figures);
  }
  const numbers = Object.keys(runs[0]).filter((key) => typeof runs[0][key] === 'number');
  const medians = numbers.map((key) => [key, median(runs.map((run) => run[key] ?? 0))]);
  return { ...runs[0], ...Object.fromEntries(medians) };
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
  for (const client of names) {
    const figures = await medianRun(client, name).catch(noteFailure);
    if (figures === undefined) continue;
    if (client === 'oracle') oracle = figures;
    const row = { ...figures, feasible: oracle?.ok ?? figures.operations };
    if (oracle !== undefined && oracle.drainMs > 0 && figures.drainMs > 0)
      row.drain = figures.drainMs / oracle.drainMs;
    console.log(
      `| ${Object.values(columns)
        .map((tell) => tell(row))
        .join(' | ')} |`,
    );
    if (client === (scenarios[name].judged ?? 'axios-heed')) judge(name, row);
  }
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
    if (value === undefined) continue;
    const isGood = key === 'ok' ? value >= aim : rounded(value) <= aim;
    if (!isGood) misses.push(`${row.client} in ${name}: ${key} ${rounded(value)}, aim ${aim}`);
  }
  if (scenarios[name].aims.drain !== undefined && row.ok < row.feasible) {
    misses.push(`${row.client} in ${name}: ${row.ok} of ${row.feasible} feasible operations succeeded`);
  }
}

for (const name of options.scenario.split(',')) await measure(name);
if (misses.length > 0) console.log(`\nMissed:\n${misses.map((miss) => `- ${miss}`).join('\n')}`);
process.exit(misses.length > 0 ? 1 : 0);
