import { setText } from './keyed-list.js';
import { say } from './say.js';

const LOCK = 'axios-heed-demo-tab';
const ASKED_EVERY_MS = 1000;

/** How many tabs of this page are open: each holds the same lock in shared mode. */
export function countTabs() {
  if (navigator.locks === undefined) return;
  void navigator.locks.request(LOCK, { mode: 'shared' }, () => new Promise(() => {}));
  const place = document.getElementById('tabs');
  const show = async () => {
    const { held } = await navigator.locks.query();
    const tabs = held.filter(({ name }) => name === LOCK).length;
    const words = tabs > 1 ? `${tabs} tabs share these gates` : 'only this tab';
    if (tabs > 1 && place.textContent !== words) say(`${words}.`);
    setText(place, words);
    place.classList.toggle('shared', tabs > 1);
  };
  void show();
  setInterval(show, ASKED_EVERY_MS);
}
