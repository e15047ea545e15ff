const TICKS = 200; // 20 s of 100 ms
const LEAST_TOP = 8;

/** Arrivals per 100 ms: served below, refused on top. Charts of one `family` have one scale. */
export class Chart {
  #canvas;
  #family;
  #ticks = [];

  constructor(lane, family) {
    this.#canvas = document.querySelector(`#${lane} canvas`);
    this.#family = family;
    family.push(this);
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
  }

  add(tick) {
    this.#ticks.push(tick);
    if (this.#ticks.length > TICKS) this.#ticks.shift();
    this.#draw();
  }

  clear() {
    this.#ticks = [];
    this.#draw();
  }

  get most() {
    return Math.max(0, ...this.#ticks.map(({ served, refused }) => served + refused));
  }

  #draw() {
    const { clientWidth, clientHeight } = this.#canvas;
    const scale = devicePixelRatio;
    this.#canvas.width = clientWidth * scale;
    this.#canvas.height = clientHeight * scale;
    const context = this.#canvas.getContext('2d');
    context.scale(scale, scale);
    const top = Math.max(LEAST_TOP, ...this.#family.map(({ most }) => most));
    const [head, foot] = [16, 4];
    const height = clientHeight - head - foot;
    const width = clientWidth / TICKS;
    const bar = (at, from, count, name) => {
      if (count === 0) return;
      context.fillStyle = resolved(this.#canvas, name);
      const y = head + height - ((from + count) / top) * height;
      context.fillRect(at * width, y, Math.max(2, width - 0.5), (count / top) * height);
    };
    context.font = '11px system-ui';
    context.fillStyle = resolved(this.#canvas, 'faint');
    context.fillText(`${top} per 100 ms`, 0, 11);
    context.fillStyle = resolved(this.#canvas, 'line');
    context.fillRect(0, head + height, clientWidth, 1);
    const first = TICKS - this.#ticks.length;
    for (const [index, { served, refused }] of this.#ticks.entries()) {
      bar(first + index, 0, served, 'served');
      bar(first + index, served, refused, 'refused');
    }
    this.#describe();
  }

  #describe() {
    const sum = (key) => this.#ticks.reduce((total, tick) => total + tick[key], 0);
    const [served, refused] = [sum('served'), sum('refused')];
    this.#canvas.setAttribute(
      'aria-label',
      `The last 20 seconds: ${served} requests served, ${refused} refused, at most ${this.most} in 100 ms`,
    );
  }
}

// A canvas knows no light-dark(): the browser resolves it where it is a colour.
const probes = new WeakMap();

function resolved(canvas, name) {
  const probe = probes.get(canvas) ?? document.createElement('i');
  if (!probes.has(canvas)) {
    probe.hidden = true;
    canvas.after(probe);
    probes.set(canvas, probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
