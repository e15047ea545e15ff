import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts the API in a process of its own. It ends with us, whatever becomes of us. */
export async function startApi() {
  const child = fork(new URL('server.mjs', import.meta.url));
  const lost = endOf(child);
  const next = async () => (await Promise.race([once(child, 'message'), lost]))[0];
  const { port } = await next();
  const ask = (order) => {
    child.send(order);
    return next();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    begin: () => ask('begin'),
    report: () => ask('report'),
    /** Rejects when the process has ended. */
    lost,
    stop: () => child.connected && child.disconnect(),
  };
}

function endOf(child) {
  const end = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the API's process ended (${signal ?? `exit code ${code}`})`);
  });
  // At the end of the demo nobody waits for it.
  end.catch(() => undefined);
  return end;
}
