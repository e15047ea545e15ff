import http from 'node:http';
import { startApi } from './api.mjs';
import { Broadcast } from './broadcast.mjs';
import { Lane } from './lane.mjs';
import { listen, send } from './listen.mjs';

const TICK_MS = 100;
const SHOWN_TICKS = 200;

/**
 * Serves the page, what reached the two APIs per 100 ms (`/ticks`, server-sent events) and the switches
 * (`/control`). Each client has an API of its own, on a port of its own.
 */
export async function startServer({ page, port }) {
  const pages = new Broadcast(SHOWN_TICKS);
  const api = await startLanes(pages);
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (Object.hasOwn(page, pathname)) send(response, 200, page[pathname]);
    else if (pathname === '/ticks') pages.add(response);
    else if (pathname === '/control' && request.method === 'POST') void obey(request, response, api.order);
    else send(response, 404);
  });
  const { url, close } = await listen(server, port).catch((error) => {
    api.close();
    throw error;
  });
  return {
    url: `${url}/`,
    close: () => {
      close();
      api.close();
    },
  };
}

/** Both APIs, their common switches, and the clock by which the pages hear of them. */
async function startLanes(pages) {
  const nowMs = () => performance.now();
  let perSecond = 10;
  let lanes;
  const each = (act) => Object.values(lanes).forEach(act);
  const servers = await Promise.all(
    ['plain', 'heed'].map((name) => startApi(() => lanes[name].answer(nowMs()))),
  );
  const [plain, heed] = servers.map(({ url }) => url);

  const begin = () => {
    lanes = { plain: new Lane(nowMs()), heed: new Lane(nowMs()) };
    each((lane) => (lane.perSecond = perSecond));
    // A name that no earlier round has had, even of a server before this one.
    pages.begin({ round: `${process.pid}-${Math.round(nowMs())}`, apis: { plain, heed } });
  };
  begin();

  const ticking = setInterval(() => {
    const downMs = lanes.heed.downMs(nowMs());
    pages.tick({ plain: lanes.plain.takeTick(), heed: lanes.heed.takeTick(), downMs, perSecond });
  }, TICK_MS);

  return {
    order: (given) => {
      if (given.reset === true) begin();
      if (isWithin(given.outageMs, 0, 60_000)) each((lane) => lane.breakDown(nowMs(), given.outageMs));
      if (isWithin(given.perSecond, 1, 100)) {
        perSecond = given.perSecond;
        each((lane) => (lane.perSecond = perSecond));
      }
    },
    close: () => {
      clearInterval(ticking);
      for (const { close } of servers) close();
    },
  };
}

async function obey(request, response, order) {
  try {
    order(await readJson(request));
    send(response, 204);
  } catch {
    send(response, 400);
  }
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
