import { setText } from './keyed-list.js';

/** What the calls of all tabs have cost the API, through one client. */
export class Figures {
  #places;
  #refused;

  constructor(lane) {
    const figures = document.querySelector(`#${lane} .figures`);
    this.#places = Object.fromEntries(
      [...figures.querySelectorAll('dd')].map((place) => [place.dataset.figure, place]),
    );
    this.#refused = this.#places.refused.parentElement;
  }

  show({ served, refused, most }) {
    const perServed = served === 0 ? '–' : ((served + refused) / served).toFixed(2);
    for (const [name, value] of Object.entries({ served, refused, perServed, most })) {
      setText(this.#places[name], String(value));
    }
    this.#refused.classList.toggle('bad', refused > Math.max(10, served / 2));
  }
}
