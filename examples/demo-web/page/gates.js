import { describeHold } from 'axios-heed/describe';
import { element } from './element.js';

/** What tells a gate from the others here: all of them are of one origin, and there are no credentials. */
export function nameOf({ scope }) {
  return scope.find(({ by }) => by === 'route')?.label ?? 'all routes together';
}

const COLUMNS = ['gate', 'state', 'waiting', 'under way', 'learned'];

/** The gates as they stand. Nothing is called recovered before a new operation has succeeded. */
export function showGates(heeding) {
  const { gates } = heeding.snapshot();
  const place = document.getElementById('gates');
  if (gates.length === 0) {
    place.replaceChildren(element('p', { className: 'empty' }, ['No call has been made yet.']));
    return;
  }
  const rows = gates.map(({ scope, state, unproven, waiting, inFlight, perSecond }) =>
    element('tr', {}, [
      element('td', {}, [nameOf({ scope })]),
      element('td', {}, [
        element('span', { className: `state ${state} ${unproven ? '' : 'proven'}` }, [
          state === 'open' && unproven ? 'open, unproven' : state,
        ]),
      ]),
      ...[waiting, inFlight, perSecond === undefined ? '–' : `${perSecond.toFixed(1)}/s`].map((value) =>
        element('td', {}, [String(value)]),
      ),
    ]),
  );
  const head = element(
    'tr',
    {},
    COLUMNS.map((name) => element('th', { scope: 'col' }, [name])),
  );
  place.replaceChildren(element('table', {}, [element('thead', {}, [head]), element('tbody', {}, rows)]));
}

/** The one line for a person who waits; a screen reader hears the stages, not every second. */
export function showSentence(heeding) {
  const described = describeHold(heeding.snapshot());
  const place = document.getElementById('sentence');
  const words = described?.sentence ?? '';
  if (place.textContent === words) return;
  const stage = described?.stage ?? 'none';
  place.setAttribute('aria-live', place.dataset.stage === stage ? 'off' : 'polite');
  place.dataset.stage = stage;
  place.textContent = words;
}
