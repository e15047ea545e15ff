// What axios-heed costs: per GET that goes through, and per operation that waits.
//   node bench/overhead/run.mjs [--count 100000] [--repeat 3]
// Ends with code 1 if one of AIMS is missed.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median } from '../real/figures.mjs';

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, repeat: { type: 'string', default: '3' } },
});
/** Each is a most. */
const AIMS = {
  journalShare: 0.05,
  /** Of a held operation, beside one that waits in bare axios. */
  ownBytes: 1500,
  timers: 1,
  /** A million distinct scope keys, 10,000 gates at most. */
  scopeBytes: 16e6,
};
const misses = [];
const execute = promisify(execFile);
const script = fileURLToPath(new URL('worker.mjs', import.meta.url));

function judge(what, value, most) {
  if (!(value <= most)) misses.push(`${what}: ${value}, aim ${most}`);
}

async function measure(...words) {
  const { stdout } = await execute(process.execPath, ['--expose-gc', script, ...words], { timeout: 300_000 });
  return JSON.parse(stdout);
}

console.log('\n### One GET on a stub adapter, interleaved with bare axios\n');
console.log(
  '| client | bare axios us | client us | ratio | ratio of the fastest rounds |\n|---|---|---|---|---|',
);
for (const client of ['axios', 'axios-retry', 'axios-heed']) {
  const runs = [];
  for (let i = 0; i < Number(options.repeat); i += 1) runs.push(await measure('happy', client));
  const figure = (key) => median(runs.map((run) => run[key])).toFixed(2);
  console.log(
    `| ${client} | ${figure('plainMicros')} | ${figure('clientMicros')} | ${figure('ratio')} | ${figure('bestRatio')} |`,
  );
}

console.log('\n### The journal of one GET, in CPU time (aim: at most 5 % of the operation)\n');
console.log('| without us | with us | share | with onEntry us | share |\n|---|---|---|---|---|');
const journals = [];
// How a process happens to compile differs more than the rounds of one: each copy is the first in some.
for (let i = 0; i < 2 * Number(options.repeat); i += 1) journals.push(await measure('journal', String(i)));
const mid = (name, key) => median(journals.map((run) => run[name][key]));
const share = (name) => mid(name, 'ratio') - 1;
const cells = ['journal', 'onEntry'].flatMap((name) => [
  mid(name, 'micros').toFixed(2),
  `${(share(name) * 100).toFixed(1)} %`,
]);
console.log(`| ${[mid('none', 'micros').toFixed(2), ...cells].join(' | ')} |`);
judge('share of the journal', Math.round(share('journal') * 1000) / 1000, AIMS.journalShare);

console.log(`\n### ${options.count} operations that wait (axios-retry and axios-heed for a hint of 120 s)\n`);
console.log('| client | heap bytes each | timers | sent | settled |\n|---|---|---|---|---|');
const bytes = {};
for (const client of ['pending', 'axios-retry', 'axios-heed']) {
  const run = await measure('held', client, options.count);
  bytes[client] = run.bytes;
  if (client === 'axios-heed') judge(`timers of ${options.count} that wait`, run.timers, AIMS.timers);
  console.log(`| ${client} | ${run.bytes.toFixed(0)} | ${run.timers} | ${run.sent} | ${run.settled} |`);
}
const ownBytes = bytes['axios-heed'] - bytes.pending;
judge('own bytes of one that waits', Math.round(ownBytes), AIMS.ownBytes);
judge("bytes of one that waits, beside axios-retry's", bytes['axios-heed'], bytes['axios-retry']);
console.log(
  `\naxios-heed's own share: ${ownBytes.toFixed(0)} bytes (aim: at most ${AIMS.ownBytes}, no more in all than axios-retry, one timer)`,
);

console.log('\n### Entering a held gate, and leaving it in no order\n');
console.log('| waiters | enter us | leave us | timers |\n|---|---|---|---|');
for (const count of ['1000', '10000', '100000']) {
  const run = await measure('leave', count);
  console.log(`| ${count} | ${run.enterMicros.toFixed(2)} | ${run.leaveMicros.toFixed(2)} | ${run.timers} |`);
  judge(`timers of a gate with ${count}`, run.timers, AIMS.timers);
}
console.log(
  `\n### Distinct scope keys through one client, at most 10,000 gates (aim: at most ${AIMS.scopeBytes / 1e6} MB)\n`,
);
console.log('| keys | heap grown by, MB | us each |\n|---|---|---|');
for (const count of ['10000', '100000', '1000000']) {
  const run = await measure('scopes', count);
  console.log(`| ${count} | ${(run.grownBytes / 1e6).toFixed(1)} | ${run.microsEach.toFixed(1)} |`);
  judge(`heap grown by ${count} scope keys`, run.grownBytes, AIMS.scopeBytes);
}
if (misses.length > 0) console.log(`\nMissed:\n${misses.map((miss) => `- ${miss}`).join('\n')}`);
process.exit(misses.length > 0 ? 1 : 0);
