// One client in one scenario, in a process of its own: node one-run.mjs CLIENT SCENARIO -> one line of JSON.
import { clients } from './clients.mjs';
import { figuresOf } from './figures.mjs';
import { sleep } from './instant.mjs';
import { runLoad, warmUp } from './load.mjs';
import { scenarios } from './scenarios.mjs';
import { startServer } from './server-process.mjs';

const [clientName, scenarioName] = process.argv.slice(2);
const scenario = scenarios[scenarioName];
const routes = { ...scenario.routes, warm: { type: 'open' } };

async function withClient(server, use) {
  const client = await clients[clientName]({
    baseURL: server.baseURL,
    deadlineMs: scenario.deadlineMs,
    scenario,
  });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

async function lightAlone(server) {
  const load = scenario.load.filter(({ group }) => group === 'light');
  if (load.length === 0) return [];
  await server.begin(routes);
  return await withClient(server, (client) => runLoad(client, load, scenario));
}

async function run(server) {
  await server.begin(routes);
  await withClient(server, warmUp);
  const aloneRecords = await lightAlone(server);
  return await withClient(server, async (client) => {
    const { zeroMs, offsetMs } = await server.begin(routes);
    const noted = await runLoad(client, scenario.load, scenario);
    await sleep(500); // for requests that come after everyone has been told
    const report = await server.report();
    const records = noted.map((record) => shifted(record, offsetMs));
    return figuresOf({ scenario, records, aloneRecords, report, zeroMs });
  });
}

const shifted = (record, ms) => ({
  ...record,
  startedMs: record.startedMs + ms,
  deadlineMs: record.deadlineMs + ms,
  ...(record.endedMs === undefined ? {} : { endedMs: record.endedMs + ms }),
});

process.on('unhandledRejection', (error) => console.error('unhandled rejection:', error?.message ?? error));
const server = await startServer();
const figures = await run(server);
await server.stop();
console.log(JSON.stringify({ client: clientName, scenario: scenarioName, ...figures }));
process.exit(0); // a client's forgotten timers must not keep it alive
