import { bold, dim, green, red, yellow } from './colours.mjs';
import { API, LOAD } from './terms.mjs';

const STEP_MS = 250;
const LEVELS = '▁▂▃▄▅▆▇█';
const NAME_WIDTH = 11;

export function intro() {
  const { downMs, quota, breaks } = API;
  return `
  ${bold(`${LOAD.operations} GETs, one every ${LOAD.everyMs} ms, and the API is down for ${downMs / 1000} s.`)}
  Until then it answers 503 with Retry-After. Then it serves ${quota.perSecond} a second, says
  429 beyond that, and breaks down again if more than ${breaks.abovePerSecond} arrive in a second.

  ${dim(`What reaches the API, one column for ${STEP_MS / 1000} s:`)} ${red('all refused')}, ${yellow('some')}, ${green('all served')}
`;
}

/** One line over time: how many requests arrived, and whether they were served. */
export function laneOf({ name, arrivals }) {
  const steps = Math.max(...arrivals.map(stepOf)) + 1;
  const columns = Array.from({ length: steps }, (_, step) =>
    columnOf(arrivals.filter((arrival) => stepOf(arrival) === step)),
  );
  return `  ${name.padEnd(NAME_WIDTH)}  ${columns.join('')}`;
}

function stepOf({ atMs }) {
  return Math.floor(atMs / STEP_MS);
}

function columnOf(arrivals) {
  if (arrivals.length === 0) return dim('·');
  const level = Math.min(LEVELS.length - 1, Math.floor((arrivals.length / LOAD.operations) * LEVELS.length));
  const served = arrivals.filter(({ status }) => status === 200).length;
  const colour = served === 0 ? red : served < arrivals.length ? yellow : green;
  return colour(LEVELS[level]);
}

export function tableOf(runs) {
  const indent = ' '.repeat(NAME_WIDTH + 2);
  return [
    '',
    dim(`${indent}  sent  refused   succeeded  most in 0.1 s   broke the     took`),
    dim(`${indent}                             after the hold  API again`),
    ...runs.map(rowOf),
    '',
    ...runs.filter(({ succeeded }) => succeeded > 0).map(summaryOf),
    '',
  ].join('\n');
}

function summaryOf({ name, sent, succeeded }) {
  return `  ${name} sent ${(sent / succeeded).toFixed(2)} requests for each call that succeeded.`;
}

function rowOf({ name, sent, refused, succeeded, mostIn100Ms, breakdowns, tookMs }) {
  const all = succeeded === LOAD.operations;
  const cells = [
    String(sent).padStart(6),
    String(refused).padStart(9),
    (all ? green : red)(`${succeeded} of ${LOAD.operations}`.padStart(12)),
    String(mostIn100Ms || '-').padStart(15),
    (breakdowns > 0 ? `${breakdowns} x` : 'no').padStart(12),
    `${(tookMs / 1000).toFixed(1)} s`.padStart(9),
  ];
  return `  ${bold(name.padEnd(NAME_WIDTH))}${cells.join('')}`;
}

/** Where a person watches: what is under way, on a line that goes again. */
export function showProgress(name) {
  if (!process.stdout.isTTY) return () => undefined;
  const startMs = performance.now();
  const draw = () => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    process.stdout.write(`\r  ${name.padEnd(NAME_WIDTH)}  ${dim(`${seconds} s`)}`);
  };
  draw();
  const timer = setInterval(draw, 100);
  return () => {
    clearInterval(timer);
    process.stdout.write('\r\x1b[K');
  };
}
