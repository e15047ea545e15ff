// What axios-heed costs: per GET that goes through, and per operation that waits.
//   node bench/overhead/run.mjs [--count 100000] [--repeat 3]
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median } from '../real/figures.mjs';

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, repeat: { type: 'string', default: '3' } },
});
const execute = promisify(execFile);
const script = fileURLToPath(new URL('worker.mjs', import.meta.url));

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
  const mid = (key) => median(runs.map((run) => run[key])).toFixed(2);
  console.log(
    `| ${client} | ${mid('plainMicros')} | ${mid('clientMicros')} | ${mid('ratio')} | ${mid('bestRatio')} |`,
  );
}

console.log('\n### The journal of one GET, in CPU time (aim: at most 5 % of the operation)\n');
console.log('| without us | with us | share | with onEntry us | share |\n|---|---|---|---|---|');
const journals = [];
for (let i = 0; i < Number(options.repeat); i += 1) journals.push(await measure('journal'));
const [without, withJournal, withListener] = ['none', 'journal', 'onEntry'].map((key) =>
  median(journals.map((run) => run[key])),
);
const share = (micros) => `${((micros / without - 1) * 100).toFixed(1)} %`;
console.log(
  `| ${without.toFixed(2)} | ${withJournal.toFixed(2)} | ${share(withJournal)} | ${withListener.toFixed(2)} | ${share(withListener)} |`,
);

console.log(`\n### ${options.count} operations that wait (axios-retry and axios-heed for a hint of 120 s)\n`);
console.log('| client | heap bytes each | timers | sent | settled |\n|---|---|---|---|---|');
const bytes = {};
for (const client of ['pending', 'axios-retry', 'axios-heed']) {
  const run = await measure('held', client, options.count);
  bytes[client] = run.bytes;
  console.log(`| ${client} | ${run.bytes.toFixed(0)} | ${run.timers} | ${run.sent} | ${run.settled} |`);
}
const ownBytes = bytes['axios-heed'] - bytes.pending;
const isLight = bytes['axios-heed'] <= bytes['axios-retry'] && ownBytes <= 1500;
console.log(
  `\naxios-heed's own share: ${ownBytes.toFixed(0)} bytes (aim: at most 1500, and no more in all than axios-retry)`,
);

console.log('\n### Entering a held gate, and leaving it in no order\n');
console.log('| waiters | enter us | leave us | timers |\n|---|---|---|---|');
for (const count of ['1000', '10000', '100000']) {
  const run = await measure('leave', count);
  console.log(`| ${count} | ${run.enterMicros.toFixed(2)} | ${run.leaveMicros.toFixed(2)} | ${run.timers} |`);
}
console.log('\n### Distinct scope keys through one client, at most 10,000 gates\n');
console.log('| keys | heap grown by, MB | us each |\n|---|---|---|');
for (const count of ['10000', '100000', '1000000']) {
  const run = await measure('scopes', count);
  console.log(`| ${count} | ${(run.grownBytes / 1e6).toFixed(1)} | ${run.microsEach.toFixed(1)} |`);
}
process.exit(isLight ? 0 : 1);
