import { setText } from './keyed-list.js';
import { say } from './say.js';

const BURST = 60;

const get = (id) => document.getElementById(id);
const order = (change) => fetch('/control', { method: 'POST', body: JSON.stringify(change) });

/** The switches. The API's are those of both clients, and of all tabs. */
export function controls(call) {
  const load = slider('load');
  const outage = slider('outage');
  slider('quota').addEventListener('input', ({ target }) => order({ perSecond: target.valueAsNumber }));

  const burst = () => {
    for (let i = 0; i < BURST; i += 1) call();
    say(`${BURST} calls sent.`);
  };
  const breakDown = () => order({ outageMs: outage.valueAsNumber * 1000 });
  get('play').addEventListener('click', () => breakDown().then(burst));
  get('burst').addEventListener('click', burst);
  get('break').addEventListener('click', breakDown);
  get('reset').addEventListener('click', () => order({ reset: true }));
  repeat(call, () => load.valueAsNumber);
}

function slider(id) {
  const input = get(id);
  input.addEventListener('input', () => showValue(input));
  // A page that is loaded again may keep where it was.
  showValue(input);
  return input;
}

function showValue({ id, value }) {
  setText(document.querySelector(`output[for="${id}"] b`), value);
}

/** What the API says of itself. */
export function showApi({ downMs, perSecond }) {
  const quota = get('quota');
  if (document.activeElement !== quota) quota.value = String(perSecond);
  showValue(quota);
  const isDown = downMs > 0;
  showState(isDown ? 'down' : 'up', isDown ? 'The API is down' : 'The API is up');
  setText(get('down-for'), isDown ? `for ${(downMs / 1000).toFixed(1)} s` : '');
}

export function showLost() {
  showState('lost', 'The demo has ended: start it again');
  setText(get('down-for'), '');
}

function showState(state, words) {
  const place = get('api-state');
  if (place.textContent === words) return;
  place.textContent = words;
  place.parentElement.dataset.state = state;
  say(`${words}.`);
}

/** Calls at a rate that may change at any time; 0 is none. */
function repeat(call, perSecond) {
  let owed = 0;
  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    owed += ((now - before) / 1000) * perSecond();
    before = now;
    // A tab in the background is woken rarely, and must not make up for it.
    for (owed = Math.min(owed, 5); owed >= 1; owed -= 1) call();
  }, 50);
}
