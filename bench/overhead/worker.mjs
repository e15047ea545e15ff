// One measurement in a fresh process; prints one line of JSON.
//   node --expose-gc worker.mjs happy CLIENT            one GET after the other on a stub adapter
//   node --expose-gc worker.mjs journal TURN         the same with a journal, with a listener, and with neither
//   node --expose-gc worker.mjs held CLIENT COUNT       memory of operations that wait
//   node --expose-gc worker.mjs leave COUNT             time to take one waiter out of a gate's queue
//   node --expose-gc worker.mjs scopes COUNT            memory after as many distinct scope keys
import axios from 'axios';
import { createHeld } from './held-clients.mjs';
import { importSource } from '../source.mjs';
import { clients } from '../real/clients.mjs';
import { median } from '../real/figures.mjs';
import { sleep } from '../real/instant.mjs';
import { answersWith } from './stubs.mjs';

const WORLD = { baseURL: 'http://127.0.0.1:1', deadlineMs: 1_000_000 };
const ROUNDS = 15;
const ROUND_MS = 100;

async function microsPerCall(client, calls) {
  const startMs = performance.now();
  for (let i = 0; i < calls; i += 1) await client.get('/open', 't');
  return ((performance.now() - startMs) * 1000) / calls;
}

/** Warm, then as many calls as fill a round. */
async function warmCalls(client) {
  const endMs = performance.now() + 4 * ROUND_MS;
  let micros = await microsPerCall(client, 20);
  while (performance.now() < endMs) micros = await microsPerCall(client, 100);
  return Math.max(20, Math.round((ROUND_MS * 1000) / micros));
}

/** Interleaved with bare axios, so that what else the machine does falls on both. */
async function happy(name) {
  const subjects = [];
  for (const each of ['axios', name]) {
    const client = await clients[each]({ ...WORLD, adapter: answersWith(200).adapter });
    subjects.push({ client, calls: await warmCalls(client), micros: [] });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    for (const { client, calls, micros } of order) micros.push(await microsPerCall(client, calls));
  }
  const [plainMicros, clientMicros] = subjects.map(({ micros }) => median(micros));
  const [plainBest, clientBest] = subjects.map(({ micros }) => Math.min(...micros));
  return {
    client: name,
    plainMicros,
    clientMicros,
    ratio: clientMicros / plainMicros,
    bestRatio: clientBest / plainBest,
  };
}

/** CPU time, interleaved: what a GET costs without its journal, with it, and with a listener of every entry. */
async function journal(turn) {
  const subjects = [];
  const names = ['none', 'journal', 'onEntry'];
  for (const name of [...names.slice(turn % 3), ...names.slice(0, turn % 3)]) {
    // A copy of the package for each, so that none is made slower by what is done to another.
    const { heed, Journal } = await importSource(`
      export { heed } from './lib/index.ts'; export { Journal } from './lib/operation/journal.ts';
      export const copy = '${name}';`);
    if (name === 'none') Object.assign(Journal.prototype, { open: () => {}, write: () => {} });
    const instance = axios.create({ ...WORLD, adapter: answersWith(200).adapter });
    let heard = 0;
    heed(instance, name === 'onEntry' ? { onEntry: () => (heard += 1) } : {});
    const client = { get: (path) => instance.get(path) };
    subjects.push({ name, client, calls: await warmCalls(client), micros: [] });
    if ((name === 'onEntry') !== heard > 0) throw new Error(`${name}: ${heard} entries were heard`);
  }
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    for (let i = 0; i < subjects.length; i += 1) {
      const { client, calls, micros } = subjects[(i + round) % subjects.length];
      const before = process.cpuUsage();
      await microsPerCall(client, calls);
      const { user, system } = process.cpuUsage(before);
      micros.push((user + system) / calls);
    }
  }
  const { micros: without } = subjects.find(({ name }) => name === 'none');
  // Of each round by itself: what the machine did in it falls on both.
  const ratioOf = ({ micros }) => median(micros.map((each, round) => each / without[round]));
  return Object.fromEntries(
    subjects.map((subject) => [subject.name, { micros: median(subject.micros), ratio: ratioOf(subject) }]),
  );
}

