import { sentenceOf } from 'axios-heed/journal';
import { element } from './element.js';
import { nameOf } from './gates.js';
import { records } from './records.js';

/** The story of the picked call, with what happened to its gates meanwhile. */
export function showJournal(heeding) {
  const { picked } = records;
  const story = picked === undefined ? [] : records.storyOf(picked);
  const place = document.getElementById('journal');
  document.getElementById('journal-of').textContent =
    picked === undefined ? 'of the call that you pick' : `of ${picked}`;
  if (place.dataset.shown === `${picked} ${story.length}`) return;
  place.dataset.shown = `${picked} ${story.length}`;
  const [first] = story;
  place.replaceChildren(
    ...story.map((entry) =>
      element('li', { className: entry.event.startsWith('gate-') ? 'gate' : '' }, [
        element('time', {}, [`${((entry.monoMs - first.monoMs) / 1000).toFixed(3)} s`]),
        element('span', {}, [shorter(sentenceOf(entry), heeding)]),
      ]),
    ),
  );
}

/** The full names of gates are long, and alike for the most part; the longest first, because one begins like another. */
function shorter(sentence, heeding) {
  const gates = [...heeding.snapshot().gates].sort((a, b) => b.gate.length - a.gate.length);
  return gates.reduce((text, gate) => text.replaceAll(gate.gate, nameOf(gate)), sentence);
}
