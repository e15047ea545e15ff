import { element } from './element.js';
import { keyedList, setText } from './keyed-list.js';

/** What tells a gate from the others here: all of them are of one origin, and there are no credentials. */
export function nameOf({ scope }) {
  return scope.find(({ by }) => by === 'route')?.label ?? 'the whole API';
}

const STATES = {
  open: ({ unproven }) =>
    unproven ? 'Calls go, but no new one has succeeded since the last hold.' : 'Calls go at once.',
  held: ({ hold }) => `Nobody goes: ${CAUSES[hold?.because] ?? hold?.because}.`,
  asking: () => 'Asks the other tabs what they know.',
  probing: () => 'One goes first, to see whether the API is back.',
  ramping: () => 'The queue goes little by little, more with every answer.',
  gliding: () => 'The queue goes at the rate that the API has been seen to take.',
};

const CAUSES = {
  hint: 'the API has said how long',
  'own-backoff': 'the API has not said how long',
  failures: 'whoever went first has failed',
  'quota-spent': 'the quota is used up',
  widened: 'several routes are limited',
  'by-hand': 'held by hand',
  store: 'another tab has been told so',
  'probe-elsewhere': 'a call of another tab goes first',
};

/** The gates as they stand. Nothing is called recovered before a new operation has succeeded. */
export function showGates(heeding) {
  const { gates } = heeding.snapshot();
  document.getElementById('no-gates').hidden = gates.length > 0;
  keyedList(document.getElementById('gates'), gates, {
    keyOf: ({ gate }) => gate,
    make: (gate) =>
      element('li', { className: 'gate' }, [
        element('h3', {}, [nameOf(gate)]),
        element('span', { className: 'state' }),
        element('span', { className: 'countdown' }),
        element('p', { className: 'meaning' }),
        element('p', { className: 'counts' }),
        element('div', { className: 'meter' }, [element('span', {})]),
      ]),
    update: showGate,
  });
}

function showGate(place, gate) {
  const { state, unproven, waiting, inFlight, perSecond } = gate;
  const part = (name) => place.querySelector(`.${name}`);
  part('state').className = `state ${state}`;
  setText(part('state'), state === 'open' && unproven ? 'open, unproven' : state);
  setText(part('meaning'), STATES[state]?.(gate) ?? '');
  const learned = perSecond === undefined ? '' : `, ${perSecond.toFixed(1)}/s learned`;
  setText(part('counts'), `${waiting} waiting, ${inFlight} under way${learned}`);
  showCountdown(place, gate);
}

// How long a hold was when it was first seen, by the element of its gate.
const holds = new WeakMap();

function showCountdown(place, { hold }) {
  const meter = place.querySelector('.meter');
  meter.classList.toggle('idle', hold === undefined);
  if (hold === undefined) {
    setText(place.querySelector('.countdown'), '');
    return;
  }
  const leftMs = Math.max(0, hold.releaseAtEpochMs - Date.now());
  const seen = holds.get(place);
  const { wholeMs } = seen?.at === hold.releaseAtEpochMs ? seen : { wholeMs: Math.max(leftMs, 1) };
  holds.set(place, { at: hold.releaseAtEpochMs, wholeMs });
  setText(place.querySelector('.countdown'), `${(leftMs / 1000).toFixed(1)} s`);
  meter.firstElementChild.style.scale = `${leftMs / wholeMs} 1`;
}
