import type { Terminal } from './terminal.js';

/**
 * The one way to the terminal. What a file or a command line has in it may be anything: controls and what turns
 * the direction of writing are shown as escapes, and a line ends somewhere.
 */
export class Screen {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Lines of text. */
  write(text: string): Promise<void> {
    return this.#terminal.write(inLines(text));
  }

  /** One line of JSON. It is not cut, for then it would be none: the texts in it are. */
  writeData(data: object): Promise<void> {
    return this.#terminal.write(`${visible(JSON.stringify(data, shortened))}\n`);
  }

  /** One line, whatever is in the message, and the advice below it. */
  complain(message: string, ...advice: readonly string[]): void {
    const line = `axios-heed: ${message.replaceAll('\n', escaped)}`;
    this.#terminal.complain(inLines([line, ...advice, ''].join('\n')));
  }
}

function inLines(text: string): string {
  return visible(text).split('\n').map(cut).join('\n');
}

function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** As JSON writes it, so that it says the same where the text is JSON. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Its middle is left out: what matters stands at the beginning, and why in a complaint at the end. */
function cut(line: string): string {
  const left = line.length - HEAD_CHARS - TAIL_CHARS;
  if (line.length <= MOST_LINE_CHARS) return line;
  const said = ` [... ${left.toLocaleString('en-US')} characters ...] `;
  return line.slice(0, HEAD_CHARS) + said + line.slice(-TAIL_CHARS);
}

// The longest line of our own has a sentence of 500, and who and when.
const MOST_LINE_CHARS = 1000;
const HEAD_CHARS = 700;
const TAIL_CHARS = 200;

function shortened(_: string, value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > MOST_TEXT_CHARS;
  return isLong ? `${value.slice(0, MOST_TEXT_CHARS - 3)}...` : value;
}

const MOST_TEXT_CHARS = 500;
