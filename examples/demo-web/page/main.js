import { showCalls } from './calls.js';
import { Chart } from './chart.js';
import { attach, heeding, plain, watched } from './clients.js';
import { controls } from './controls.js';
import { Figures } from './figures.js';
import { showGates, showSentence } from './gates.js';
import { showJournal } from './journal.js';
import { records } from './records.js';
import { countTabs } from './tabs.js';

const charts = [];
const lanes = {
  plain: { figures: new Figures('plain'), chart: new Chart('plain', charts), api: plain },
  heed: { figures: new Figures('heed'), chart: new Chart('heed', charts), api: watched },
};

const call = () => {
  for (const { api, figures } of Object.values(lanes)) figures.follow(api.get('/items'));
};

attach();
countTabs();
const { showTick } = controls({
  call,
  startOver: () => {
    for (const { figures, chart } of Object.values(lanes)) {
      figures.clear();
      chart.clear();
    }
    records.clear();
    show();
  },
});

const show = () => {
  showGates(heeding);
  showCalls(heeding);
  showJournal(heeding);
};
heeding.subscribe(show);
records.onChange = show;

const ticks = new EventSource('/ticks');
ticks.addEventListener('message', ({ data }) => {
  const tick = JSON.parse(data);
  for (const [name, { figures, chart }] of Object.entries(lanes)) {
    figures.count(tick[name]);
    chart.add(tick[name]);
  }
  showTick(tick);
  // A countdown runs while nothing else changes.
  showSentence(heeding);
});
