import { Calls } from './calls.js';
import { controls, showApi, showLost } from './controls.js';
import { showGates } from './gates.js';
import { showJournal } from './journal.js';
import { Lane, sentenceFor } from './lane.js';
import { painter } from './painter.js';
import { Records } from './records.js';
import { startRound } from './round.js';
import { countTabs } from './tabs.js';
import { Tally } from './tally.js';

const PLAIN_WAITS = 'The others come back each by a timer of its own';
const TICKS_PER_SECOND = 10;

const repaintCharts = painter(paintCharts);
const repaint = painter(paint);
const lanes = { plain: new Lane('plain', repaintCharts), heed: new Lane('heed', repaintCharts) };
const calls = new Calls((operation) => {
  records.picked = operation;
  repaint();
});
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let records = new Records();
let round;
let ticked = 0;

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaintCharts);
countTabs();
controls(call);
const ticks = new EventSource('/ticks');
ticks.addEventListener('round', ({ data }) => begin(JSON.parse(data)));
ticks.addEventListener('tick', ({ data }) => tick(JSON.parse(data)));
ticks.addEventListener('error', showLost);

/** One call through each client. */
function call() {
  if (round === undefined) return;
  for (const [name, { tally }] of Object.entries(lanes)) {
    const sent = round.send[name]();
    tally.follow(sent);
    sent.then(repaint, repaint);
  }
  repaint();
}

/** Of everything, unless only the connection was lost meanwhile. */
function begin(told) {
  for (const [name, { chart }] of Object.entries(lanes)) {
    chart.ticks = told.ticks.map((one) => shownTick(name, one));
  }
  if (told.round === round?.name) return;
  round?.end();
  const written = new Records();
  records = written;
  for (const lane of Object.values(lanes)) lane.tally = new Tally();
  // What the round before still writes goes to its own records.
  round = startRound(told, (entry) => {
    written.add(entry);
    repaint();
  });
  round.heeding.subscribe(repaint);
  document.body.dataset.round = round.name;
  repaint();
}

function tick(told) {
  for (const [name, { chart, figures }] of Object.entries(lanes)) {
    chart.add(shownTick(name, told));
    figures.show(told[name].totals);
  }
  showApi(told);
  ticked += 1;
  if (!calm.matches || ticked % TICKS_PER_SECOND === 0) repaintCharts();
  // Countdowns run while nothing else changes.
  if (round.heeding.snapshot().gates.some(({ hold }) => hold !== undefined)) repaint();
}

function shownTick(name, { downMs, perSecond, ...told }) {
  return { ...told[name], isDown: downMs > 0, perSecond };
}

function paint() {
  if (round === undefined) return;
  const { heeding } = round;
  showGates(heeding);
  calls.show(heeding, records);
  showJournal(heeding, records);
  lanes.plain.showStatus(PLAIN_WAITS);
  lanes.heed.showStatus(sentenceFor(heeding));
}

function paintCharts() {
  const charts = Object.values(lanes).map(({ chart }) => chart);
  const top = Math.max(...charts.map((chart) => chart.top));
  for (const chart of charts) chart.paint(top);
}
