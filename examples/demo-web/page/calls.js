import { element } from './element.js';
import { records } from './records.js';

const MOST_SHOWN = 60;

/** Those that wait, in the order in which they go, each with a way out; then those that have ended. */
export function showCalls(heeding) {
  const waiting = heeding.waiting();
  const cancelAll = document.getElementById('cancel-all');
  cancelAll.disabled = waiting.length === 0;
  cancelAll.onclick = () => {
    for (const one of heeding.waiting()) one.cancel();
  };
  const rows = [
    ...waiting.map((one) => waitingRow(one)),
    ...records.ended().map((entry) => endedRow(entry)),
  ].slice(0, MOST_SHOWN);
  const place = document.getElementById('calls');
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(
    ...(rows.length > 0 ? rows : [element('li', { className: 'empty' }, ['Send some calls.'])]),
  );
  // The rows are new; whoever works with the keyboard stays where he was.
  if (focused !== undefined) place.querySelector(`[data-key="${focused}"]`)?.focus();
}

function waitingRow({ operation, ahead, cancel }) {
  const words = ahead === 0 ? 'waits, goes next' : `waits, ${ahead} go first`;
  return element('li', {}, [pickButton(operation, words), cancelButton(operation, cancel)]);
}

function endedRow({ operation, outcome, because, exchanges, tookMs }) {
  const times = exchanges === 1 ? 'one exchange' : `${exchanges} exchanges`;
  const why = because === undefined ? '' : `: ${because}`;
  return element('li', {}, [
    pickButton(operation, `${outcome}${why}, ${times}, ${(tookMs / 1000).toFixed(1)} s`),
  ]);
}

function pickButton(operation, words) {
  const button = element('button', { type: 'button', className: 'pick' }, [
    `${operation} `,
    element('span', {}, [words]),
  ]);
  button.dataset.key = `pick-${operation}`;
  button.setAttribute('aria-pressed', String(records.picked === operation));
  button.addEventListener('click', () => records.pick(operation));
  return button;
}

function cancelButton(operation, cancel) {
  const button = element('button', { type: 'button', className: 'cancel quiet' }, ['Cancel']);
  button.dataset.key = `cancel-${operation}`;
  button.setAttribute('aria-label', `Cancel ${operation}`);
  button.addEventListener('click', () => cancel());
  return button;
}
