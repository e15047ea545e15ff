// npm run demo:web: one page on this machine, with the same API for two clients side by side.
// Prints its address and opens nothing. PORT picks the port; Ctrl-C ends it.
import { bundlePage } from './bundle.mjs';
import { startServer } from './server.mjs';

const DEFAULT_PORT = 8429;
const PORTS_TRIED = 20;

try {
  const port = portOf(process.env.PORT);
  const { url, close } = await startOnFreePort(await bundlePage(), port);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
  console.log(`axios-heed demo: ${url}\nOpen it in two tabs: they share their gates. Ctrl-C ends it.`);
} catch (error) {
  console.error(`axios-heed demo failed: ${error.message}`);
  process.exitCode = 1;
}

function portOf(text = String(DEFAULT_PORT)) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`PORT is to be a number up to 65535, or 0 for any port; it is "${text}".`);
}

/** On that port or, where others have it, on the next that is free. */
async function startOnFreePort(page, first) {
  for (let port = first; port < first + PORTS_TRIED && port <= 65_535; port += 1) {
    try {
      return await startServer({ page, port });
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      console.log(`Port ${port} is taken.`);
    }
  }
  throw new Error(`no free port from ${first} on; PORT picks another.`);
}
