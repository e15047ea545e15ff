const TICK_MS = 100;
const TICKS = 200;
const TICKS_PER_SECOND = 1000 / TICK_MS;
const NARROWEST_BAR = 2.5;
const MARGIN = { left: 26, right: 2, top: 10, bottom: 20 };
const TOPS = [8, 12, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800, 1000];
const COLOURS = ['served', 'refused', 'down', 'faint', 'line', 'quota'];

/** Arrivals per 100 ms over the last seconds: served below, refused on top. */
export class Chart {
  #canvas;
  #ticks = [];
  #added = 0;

  constructor(lane, repaint) {
    this.#canvas = document.querySelector(`#${lane} canvas`);
    new ResizeObserver(repaint).observe(this.#canvas);
  }

  set ticks(ticks) {
    this.#ticks = [...ticks];
    this.#describe();
  }

  add(tick) {
    this.#ticks.push(tick);
    if (this.#ticks.length > TICKS) this.#ticks.shift();
    this.#added += 1;
    if (this.#added % TICKS_PER_SECOND === 0) this.#describe();
  }

  /** The top of a scale on which the fullest tick has room. */
  get top() {
    return TOPS.find((top) => top >= this.#most) ?? this.#most;
  }

  /** Charts that are compared have one top. */
  paint(top) {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = clientWidth * devicePixelRatio;
    this.#canvas.height = clientHeight * devicePixelRatio;
    const context = this.#canvas.getContext('2d');
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = '11px system-ui, sans-serif';
    const width = clientWidth - MARGIN.left - MARGIN.right;
    const slots = Math.min(TICKS, Math.floor(width / NARROWEST_BAR));
    const ticks = this.#ticks.slice(-slots);
    const bottom = clientHeight - MARGIN.bottom;
    const barWidth = width / slots;
    const frame = {
      context,
      colours: coloursOf(this.#canvas),
      ticks,
      seconds: slots / TICKS_PER_SECOND,
      top,
      bottom,
      right: clientWidth - MARGIN.right,
      barWidth,
      xOf: (index) => MARGIN.left + (slots - ticks.length + index) * barWidth,
      yOf: (count) => bottom - (count / top) * (bottom - MARGIN.top),
    };
    paintOutages(frame);
    paintScales(frame);
    paintBars(frame);
    paintQuota(frame);
  }

  get #most() {
    return Math.max(0, ...this.#ticks.map(({ served, refused }) => served + refused));
  }

  #describe() {
    const sum = (key) => this.#ticks.reduce((total, tick) => total + tick[key], 0);
    const words = `The last 20 seconds: ${sum('served')} requests served, ${sum('refused')} refused, at most ${this.#most} in 100 ms`;
    this.#canvas.setAttribute('aria-label', words);
  }
}

function paintOutages({ context, colours, ticks, bottom, barWidth, xOf }) {
  // One path, so that neighbours show no seam.
  context.beginPath();
  for (const [index, { isDown }] of ticks.entries()) {
    if (isDown) context.rect(Math.round(xOf(index)), MARGIN.top, Math.ceil(barWidth), bottom - MARGIN.top);
  }
  context.fillStyle = colours.down;
  context.fill();
}

function paintScales({ context, colours, seconds, top, bottom, right, yOf }) {
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const count of [0, top / 2, top]) {
    context.fillStyle = colours.line;
    context.fillRect(MARGIN.left, Math.round(yOf(count)), right - MARGIN.left, 1);
    context.fillStyle = colours.faint;
    context.fillText(String(count), MARGIN.left - 6, yOf(count));
  }
  context.textBaseline = 'alphabetic';
  context.fillText('now', right, bottom + 15);
  context.textAlign = 'left';
  context.fillText(`${Math.round(seconds)} s ago`, MARGIN.left, bottom + 15);
}

function paintBars({ context, colours, ticks, bottom, barWidth, xOf, yOf }) {
  const bar = (index, { from, to, colour }) => {
    if (from === to) return;
    context.fillStyle = colour;
    // A single request is to be seen on any scale.
    const height = Math.max(2, yOf(from) - yOf(to));
    context.fillRect(xOf(index), Math.min(yOf(to), bottom - 2), Math.max(1.5, barWidth - 0.5), height);
  };
  for (const [index, { served, refused }] of ticks.entries()) {
    bar(index, { from: 0, to: served, colour: colours.served });
    bar(index, { from: served, to: served + refused, colour: colours.refused });
  }
}

function paintQuota({ context, colours, ticks, right, yOf }) {
  const quota = (ticks.at(-1)?.perSecond ?? 0) / TICKS_PER_SECOND;
  if (quota === 0) return;
  context.strokeStyle = colours.quota;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(MARGIN.left, Math.round(yOf(quota)) + 0.5);
  context.lineTo(right, Math.round(yOf(quota)) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

// Registered in the style sheet as colours, so that the browser has resolved light-dark(), which a canvas does
// not know.
function coloursOf(canvas) {
  const style = getComputedStyle(canvas);
  return Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`)]));
}
