import { describeHold } from 'axios-heed/describe';
import { Chart } from './chart.js';
import { Figures } from './figures.js';
import { setText } from './keyed-list.js';
import { say } from './say.js';
import { Tally } from './tally.js';

/** One client's side of the page: what it did to the API, and how far the calls of this tab are. */
export class Lane {
  tally = new Tally();
  chart;
  figures;
  #status;
  #meter;

  constructor(name, repaint) {
    this.chart = new Chart(name, repaint);
    this.figures = new Figures(name);
    this.#status = document.querySelector(`#${name} .status`);
    this.#meter = document.querySelector(`#${name} .meter span`);
  }

  /** `waits`: what to say of the calls that have not been answered. */
  showStatus(waits) {
    const { pending, words, share } = this.tally;
    const more = pending > 0 && waits !== undefined ? `. ${waits}` : '';
    setText(this.#status, `${words}${more}`);
    this.#meter.style.scale = `${share} 1`;
  }
}

let spokenStage;

/** The one line for a person who waits. Listeners hear its stages, not every second. */
export function sentenceFor(heeding) {
  const described = describeHold(heeding.snapshot());
  if (described?.stage !== spokenStage) {
    spokenStage = described?.stage;
    say(described?.sentence ?? 'Nobody waits any more.');
  }
  return described?.sentence;
}
