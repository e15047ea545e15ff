// npm run demo: the same 60 GETs with bare axios, with axios-retry and with axios-heed, at the same API.
// Ends by itself within 40 s; exit code 0 only if axios-heed kept to what terms.mjs asks of it.
import { startApi } from './api-process.mjs';
import { CLIENTS } from './clients.mjs';
import { measure } from './measure.mjs';
import { intro, laneOf, showProgress, tableOf } from './picture.mjs';
import { storyOf } from './story.mjs';
import { LONGEST_RUN_MS } from './terms.mjs';
import { faultsOf } from './verdict.mjs';

const watchdog = setTimeout(() => {
  end(`it was not over after ${LONGEST_RUN_MS / 1000} s`);
}, LONGEST_RUN_MS);

try {
  await demo();
} catch (error) {
  end(error.message);
}
clearTimeout(watchdog);

async function demo() {
  const api = await startApi();
  try {
    console.log(intro());
    const runs = [];
    for (const client of CLIENTS) {
      const endProgress = showProgress(client.name);
      runs.push(await Promise.race([measure(client, api), api.lost]).finally(endProgress));
      console.log(laneOf(runs.at(-1)));
    }
    console.log(tableOf(runs));
    console.log(storyOf(runs.at(-1).entries));
    const faults = faultsOf(runs);
    if (faults.length > 0) fail(faults.join('; '));
  } finally {
    api.stop();
  }
}

function fail(line) {
  process.exitCode = 1;
  console.error(`axios-heed demo failed: ${line}`);
}

/** At once: clients may have timers that would go on for a while. */
function end(line) {
  fail(line);
  process.exit();
}
