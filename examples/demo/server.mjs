// The demo's API: a process of its own on 127.0.0.1 that counts what reaches it.
// Its parent sends 'begin' (a fresh start, time zero) and 'report'; without its parent it ends.
import http from 'node:http';
import { API } from './terms.mjs';

let zeroMs = performance.now();
let arrivals = [];
let quota = { tokens: API.quota.tokens, filledAtMs: 0 };
let downUntilMs = API.downMs;
let breakdowns = 0;

const nowMs = () => performance.now() - zeroMs;

function begin() {
  zeroMs = performance.now();
  arrivals = [];
  quota = { tokens: API.quota.tokens, filledAtMs: 0 };
  downUntilMs = API.downMs;
  breakdowns = 0;
  return {};
}

/** 200, 429 or 503, and for a refusal the time until it makes sense to ask again. */
function answerAt(atMs) {
  if (atMs < downUntilMs) return { status: 503, waitMs: downUntilMs - atMs };
  if (isOverrunAt(atMs)) {
    breakdowns += 1;
    downUntilMs = atMs + API.breaks.downMs;
    return { status: 503, waitMs: API.breaks.downMs };
  }
  return takeTokenAt(atMs);
}

function isOverrunAt(atMs) {
  const sinceMs = Math.max(downUntilMs, atMs - 1000);
  return arrivals.filter((arrival) => arrival.atMs >= sinceMs).length > API.breaks.abovePerSecond;
}

function takeTokenAt(atMs) {
  const { tokens: most, perSecond } = API.quota;
  const tokens = Math.min(most, quota.tokens + ((atMs - quota.filledAtMs) / 1000) * perSecond);
  quota = { tokens: tokens < 1 ? tokens : tokens - 1, filledAtMs: atMs };
  return tokens < 1 ? { status: 429, waitMs: ((1 - tokens) / perSecond) * 1000 } : { status: 200 };
}

function serve(request, response) {
  if (request.url === '/health') return respond(response, { status: 200 });
  const arrival = { atMs: nowMs(), status: 0 };
  arrivals.push(arrival);
  const answer = answerAt(arrival.atMs);
  const end = (final) => {
    arrival.status = final.status;
    respond(response, final);
  };
  if (answer.status !== 200) return end(answer);
  const breakdownsBefore = breakdowns;
  // What is in work when the API breaks down is lost.
  setTimeout(() => {
    end(breakdowns === breakdownsBefore ? answer : { status: 503, waitMs: downUntilMs - nowMs() });
  }, API.answerMs);
}

function respond(response, { status, waitMs }) {
  const headers = { 'content-type': 'application/json' };
  if (waitMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(waitMs / 1000)));
  response.writeHead(status, headers);
  response.end(JSON.stringify({ status }));
}

process.on('message', (order) => {
  process.send(order === 'begin' ? begin() : { arrivals, breakdowns });
});
process.on('disconnect', () => process.exit(0));

const server = http.createServer({ keepAliveTimeout: 60_000 }, serve);
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
