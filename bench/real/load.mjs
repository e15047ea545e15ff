// Starts the operations of a scenario and notes how each ended.
import { now, sleep } from './instant.mjs';

/** Resolves when all have ended, or a while after the last deadline: what has not ended by then hangs. */
export async function runLoad(client, load, { deadlineMs, graceMs = 3000 }) {
  const records = [];
  await Promise.all(load.map((part) => startPart(client, part, { deadlineMs, records })));
  const lastMs = Math.max(...records.map((record) => record.deadlineMs)) + graceMs;
  await Promise.race([Promise.all(records.map((record) => record.settled)), sleep(lastMs - now())]);
  return records.map((record) => ({ ...record, settled: undefined }));
}

async function startPart(client, part, { deadlineMs, records }) {
  for (let i = 0; i < part.count; i += 1) {
    if (part.everyMs > 0 && i > 0) await sleep(part.everyMs);
    records.push(start(client, part, { id: `${part.group}-${i}`, deadlineMs }));
  }
}

function start(client, { group, route, token }, { id, deadlineMs }) {
  const startedMs = now();
  const record = { id, group, startedMs, deadlineMs: startedMs + deadlineMs, end: 'hung' };
  const note = (end) => (error) => Object.assign(record, { end, endedMs: now(), error: wordFor(error) });
  record.settled = call(client, `/${route}?op=${id}`, token).then(note('ok'), note('failed'));
  return record;
}

async function call(client, path, token) {
  return await client.get(path, token);
}

/** What a failure is called: code, else class. */
function wordFor(error) {
  if (!(error instanceof Error) && typeof error?.code !== 'string') return undefined;
  return typeof error.code === 'string' ? error.code : error.constructor.name;
}

/** Brings code and sockets to temperature on a route without a limit. */
export async function warmUp(client) {
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 40 }, () => client.get('/warm', 'warm')));
  }
}
