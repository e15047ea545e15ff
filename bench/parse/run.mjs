// Reading Retry-After: ns per text, and what each reader makes of odd ones.
//   node bench/parse/run.mjs
import { retryAfter } from 'axios-retry';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { median } from '../real/figures.mjs';
import { importSource } from '../source.mjs';

const { parseHttpDate, parseRetryAfter } = await importSource(`
  export { parseHttpDate } from './lib/hint/http-date.ts';
  export { parseRetryAfter } from './lib/hint/retry-after.ts';`);
// undici keeps its reader to itself.
const undici = createRequire(import.meta.url)(
  fileURLToPath(new URL('../node_modules/undici/lib/util/date.js', import.meta.url)),
);

const NOW = Date.UTC(2026, 10, 30, 18);
const msFrom = (reading) => (reading.kind === 'unusable' ? reading.because : reading.delayMs);
/** What it reads as a wait in ms from NOW; axios-retry measures from its own now. */
const readers = {
  'axios-heed parseRetryAfter': (text) => msFrom(parseRetryAfter(text, NOW)),
  'Number or Date.parse': (text) =>
    Number.isNaN(Number(text)) ? Date.parse(text) - NOW : Number(text) * 1000,
  'axios-retry': (text) => retryAfter({ response: { headers: { 'retry-after': text } } }),
};
const dateReaders = {
  'axios-heed parseHttpDate': (text) => parseHttpDate(text, NOW),
  'Date.parse': (text) => Date.parse(text),
  undici: (text) => undici.parseHttpDate(text),
};

const dates = Array.from({ length: 512 }, (_, i) => new Date(NOW + i * 977_000));
const asctime = (date) => {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${String(Number(day)).padStart(2, ' ')} ${time} ${year}`;
};
const samples = {
  seconds: [dates.map((_, i) => String(i % 300)), readers],
  'IMF-fixdate': [dates.map((date) => date.toUTCString()), { ...readers, ...dateReaders }],
  asctime: [dates.map(asctime), dateReaders],
  nonsense: [dates.map((_, i) => `soon, in ${i} minutes or so`), { ...readers, ...dateReaders }],
};

let sink = 0;
function nsPerText(read, texts) {
  const start = process.hrtime.bigint();
  for (let pass = 0; pass < 60; pass += 1) for (const text of texts) sink += read(text) === undefined ? 1 : 2;
  return Number(process.hrtime.bigint() - start) / (60 * texts.length);
}

const jobs = Object.entries(samples).flatMap(([sample, [texts, them]]) =>
  Object.entries(them).map(([reader, read]) => ({ sample, reader, read, texts, ns: [] })),
);
for (let round = -3; round < 15; round += 1) {
  for (const { read, texts, ns } of jobs) {
    const value = nsPerText(read, texts);
    if (round >= 0) ns.push(value);
  }
}
console.log('\n### ns per text, median of 15 interleaved rounds\n\n| text | reader | ns |\n|---|---|---|');
for (const { sample, reader, ns } of jobs)
  console.log(`| ${sample} | ${reader} | ${median(ns).toFixed(0)} |`);

const odd = [
  ...['Mon, 30 Nov 2026 18:00:05 GMT', 'Monday, 30-Nov-26 18:00:05 GMT', 'Mon Nov 30 18:00:05 2026'],
  ...['Tue, 30 Nov 2026 18:00:05 GMT', 'Mon, 30 Nov 2026 18:00:05', 'Mon, 30 Nov 2026 24:00:00 GMT'],
  ...['', ' ', '5', ' 5 ', '-1', '1.5', '1e3', '0x10', '5s', 'Infinity', '5, 5', '2026-11-30', 'soon'],
];
console.log('\n### What it reads as a wait, ms at 2026-11-30T18:00:00Z\n');
console.log(`| text | ${Object.keys(readers).slice(0, 2).join(' | ')} |\n|---|---|---|`);
for (const text of odd) {
  const readings = Object.values(readers).slice(0, 2);
  console.log(`| \`${JSON.stringify(text)}\` | ${readings.map((read) => String(read(text))).join(' | ')} |`);
}

const nsOf = (reader) => median(jobs.find((job) => job.sample === 'IMF-fixdate' && job.reader === reader).ns);
const isAhead = nsOf('axios-heed parseHttpDate') < nsOf('Date.parse') && sink > 0;
if (!isAhead) console.log('\nBehind: parseHttpDate is slower than Date.parse');
process.exit(isAhead ? 0 : 1);