function heapBytes() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function held(name, count) {
  const { get, calls } = await createHeld(name, { ...WORLD, maxQueued: 2 * count });
  const promises = [];
  let settled = 0;
  const start = (n) => {
    for (let i = 0; i < n; i += 1) promises.push(get('/open', 't').finally(() => (settled += 1)));
  };
  start(50);
  await quiet(calls);
  const before = heapBytes();
  start(count);
  await quiet(calls);
  const bytes = (heapBytes() - before) / count;
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  return { client: name, count, bytes, timers, settled, sent: calls(), held: promises.length };
}

/** Until nothing more is sent for a second. */
async function quiet(calls) {
  for (let same = 0, last = -1; same < 4; last = calls()) {
    await sleep(250);
    same = calls() === last ? same + 1 : 0;
  }
}

/** The gates alone, and how to open one operation on them. */
async function bareGates(maxQueued) {
  const { Gates, systemClock, seededDice } = await importSource(`
    export { Gates } from './lib/gate/gates.ts';
    export { systemClock } from './lib/time/clock.ts'; export { seededDice } from './lib/testing/index.ts';`);
  const bounds = { maxQueued, maxGates: 10_000, maxHoldMs: 3_600_000 };
  const gates = new Gates({
    clock: systemClock,
    jitter: 0.1,
    backoffMs: () => 500,
    ...bounds,
  });
  const ticket = (value) => {
    const scopes = [[{ by: 'tenant', value, secret: false }]];
    return gates.ticket({ scopes, owner: gates, operation: value });
  };
  return { gates, ticket, clock: systemClock, roll: seededDice(1) };
}

const TERMS = { notBeforeMonoMs: 0, reserveMs: 0, exchangesLeft: 4, repeatable: true };

/** Waiters put into a gate and taken out again in no order. */
async function leave(count) {
  const { ticket, clock, roll } = await bareGates(2 * count);
  const { pass } = ticket('one').enter(TERMS);
  pass.sent();
  pass.report({ kind: 'limited', receivedMonoMs: clock.monoMs(), hintMs: 600_000 });
  const tickets = Array.from({ length: count }, () => ticket('one'));
  const enterMs = timed(() => tickets.forEach((each) => each.enter(TERMS)));
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const shuffled = tickets.map((each) => [roll(), each]).sort(([a], [b]) => a - b);
  const leaveMs = timed(() => shuffled.forEach(([, each]) => each.leave()));
  return { count, enterMicros: (enterMs * 1000) / count, leaveMicros: (leaveMs * 1000) / count, timers };
}

/** As many tenants, each with one call that is accepted and every tenth with a limit. */
async function scopes(count) {
  const { gates, ticket, clock } = await bareGates(1000);
  const before = heapBytes();
  const ms = timed(() => {
    for (let i = 0; i < count; i += 1) {
      const each = ticket(`tenant-${i}`);
      const { pass } = each.enter(TERMS);
      pass.sent();
      const kind = i % 10 === 0 ? 'limited' : 'accepted';
      pass.report({ kind, receivedMonoMs: clock.monoMs() });
      each.leave();
    }
  });
  const grownBytes = heapBytes() - before;
  return { count, grownBytes, microsEach: (ms * 1000) / count, gates: gates.snapshot().gates?.length };
}

function timed(work) {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

const [kind, ...words] = process.argv.slice(2);
const measure = {
  happy: () => happy(words[0]),
  journal: () => journal(Number(words[0] ?? 0)),
  held: () => held(words[0], Number(words[1])),
  leave: () => leave(Number(words[0])),
  scopes: () => scopes(Number(words[0])),
};
console.log(JSON.stringify({ kind, axios: axios.VERSION, ...(await measure[kind]()) }));
process.exit(0);
