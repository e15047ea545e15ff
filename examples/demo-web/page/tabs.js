/** How many tabs of this page are open: each holds the same lock in shared mode. */
export function countTabs() {
  if (navigator.locks === undefined) return;
  const name = 'axios-heed-demo-tab';
  void navigator.locks.request(name, { mode: 'shared' }, () => new Promise(() => {}));
  const place = document.getElementById('tabs');
  setInterval(async () => {
    const { held } = await navigator.locks.query();
    const tabs = held.filter((lock) => lock.name === name).length;
    const words = tabs > 1 ? `${tabs} tabs share them` : '';
    if (place.textContent !== words) place.textContent = words;
  }, 1000);
}
