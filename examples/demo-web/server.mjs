import http from 'node:http';
import { once } from 'node:events';
import { Lane } from './lane.mjs';

const TICK_MS = 100;
const ANSWER_MS = 60;

/**
 * Serves the page, the API of both clients (`/api/plain`, `/api/heed`), what reached it per 100 ms (`/ticks`,
 * server-sent events) and the switches (`/control`).
 */
export async function startServer({ page, port }) {
  const nowMs = () => performance.now();
  const lanes = { plain: new Lane(nowMs()), heed: new Lane(nowMs()) };
  const watchers = new Set();
  const settings = { perSecond: 10 };

  const ticking = setInterval(() => {
    const counts = Object.entries(lanes).map(([name, lane]) => [name, lane.takeTick()]);
    const tick = {
      ...Object.fromEntries(counts),
      downMs: Math.round(lanes.heed.downMs(nowMs())),
      ...settings,
    };
    for (const response of watchers) response.write(`data: ${JSON.stringify(tick)}\n\n`);
  }, TICK_MS);

  const control = ({ perSecond, outageMs, reset }) => {
    for (const lane of Object.values(lanes)) {
      if (isWithin(perSecond, 1, 100)) lane.perSecond = perSecond;
      if (isWithin(outageMs, 0, 60_000)) lane.breakDown(nowMs(), outageMs);
      if (reset === true) lane.reset(nowMs());
    }
    if (isWithin(perSecond, 1, 100)) settings.perSecond = perSecond;
  };

  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const [, area, name] = pathname.split('/');
    if (area === 'api' && Object.hasOwn(lanes, name)) {
      answer(lanes[name].answer(nowMs()), response);
    } else if (pathname === '/ticks') {
      watch(watchers, response);
    } else if (pathname === '/control' && request.method === 'POST') {
      readJson(request).then(
        (order) => {
          control(order);
          send(response, 204);
        },
        () => send(response, 400),
      );
    } else if (Object.hasOwn(page, pathname)) {
      send(response, 200, page[pathname]);
    } else send(response, 404);
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      clearInterval(ticking);
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer({ status, retryAfter }, response) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const text = JSON.stringify({ status });
  const end = () => send(response, status, { type: 'application/json', text }, headers);
  // A refusal costs a server next to nothing, an answer does.
  if (status === 200) setTimeout(end, ANSWER_MS);
  else end();
}

function send(response, status, { type, text } = { type: 'text/plain', text: '' }, headers = {}) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
  response.end(text);
}

function watch(watchers, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  watchers.add(response);
  response.on('close', () => watchers.delete(response));
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 1000) throw new Error('too long');
  }
  return JSON.parse(text);
}

function isWithin(value, least, most) {
  return typeof value === 'number' && value >= least && value <= most;
}

/** On the port, or on any other where that one is taken. */
async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    console.log(`Port ${port} is taken.`);
    await listen(server, 0);
  }
}
