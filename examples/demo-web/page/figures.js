import { element } from './element.js';

/** What has become of the calls of one lane, and what they cost the API. */
export class Figures {
  #list;
  #numbers = { requests: 0, refused: 0, done: 0, failed: 0 };

  constructor(lane) {
    this.#list = document.querySelector(`#${lane} .figures`);
    this.#show();
  }

  follow(call) {
    const count = (key) => () => {
      this.#numbers[key] += 1;
      this.#show();
    };
    call.then(count('done'), count('failed'));
  }

  count({ served, refused }) {
    if (served + refused === 0) return;
    this.#numbers.requests += served + refused;
    this.#numbers.refused += refused;
    this.#show();
  }

  clear() {
    for (const key of Object.keys(this.#numbers)) this.#numbers[key] = 0;
    this.#show();
  }

  #show() {
    const { requests, refused, done, failed } = this.#numbers;
    const perCall = done === 0 ? '–' : (requests / done).toFixed(2);
    const rows = [
      ['calls answered', done],
      ['failed', failed, failed > 0],
      ['refused by the API', refused, refused > done / 2],
      ['requests per answer', perCall],
    ];
    this.#list.replaceChildren(
      ...rows.map(([name, value, bad]) =>
        element('div', { className: bad ? 'bad' : '' }, [
          element('dt', {}, [name]),
          element('dd', {}, [String(value)]),
        ]),
      ),
    );
  }
}
