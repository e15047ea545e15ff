// The limiting server, a process of its own on 127.0.0.1. It talks to its parent by messages:
//   { begin: { route: spec } }   makes the models, marks time zero, forgets what it saw; answers { zeroMs }
//   { report: true }             answers { requests, collapses, holdEndMs }
// and ends when the parent goes away.
import http from 'node:http';
import { now } from './instant.mjs';
import { modelOf } from './models.mjs';

let zeroMs = now();
let routes = new Map();
let requests = [];

function begin(specs) {
  zeroMs = now();
  requests = [];
  routes = new Map(
    Object.entries(specs).map(([name, spec]) => [name, { spec, models: new Map(), collapses: 0 }]),
  );
  return { zeroMs };
}

function report() {
  const collapses = [...routes.values()]
    .flatMap(({ models }) => [...models.values()])
    .reduce((sum, model) => sum + model.collapses(), 0);
  return { requests, collapses };
}

/** One model per route, or per route and token. */
function modelFor(route, token) {
  const key = route.spec.perToken ? token : '';
  const known = route.models.get(key);
  if (known) return known;
  const model = modelOf(route.spec);
  route.models.set(key, model);
  return model;
}

function serve(request, response) {
  const arrivedMs = now();
  const url = new URL(request.url, 'http://127.0.0.1');
  const routeName = url.pathname.slice(1);
  const route = routes.get(routeName);
  if (!route) return respond(response, { status: 404, headers: {} });
  const token = (request.headers.authorization ?? '').replace('Bearer ', '');
  const model = modelFor(route, token);
  const entry = { operation: url.searchParams.get('op'), route: routeName, arrivedMs };
  requests.push(entry);
  const admission = model.admit(arrivedMs - zeroMs);
  const end = (final) => {
    if (response.destroyed) return; // the client has gone
    const answer = model.answerTo(final, now());
    Object.assign(entry, { answeredMs: now(), status: answer.status, hintMs: answer.hintMs });
    respond(response, answer);
  };
  if (admission.kind === 'rejected' || admission.serviceMs === 0) end(admission);
  else setTimeout(() => end(model.finish(admission, now() - zeroMs)), admission.serviceMs);
}

function respond(response, { status, headers }) {
  const body = JSON.stringify({ status });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

process.on('message', (message) => {
  process.send(message.begin ? begin(message.begin) : report());
});
process.on('disconnect', () => process.exit(0));

const server = http.createServer({ keepAliveTimeout: 60_000 }, serve);
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  process.send({ port: server.address().port });
});
