/** The switches: they go to the API, and to both clients alike. */
export function controls({ call, startOver }) {
  const get = (id) => document.getElementById(id);
  const order = (change) => {
    void fetch('/control', { method: 'POST', body: JSON.stringify(change) });
  };
  const slider = (id, changed = () => {}) => {
    const input = get(id);
    const show = () => {
      document.querySelector(`output[for="${id}"] b`).textContent = input.value;
    };
    input.addEventListener('input', () => {
      show();
      changed(input.valueAsNumber);
    });
    return input;
  };

  const quota = slider('quota', (perSecond) => order({ perSecond }));
  const load = slider('load');
  const outage = slider('outage');
  get('burst').addEventListener('click', () => {
    for (let i = 0; i < 60; i += 1) call();
  });
  get('break').addEventListener('click', () => order({ outageMs: outage.valueAsNumber * 1000 }));
  get('reset').addEventListener('click', () => {
    order({ reset: true });
    startOver();
  });
  repeat(call, () => load.valueAsNumber);

  const state = get('api-state');
  let said = '';
  return {
    /** What the API says of itself; said aloud only when it changes. */
    showTick({ downMs, perSecond }) {
      if (document.activeElement !== quota) quota.value = String(perSecond);
      document.querySelector('output[for="quota"] b').textContent = quota.value;
      const words = downMs > 0 ? 'The API is down.' : 'The API is up.';
      if (words === said) return;
      said = words;
      state.textContent = words;
    },
  };
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
