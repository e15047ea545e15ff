import { element } from './element.js';
import { keyedList, setText } from './keyed-list.js';
import { say } from './say.js';

const MOST_WAITING = 40;

/** The name of an operation without the part that is the same for all of them. */
export function numberOf(operation) {
  return operation.split('-').at(-1);
}

/** The calls that wait, in the order in which they go, and those that have ended; `pick` shows a journal. */
export class Calls {
  #panel = document.getElementById('calls');
  #waiting = document.getElementById('waiting');
  #ended = document.getElementById('ended');
  #cancelAll = document.getElementById('cancel-all');
  #pick;
  #heeding;

  constructor(pick) {
    this.#pick = pick;
    this.#cancelAll.addEventListener('click', () => this.#cancelThemAll());
    this.#panel.addEventListener('keydown', (event) => this.#move(event));
  }

  show(heeding, { picked, ended }) {
    this.#heeding = heeding;
    const waiting = heeding.waiting();
    const focusedKey = document.activeElement?.closest('.call')?.dataset.key;
    const parts = {
      keyOf: ({ operation }) => operation,
      make: () => this.#makeRow(),
      update: (row, one) => showRow(row, { one, isPicked: one.operation === picked }),
    };
    keyedList(this.#waiting, waiting.slice(0, MOST_WAITING), parts);
    keyedList(this.#ended, ended, parts);
    setText(document.getElementById('more-waiting'), moreWords(waiting.length - MOST_WAITING));
    setText(document.getElementById('waiting-count'), String(waiting.length));
    // Not disabled: it would lose the focus of whoever has just pressed it.
    this.#cancelAll.setAttribute('aria-disabled', String(waiting.length === 0));
    document.getElementById('no-calls').hidden = waiting.length + ended.length > 0;
    this.#keepFocus(focusedKey);
  }

  #makeRow() {
    const pick = element('button', { type: 'button', className: 'pick' }, [
      element('b', {}),
      element('span', {}),
    ]);
    const cancel = element('button', { type: 'button', className: 'cancel' }, ['Cancel']);
    const row = element('li', { className: 'call' }, [pick, cancel]);
    pick.addEventListener('click', () => this.#pick(row.dataset.key));
    cancel.addEventListener('click', () => this.#cancel(row));
    return row;
  }

  #cancel(row) {
    const next = row.nextElementSibling?.querySelector('.cancel') ?? this.#cancelAll;
    const waiting = this.#heeding.waiting().find(({ operation }) => operation === row.dataset.key);
    waiting?.cancel();
    next.focus();
    say(`Call ${numberOf(row.dataset.key)} cancelled.`);
  }

  #cancelThemAll() {
    const waiting = this.#heeding?.waiting() ?? [];
    for (const one of waiting) one.cancel();
    if (waiting.length > 0) say(`${waiting.length} calls cancelled.`);
  }

  // One stop for Tab, or whoever has no mouse would pass eighty buttons; the arrows go from call to call.
  #keepFocus(focusedKey) {
    const rows = this.#rows();
    const isLost = focusedKey !== undefined && !this.#panel.contains(document.activeElement);
    const focused = rows.find(({ dataset }) => dataset.key === focusedKey);
    if (isLost) focused?.querySelector('.pick').focus({ preventScroll: true });
    const stop = focused ?? rows.find((row) => row.querySelector('[aria-pressed="true"]')) ?? rows[0];
    for (const row of rows) {
      for (const button of row.children) button.tabIndex = row === stop ? 0 : -1;
    }
  }

  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest('.call');
    if (step === undefined || row === null) return;
    event.preventDefault();
    const rows = this.#rows();
    const next = rows[rows.indexOf(row) + step];
    if (next === undefined) return;
    const cancel = event.target.matches('.cancel') ? next.querySelector('.cancel:not([hidden])') : null;
    (cancel ?? next.querySelector('.pick')).focus();
    this.#keepFocus(next.dataset.key);
  }

  #rows() {
    return [...this.#panel.querySelectorAll('.call')];
  }
}

function showRow(row, { one, isPicked }) {
  const [pick, cancel] = row.children;
  const [name, words] = pick.children;
  const number = numberOf(one.operation);
  row.classList.toggle('failed', one.outcome !== undefined && one.outcome !== 'succeeded');
  row.classList.toggle('succeeded', one.outcome === 'succeeded');
  setText(name, `Call ${number}`);
  setText(words, one.outcome === undefined ? waitingWords(one) : endedWords(one));
  pick.setAttribute('aria-pressed', String(isPicked));
  cancel.setAttribute('aria-label', `Cancel call ${number}`);
  cancel.hidden = one.outcome !== undefined;
}

function waitingWords({ ahead }) {
  return ahead === 0 ? 'goes next' : `${ahead} before it`;
}

function endedWords({ outcome, because, exchanges, tookMs }) {
  const times = exchanges === 1 ? '1 request' : `${exchanges} requests`;
  const how = outcome === 'succeeded' ? 'answered' : (because ?? outcome);
  return `${how}, ${times}, ${(tookMs / 1000).toFixed(1)} s`;
}

function moreWords(count) {
  return count > 0 ? `and ${count} more` : '';
}
