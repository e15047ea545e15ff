/** Tells every open page what happens, by server-sent events; a page that comes later is told the last of it. */
export class Broadcast {
  #pages = new Set();
  #round;
  #ticks = [];
  #mostTicks;

  /** `mostTicks`: how many a page can show. */
  constructor(mostTicks) {
    this.#mostTicks = mostTicks;
  }

  /** A fresh start, for everybody. */
  begin(round) {
    this.#round = round;
    this.#ticks = [];
    this.#tell('round', { ...round, ticks: [] });
  }

  tick(tick) {
    this.#ticks.push(tick);
    if (this.#ticks.length > this.#mostTicks) this.#ticks.shift();
    this.#tell('tick', tick);
  }

  add(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(messageOf('round', { ...this.#round, ticks: this.#ticks }));
    this.#pages.add(response);
    response.on('close', () => this.#pages.delete(response));
  }

  #tell(event, data) {
    const message = messageOf(event, data);
    for (const response of this.#pages) response.write(message);
  }
}

function messageOf(event, data) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
