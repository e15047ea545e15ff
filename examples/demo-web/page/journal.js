import { sentenceOf } from 'axios-heed/journal';
import { numberOf } from './calls.js';
import { element } from './element.js';
import { nameOf } from './gates.js';
import { keyedList, setText } from './keyed-list.js';

/** The story of the picked call, with what happened to its gates meanwhile. */
export function showJournal(heeding, records) {
  const story = records.story();
  const [first] = story;
  document.getElementById('no-story').hidden = first !== undefined;
  setText(
    document.getElementById('journal-of'),
    first === undefined ? '' : `of call ${numberOf(records.picked)}`,
  );
  const place = document.getElementById('journal');
  const isFollowed = place.scrollHeight - place.scrollTop - place.clientHeight < 8;
  const isSame = place.dataset.shown === records.picked;
  place.dataset.shown = records.picked;
  keyedList(place, story, {
    keyOf: ({ operation, n }) => `${operation ?? ''} ${n}`,
    make: (entry) =>
      element('li', { className: toneOf(entry) }, [
        element('time', {}, [secondsText(entry.monoMs - first.monoMs)]),
        element('span', {}, [shorter(sentenceOf(entry), first, heeding)]),
      ]),
    update: () => undefined,
  });
  // Whoever reads the end goes on reading it; another story begins at its beginning.
  if (!isSame) place.scrollTop = 0;
  else if (isFollowed) place.scrollTop = place.scrollHeight;
}

function toneOf({ event, status, outcome }) {
  if (event === 'observation' && status !== 200) return 'bad';
  if (event === 'probe-accepted' || outcome === 'succeeded') return 'good';
  return event.startsWith('gate-') ? 'of-gate' : '';
}

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Names of gates are long and alike for the most part; instants are told by the time at the left. */
function shorter(sentence, { origin, atEpochMs }, heeding) {
  // The longest first, because one begins like another.
  const gates = [...heeding.snapshot().gates].sort((a, b) => b.gate.length - a.gate.length);
  return gates
    .reduce((text, gate) => text.replaceAll(gate.gate, nameOf(gate)), sentence)
    .replaceAll(origin, '')
    .replace(INSTANT, (instant) => secondsText(Date.parse(instant) - atEpochMs));
}

function secondsText(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}
