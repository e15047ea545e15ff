import { setTimeout } from 'node:timers/promises';
import { API, LOAD } from './terms.mjs';

/** Sends the load through one client and says what the client got and what the API saw. */
export async function measure(client, api) {
  const entries = [];
  const instance = client.create(api.url, (entry) => entries.push(entry));
  // Loading code and opening sockets is not what is measured here.
  await Promise.all(manyOf(() => instance.get('/health', { heed: false })));
  await api.begin();
  const startMs = performance.now();
  const settled = await Promise.allSettled(
    manyOf(async (number) => {
      await setTimeout((number / LOAD.operations) * LOAD.withinMs);
      await instance.get(`/orders/${number}`);
    }),
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

function manyOf(send) {
  return Array.from({ length: LOAD.operations }, (_, at) => send(at + 1));
}

/** The most of the sorted instants within any span of that width. */
function mostWithin(spanMs, instantsMs) {
  let first = 0;
  return instantsMs.reduce((most, lastMs, last) => {
    while (instantsMs[first] <= lastMs - spanMs) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}
