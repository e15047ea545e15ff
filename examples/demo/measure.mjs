import { setTimeout } from 'node:timers/promises';
import { API, LOAD, WARM_ROUNDS } from './terms.mjs';

/** Sends the load through one client and says what the client got and what the API saw. */
export async function measure(client, api) {
  await warmUp(client, api);
  const entries = [];
  const instance = client.create(api.url, (entry) => entries.push(entry));
  await api.begin();
  const startMs = performance.now();
  const settled = await Promise.allSettled(
    await startOneByOne((number) => instance.get(`/orders/${number}`)),
  );
  const tookMs = performance.now() - startMs;
  const { arrivals, breakdowns } = await api.report();
  return {
    name: client.name,
    arrivals,
    breakdowns,
    entries,
    tookMs,
    sent: arrivals.length,
    refused: arrivals.filter(({ status }) => status !== 200).length,
    succeeded: settled.filter(({ status }) => status === 'fulfilled').length,
    mostIn100Ms: mostWithin(
      100,
      arrivals.map(({ atMs }) => atMs).filter((atMs) => atMs >= API.downMs),
    ),
  };
}

/** Loading code, compiling it and opening sockets is not what is measured here. */
async function warmUp(client, api) {
  const instance = client.create(api.url);
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    await Promise.all(Array.from({ length: LOAD.operations }, () => instance.get('/health')));
  }
}

/** A process that gets no time starts late, not several at once: an answer that is there is read before. */
async function startOneByOne(send) {
  const calls = [];
  for (let number = 1; number <= LOAD.operations; number += 1) {
    const call = send(number);
    call.catch(() => undefined); // it may be over before all have begun
    calls.push(call);
    await setTimeout(LOAD.everyMs);
  }
  return calls;
}

/** The most of the sorted instants within any span of that width. */
function mostWithin(spanMs, instantsMs) {
  let first = 0;
  return instantsMs.reduce((most, lastMs, last) => {
    while (instantsMs[first] <= lastMs - spanMs) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}
