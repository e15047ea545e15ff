/** A question to several: answered by the first who knows something, or when all have said that they do not. */
export class Question {
  readonly answered: Promise<void>;
  /** Who has answered. */
  readonly heard: Set<string> = new Set();
  readonly #asked: number;
  #settle: () => void = () => undefined;

  constructor(asked: number) {
    this.#asked = asked;
    this.answered = new Promise((settle) => {
      this.#settle = settle;
    });
  }

  hear(from: string, what: 'something' | 'nothing'): void {
    this.heard.add(from);
    if (what === 'something' || this.heard.size >= this.#asked) this.#settle();
  }
}
