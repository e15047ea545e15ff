// The parent's side of server.mjs.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { now } from './instant.mjs';

const script = fileURLToPath(new URL('server.mjs', import.meta.url));

export async function startServer() {
  const child = fork(script, { execArgv: [] });
  const { port } = await reply(child);
  const ask = async (message) => {
    child.send(message);
    return await reply(child);
  };
  return {
    baseURL: `http://127.0.0.1:${port}`,
    begin: (routes) => begin(ask, routes),
    report: () => ask({ report: true }),
    stop: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await gone;
    },
  };
}

/**
 * Marks time zero. Two processes may read the wall some milliseconds apart; only an offset that the round
 * trip proves is taken out.
 */
async function begin(ask, routes) {
  const before = now();
  const { zeroMs } = await ask({ begin: routes });
  const after = now();
  const offset = zeroMs - (before + after) / 2;
  const offsetMs = Math.abs(offset) > (after - before) / 2 ? offset : 0;
  return { zeroMs: after + offsetMs, offsetMs };
}

function reply(child) {
  return new Promise((resolve, reject) => {
    const onExit = (code) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
