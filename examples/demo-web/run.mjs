// npm run demo:web: one page on this machine, with the same API for two clients side by side.
// Prints its address and opens nothing. PORT picks the port; Ctrl-C ends it.
import { bundlePage } from './bundle.mjs';
import { startServer } from './server.mjs';

const page = await bundlePage();
const { url, close } = await startServer({ page, port: Number(process.env.PORT ?? 8429) });
console.log(`axios-heed demo: ${url}\nOpen it in two tabs: they share their gates. Ctrl-C ends it.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    close();
    process.exit(0);
  });
}
